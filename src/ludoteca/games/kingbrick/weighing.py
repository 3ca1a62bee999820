"""What a move of KingBrick is worth: the chance to win that it leaves, flicked by a hand that trembles.

Where the opponent is next, a position is judged by the fitted curve and by the opponent's best shots at the King, which
the physics makes (answers.py).
"""

import math
from collections.abc import Iterable, Iterator
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from ludoteca.core.errors import UnknownMove
from ludoteca.core.levels import Weighed
from ludoteca.games.kingbrick import aiming, hand, physics, prospects, rules
from ludoteca.games.kingbrick.fitted import fitted, from_logit, logit, made_of_best
from ludoteca.games.kingbrick.geometry import standing
from ludoteca.games.kingbrick.levels import Searching
from ludoteca.games.kingbrick.noisy_search import NoisySearch, ended
from ludoteca.games.kingbrick.notation import End, Freeze, Hide, Move, Place, Strike, written
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick
from ludoteca.games.kingbrick.refusals import Refusal
from ludoteca.games.kingbrick.state import BOARD, Brick, State, hiders, other, second_flick, strikers, targets

SEARCH = Searching(samples=24, flicks=48, finalists=3, repeats=10, replies=4)
UNSURE = 0.2  # the error of a chance that one flick alone gives
DANGER = 0.1  # the chance of the own King to fall that asks for a defence
SPOTS = 3  # on which a brick may be set down, the best by the curve, that are compared by the opponent's shots
CLEARLY = 0.4  # of a logit, a tenth of an even chance: by how much a flick of the same idea must be better
ALIKE = 8.0  # degrees: flicks of one brick that differ less are the same idea


class Worth(NamedTuple):
    chance: float
    error: float = 0.0  # of its logit


