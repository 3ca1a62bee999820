"""What a move of KingBrick is worth: the chance to win that it leaves, flicked by a hand that trembles."""

import math
from random import Random
from statistics import fmean, stdev

from ludoteca.core.errors import UnknownMove
from ludoteca.core.levels import Weighed
from ludoteca.games.kingbrick import hand, physics, prospects, rules
from ludoteca.games.kingbrick.fitted import from_logit, logit
from ludoteca.games.kingbrick.levels import Searching
from ludoteca.games.kingbrick.noisy_search import NoisySearch, ended
from ludoteca.games.kingbrick.notation import End, Freeze, Hide, Move, Place, Strike, written
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick
from ludoteca.games.kingbrick.refusals import Refusal
from ludoteca.games.kingbrick.state import BOARD, Brick, State, hiders, second_flick, strikers, targets

SEARCH = Searching(samples=24, flicks=48, finalists=3, repeats=10)
UNSURE = 0.2  # the error of a chance that one flick alone gives


class Weighing(NoisySearch):
    """The moves of a seat with the chances that they leave. The same hands make all flicks, so luck decides less."""

    def __init__(self, state: State, seat: int, effort: int, rng: Random) -> None:
        level = Searching(
            samples=SEARCH.samples * effort,
            flicks=SEARCH.flicks * effort,
            finalists=SEARCH.finalists,
            repeats=SEARCH.repeats * effort,
        )
        super().__init__(state, seat, level, rng)
        is_steady = state.hand == hand.STEADY
        errors = [[0.0 if is_steady else rng.gauss(0, 1) for _ in hand.Error._fields] for _ in range(level.repeats)]
        self._hands = [hand.Error(*one) for one in (errors[:1] if is_steady else errors)]
        self._before = self._worth(ended(state))

    def _worth(self, state: State) -> float:
        return prospects.chance(state, self.seat)

    def moves(self, also: list[Move]) -> list[Weighed]:
        found = self._candidates([move for move in also if isinstance(move, Flick)])
        found += [move for move in also if move not in found]
        weighed: dict[Move, tuple[float, float]]
        weighed = {move: self._flicked(move) for move in found if isinstance(move, Flick)}
        best = max((chance for chance, _ in weighed.values()), default=None)
        weighed |= {move: (self._otherwise(move, best), 0.0) for move in found if not isinstance(move, Flick)}
        leads = [Weighed(written(move), logit(chance), error) for move, (chance, error) in weighed.items()]
        return sorted(leads, key=lambda one: -one.lead)

    def _candidates(self, also: list[Flick]) -> list[Move]:
        found: list[Move] = []
        if self.state.placements:
            return [self._placed(self.state.placements[0].brick)]
        if self.state.now.flicks:
            found += self._finalists(self._soldiers(), also)
            found += [move for _, move in self._instead()]
        else:
            found += [End(), *(Hide(name) for name in hiders(self.state, self.seat))]
            found += [
                Strike(by, one) for by in strikers(self.state, self.seat) for one in targets(self.state, self.seat)
            ]
            knight = second_flick(self.state)
            found += self._finalists([knight], also) if knight else []
        found += [freeze for _, freeze in self._frozen(self.state) if self._is_admitted(freeze)]
        return found or [self._anything()]

    def _finalists(self, names: list[str], also: list[Flick]) -> list[Flick]:
        return [flick for _, flick in self._explored(names, also)[: self.search.finalists]]

    def _flicked(self, flick: Flick) -> tuple[float, float]:
        """Return the mean chance after a flick as the hand may make it, and the error of its logit.

        One more hand counts as if nothing had happened: the best of some flicks was also lucky.
        """
        chances = []
        for by in self._hands:
            made = hand.shifted(flick, *by)
            try:
                rest = physics.flicked(self.state.poses, made, is_filmed=False, aimed=flick)
                chances.append(self._worth(self._at_its_end(self._after(made, rest))))
            except (FingerBlocked, Refusal):
                continue
        if not chances:
            return self._before, 1.0
        if len(self._hands) == 1:
            return chances[0], 0.0
        counted = [*chances, self._before]
        mean = fmean(counted)
        error = stdev(counted) / math.sqrt(len(counted)) if len(chances) > 1 else UNSURE
        return mean, min(3.0, error / max(0.02, mean * (1 - mean)))

    def _otherwise(self, move: Move, best_flick: float | None) -> float:
        """Return the chance after another move. Where a flick may still follow, the best one is added."""
        try:
            after = rules.play_seat(self.state, self.seat, move)
        except (Refusal, UnknownMove):
            return 0.0
        if isinstance(move, Place):  # the table measures it first: until then the brick is nowhere
            return self._worth(_standing(self.state, after, move))
        if isinstance(move, Freeze):
            after = _standing(self.state, after, Place(*move, up=1))
        chance = self._worth(after)
        follows = after.now.mover == self.seat and after.now.flicks > 0
        if not follows or best_flick is None or after.is_over:
            return chance
        return from_logit(logit(chance) - logit(self._worth(self.state)) + logit(best_flick))


def _standing(before: State, after: State, place: Place) -> State:
    """Return the position after a brick was set down, as if it stayed there."""
    there = {name: at for name, at in before.poses.items() if name != place.brick}
    at = physics.set_down(there, place.brick, place.x, place.y, place.yaw, place.up)
    brick = after.bricks[place.brick]
    return after.but(bricks={**after.bricks, place.brick: Brick(brick.kind, brick.side, BOARD, at)})
