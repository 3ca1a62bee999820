"""What a move of KingBrick is worth: the chance to win that it leaves, flicked by a hand that trembles."""

import math
from random import Random
from statistics import fmean, stdev

from ludoteca.core.errors import UnknownMove
from ludoteca.core.levels import Weighed
from ludoteca.games.kingbrick import physics, rules
from ludoteca.games.kingbrick.aftermath import infraction
from ludoteca.games.kingbrick.geometry import standing
from ludoteca.games.kingbrick.judging import FOUL, threat, worth
from ludoteca.games.kingbrick.levels import Sampling
from ludoteca.games.kingbrick.notation import End, Hide, Move, Place, Strike, written
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick
from ludoteca.games.kingbrick.refusals import Refusal
from ludoteca.games.kingbrick.state import State, hiders, other, second_flick, strikers, targets
from ludoteca.games.kingbrick.thinking import Thought

SEARCH = Sampling(samples=36, finalists=4, repeats=8)
SCALE = 14.0  # points of bricks that make a lead of one, as a logit
HOPE = 0.5  # of the danger that the other King is in: who threatens it has to wait for a turn
SURE = 0.98  # the largest chance that a position which goes on has


class Weighing(Thought):
    def __init__(self, state: State, seat: int, effort: int, rng: Random) -> None:
        level = Sampling(samples=SEARCH.samples * effort, finalists=SEARCH.finalists, repeats=SEARCH.repeats * effort)
        super().__init__(state, seat, level, rng)

    def moves(self, also: list[Move]) -> list[Weighed]:
        found = self._candidates()
        found += [move for move in also if move not in found]
        weighed: dict[Move, tuple[float, float]]
        weighed = {move: self._flicked(move) for move in found if isinstance(move, Flick)}
        best = max((chance for chance, _ in weighed.values()), default=None)
        weighed |= {move: (self._otherwise(move, best), 0.0) for move in found if not isinstance(move, Flick)}
        leads = [Weighed(written(move), logit(chance), error) for move, (chance, error) in weighed.items()]
        return sorted(leads, key=lambda one: -one.lead)

    def _candidates(self) -> list[Move]:
        if self.state.placements:
            return [self._placed(self.state.placements[0].brick)]
        if self.state.now.flicks:
            flicks = [flick for _, flick in self._best_flicks(self._soldiers())[: self.level.finalists]]
            instead = [move for _, move in self._instead()]
            found = [*flicks, *instead]
        else:
            found = [End()]
            found += [
                Strike(by, one) for by in strikers(self.state, self.seat) for one in targets(self.state, self.seat)
            ]
            found += [Hide(name) for name in hiders(self.state, self.seat)]
            knight = second_flick(self.state)
            if knight:
                found += [flick for _, flick in self._best_flicks([knight])[:1]]
        freezing = self._freezing()
        return [*found, freezing] if freezing else found or [self._anything()]

    def _flicked(self, flick: Flick) -> tuple[float, float]:
        """Return the mean chance after a flick as the hand may make it, and the error of its logit."""
        chances = []
        for _ in range(self.level.repeats):
            made = self._trembled(flick)
            try:
                rest = physics.flicked(self.state.poses, made, is_filmed=False)
                after = self._after(made, rest)
            except (FingerBlocked, Refusal):
                continue
            chances.append(self.chance(after, FOUL * bool(infraction(made, rest))))
        if not chances:
            return self.chance(self.state), 1.0
        mean = fmean(chances)
        spread = stdev(chances) / math.sqrt(len(chances)) if len(chances) > 1 else 0.2
        return mean, min(3.0, spread / max(0.02, mean * (1 - mean)))

    def _otherwise(self, move: Move, best_flick: float | None) -> float:
        """Return the chance after another move. Where a flick may still follow, the best one is added."""
        try:
            after = rules.play_seat(self.state, self.seat, move)
        except (Refusal, UnknownMove):
            return 0.0
        if isinstance(move, Place):  # the table measures it first: until then the brick is nowhere
            return self.chance(self._with(move.brick, standing(move.x, move.y, move.yaw, move.up)))
        chance = self.chance(after)
        follows = after.turn is not None and after.turn.mover == self.seat and after.turn.flicks > 0
        if not follows or best_flick is None or after.is_over:
            return chance
        return chance_of(logit(chance) - logit(self.chance(self.state)) + logit(best_flick))

    def chance(self, after: State, foul: float = 0.0) -> float:
        """Return the chance that the bricks and the danger of the Kings promise, when the other seat is next."""
        if after.loser:
            return 0.0 if after.loser == self.seat else 1.0
        lead = (worth(after, self.seat, 0.0) - foul) / SCALE
        falls, hope = threat(after, other(self.seat)), HOPE * threat(after, self.seat)
        chance = chance_of(lead)
        chance += hope * (1 - chance)
        return min(SURE, max(1 - SURE, chance * (1 - falls)))


def logit(chance: float) -> float:
    held = min(max(chance, 0.001), 0.999)
    return math.log(held / (1 - held))


def chance_of(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))