class Weighing(NoisySearch):
    """The moves of a seat with the chances that they leave. The same hands make all flicks, so luck decides less."""

    def __init__(self, state: State, seat: int, effort: int, rng: Random) -> None:
        level = Searching(
            samples=SEARCH.samples * effort,
            flicks=SEARCH.flicks * effort,
            finalists=SEARCH.finalists,
            repeats=SEARCH.repeats * effort,
            replies=SEARCH.replies * effort,
        )
        super().__init__(state, seat, level, rng)
        self._hands = self._some_hands(level.repeats)
        danger = self._answers.to(ended(state), other(seat))
        self._before = self._worth(ended(state))
        self._guns = list(danger.bricks) if danger.falls > DANGER else []  # they threaten the own King

    def _worth(self, state: State) -> float:
        return self._checked(state, is_made=False).chance

    def _checked(self, state: State, is_made: bool = True) -> Worth:
        """Return the chance of a position. If the opponent is next, the physics makes the best shots at the King.

        Without `is_made` only the shots count that are known already.
        """
        enemy = other(self.seat)
        if state.is_over or prospects.next_up(state)[0] != enemy:
            return Worth(prospects.chance(state, self.seat))
        answer = self._answers.to(state, enemy, is_made)
        return Worth(prospects.chance(state, self.seat, answer.surprise), fitted().review[-1] * answer.error)

    def moves(self, also: list[Move]) -> list[Weighed]:
        """Return the best moves and those of `also`, best first. A lead is the logit of the chance that people have."""
        weighed = self.weighed(also)
        added = self._correction(max(logit(worth.chance) for worth in weighed.values()))
        told = (Weighed(written(move), logit(worth.chance) + added, worth.error) for move, worth in weighed.items())
        return sorted(told, key=lambda one: -one.lead)

    def _correction(self, best: float) -> float:
        """Return what is added to the logit of every move, because people do not always find the best flick."""
        return made_of_best(best, fitted().best) - best if self.state.now.flicks else 0.0

    def weighed(self, also: list[Move]) -> dict[Move, Worth]:
        """Return the best moves and those of `also`, with the chances that the search finds."""
        found = self._candidates([move for move in also if isinstance(move, Flick)])
        found += [move for move in also if move not in found]
        weighed: dict[Move, Worth] = {move: self._flicked(move) for move in found if isinstance(move, Flick)}
        best = max((worth.chance for worth in weighed.values()), default=None)
        weighed |= {move: self._otherwise(move, best) for move in found if not isinstance(move, Flick)}
        self._drop_alike(weighed, also)
        return weighed

    def _drop_alike(self, weighed: dict[Move, Worth], also: list[Move]) -> None:
        """Drop flicks of the same idea as one that was asked about, unless they are clearly better than all the rest.

        That the same flick, aimed a little differently, would have been better is no advice, and mostly luck.
        """
        asked = [move for move in also if isinstance(move, Flick)]
        flicks = [move for move in weighed if isinstance(move, Flick) and move not in also]
        alike = [move for move in flicks if any(self._is_alike(move, one) for one in asked)]
        rest = max(worth for move, worth in weighed.items() if move not in alike)
        for move in alike:
            worth = weighed[move]
            if logit(worth.chance) - logit(rest.chance) < CLEARLY + math.hypot(worth.error, rest.error):
                del weighed[move]

    def _is_alike(self, one: Flick, another: Flick) -> bool:
        """Return whether two flicks are one idea: the same brick, in nearly the same direction or at the same brick."""
        if one.brick != another.brick:
            return False
        turn = abs((one.direction - another.direction + 180) % 360 - 180)
        met, other_met = (aiming.first_hit(self.state.poses, flick) for flick in (one, another))
        return turn < ALIKE or (met is not None and met == other_met)

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
        """Return the best flick of each of the best ideas, and the best one at a brick that threatens the King."""
        explored = [flick for _, flick in self._explored(names, also)]
        found: list[Flick] = []
        for flick in explored:
            if len(found) < self.search.finalists and not any(self._is_alike(flick, one) for one in found):
                found.append(flick)
        defending = (flick for flick in explored if aiming.first_hit(self.state.poses, flick) in self._guns)
        return list(dict.fromkeys((*found, *list(defending)[:1])))

    def _attackers(self, state: State) -> list[str]:
        answer = self._answers.to(state, other(self.seat), is_made=False)
        known = answer.bricks if answer.falls > DANGER else ()
        return list(dict.fromkeys((*known, *super()._attackers(state))))

    def _best_places(self, name: str, spots: Iterable[tuple[float, float]]) -> Iterator[tuple[float, Move]]:
        """Yield the best spot. The physics makes the shots at the King only for those that the curve likes best."""
        weighed = sorted(((self._worth(self._set(name, x, y)), x, y) for x, y in spots), reverse=True)
        best = sorted(
            ((self._checked(self._set(name, x, y)).chance, x, y) for _, x, y in weighed[:SPOTS]), reverse=True
        )
        for chance, x, y in best:
            place = Place(name, round(x, 1), round(y, 1), 0.0, 1)
            if self._is_admitted(place):
                yield chance, place
                return

    def _set(self, name: str, x: float, y: float) -> State:
        placed = self._with(name, standing(x, y, 0, 1))
        return self._at_its_end(placed if self.state.placements else ended(placed))

    def _flicked(self, flick: Flick) -> Worth:
        """Return the mean chance after a flick as the hand may make it.

        One more hand counts as if nothing had happened: the best of some flicks was also lucky.
        """
        found: list[Worth] = []
        for by in self._hands:
            made = hand.shifted(flick, *by)
            try:
                rest = physics.flicked(self.state.poses, made, is_filmed=False, aimed=flick)
                after = self._after(made, rest)
                self._checked(after)  # now the shots are known that a Freeze may prevent
                found.append(self._checked(self._at_its_end(after)))
            except (FingerBlocked, Refusal):
                continue
        if not found:
            return Worth(self._before, 1.0)
        if len(self._hands) == 1:
            return found[0]
        counted = [*(worth.chance for worth in found), self._before]
        mean = fmean(counted)
        spread = stdev(counted) / math.sqrt(len(counted)) if len(found) > 1 else UNSURE
        unknown = fmean(worth.error for worth in found)  # the same shots answer most of these flicks
        return Worth(mean, min(3.0, math.hypot(spread / max(0.02, mean * (1 - mean)), unknown)))

    def _otherwise(self, move: Move, best_flick: float | None) -> Worth:
        """Return the chance after another move. Where a flick may still follow, the best one is added."""
        try:
            after = rules.play_seat(self.state, self.seat, move)
        except (Refusal, UnknownMove):
            return Worth(0.0)
        if isinstance(move, Place):  # the table measures it first: until then the brick is nowhere
            return self._checked(_standing(self.state, after, move))
        if isinstance(move, Freeze):
            after = _standing(self.state, after, Place(*move, up=1))
        worth = self._checked(after)
        follows = after.now.mover == self.seat and after.now.flicks > 0
        if not follows or best_flick is None or after.is_over:
            return worth
        added = logit(worth.chance) - logit(self._worth(self.state)) + logit(best_flick)
        return Worth(from_logit(added), worth.error)


def _standing(before: State, after: State, place: Place) -> State:
    """Return the position after a brick was set down, as if it stayed there."""
    there = {name: at for name, at in before.poses.items() if name != place.brick}
    at = physics.set_down(there, place.brick, place.x, place.y, place.yaw, place.up)
    brick = after.bricks[place.brick]
    return after.but(bricks={**after.bricks, place.brick: Brick(brick.kind, brick.side, BOARD, at)})
