"""A search over flicks that the hand does not make exactly as they were aimed; reviews and the race build on it.

Every flick is worked out as a trembling hand makes it. Kernel regression joins what flicks with nearly the same aim
were worth. An upper confidence bound says which aim to try next, a lower one which to choose. Positions after the best
flicks are looked at again: does the opponent's answer bring the King down?
"""

import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from random import Random
from statistics import fmean

from ludoteca.games.kingbrick import aiming, geometry, hand, physics, prospects, rules
from ludoteca.games.kingbrick.answers import Answers
from ludoteca.games.kingbrick.bricks import ASSASSIN, MEDIC
from ludoteca.games.kingbrick.defending import attackers, defences, frozen
from ludoteca.games.kingbrick.geometry import BRICK, standing
from ludoteca.games.kingbrick.levels import Sampling, Searching
from ludoteca.games.kingbrick.notation import End, Freeze, Hide, Move, Place, Strike
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick, Rest
from ludoteca.games.kingbrick.regression import Regression, Sample
from ludoteca.games.kingbrick.state import (
    OUT,
    State,
    hiders,
    king_of,
    of_kind,
    other,
    second_flick,
    settable_freezes,
    strikers,
    targets,
)
from ludoteca.games.kingbrick.thinking import CHECKED, PATIENCE, Thought, Weighed

CURIOSITY = 0.15  # how far above its mean an aim may be: the upper bound
CAUTION = 0.04  # how far below it may be: the lower bound
WIDER = 3  # every so many flicks, a new aim beside the best one is tried
AT_KING, AT_ATTACKERS, APPROACHES, AT_CASTLE = 0.5, 0.2, 0.15, 0.05  # shares of the first aims; the rest is random
NEAR, FAR = 45.0, 120.0  # mm from the other King: where a brick should come to rest to threaten it
PROMISE = 0.7  # how much a good position counts: a King that falls now is better than one that would fall later
CHECKS = 3  # positions after a flick in which the opponent's answers are tried
WAITING = 0.01  # of the chance to win, that a turn without a flick costs at first
FREEZING = 0.03  # that a Freeze must bring: there are few of them


class NoisySearch(Thought):
    """The choice of a seat that is to move. A worth is a chance to win here."""

    def __init__(self, state: State, seat: int, level: Sampling, rng: Random) -> None:
        super().__init__(state, seat, level, rng)
        assert isinstance(level, Searching)
        self.search = level
        self._afters: dict[Flick, list[State]] = {}

    @cached_property
    def _answers(self) -> Answers:
        return Answers(self._some_hands(self.search.replies), is_steady=self.state.hand == hand.STEADY)

    def _some_hands(self, count: int) -> list[hand.Error]:
        """Return so many errors of a hand; a steady one makes none, and all flicks alike."""
        if self.state.hand == hand.STEADY:
            return [hand.Error(0.0, 0.0, 0.0, 0.0)]
        return [hand.Error(*(self.rng.gauss(0, 1) for _ in hand.Error._fields)) for _ in range(count)]

    def move(self) -> Move:
        if self.state.placements:
            return self._placed(self.state.placements[0].brick)
        if not self.state.now.flicks:
            return self._finishing()
        weighed = [*self._flicking(self._soldiers()), *self._instead()]
        return max(weighed, key=lambda one: one[0])[1] if weighed else self._anything()

    def _worth(self, state: State) -> float:
        if state.loser:
            return prospects.chance(state, self.seat)
        return min(self._kept(one) for one in (state, *defences(state, self.seat)))

    def _kept(self, state: State, falls: float | None = None) -> float:
        """Return the chance of a position: first the shot of the seat that is next, `falls` of 1; then what is left.

        The fitted chances are those of weaker players, who seldom defend. So a promise counts in part only.
        """
        known = prospects.features(state)
        shot = known.shot**2 if falls is None else falls
        left = 0.5 + PROMISE * (prospects.chance_of(known._replace(shot=0.0)) - 0.5)
        won = shot + (1 - shot) * left
        return won if prospects.next_up(state)[0] == self.seat else 1 - won

    # Flicking

    def _flicking(self, names: list[str]) -> Iterator[Weighed]:
        found = self._searched(names)
        if found:
            yield max(found, key=lambda one: one[0])

    def _searched(self, names: list[str]) -> list[tuple[float, Flick]]:
        """Return the finalists of the search, each with the lower bound of its worth after the opponent's answers."""
        best = self._explored(names)[: self.search.finalists]
        return [(bound + self._answers_cost(aim), aim) for bound, aim in best]

    def _explored(self, names: list[str], also: Iterable[Flick] = ()) -> list[tuple[float, Flick]]:
        """Return aims with the lower bounds of their worths, the best first. Aims of `also` are tried too."""
        known = Regression(self._worth(ended(self.state)))
        aims = [aim for aim in (*also, *self._first_aims(names)) if self._try(known, aim)]
        while aims and known.count < self.search.flicks:
            aim = max(aims, key=lambda one: known.estimate(one).bound(known.count, CURIOSITY))
            if known.count % WIDER == 0 and (wider := self._beside(known, aims)):
                aims.append(aim := wider)
            if not self._try(known, aim):
                aims.remove(aim)
        bounds = [(known.estimate(aim).bound(known.count, -CAUTION), aim) for aim in aims]
        return sorted(bounds, key=lambda one: -one[0])

    def _try(self, known: Regression, aim: Flick) -> bool:
        """Let the hand make a flick once. Return False if the finger has no room."""
        made = self._trembled(self._shaken(aim))
        rest = _made(self.state, made, aim)
        if rest is None:
            return False
        after = self._at_its_end(self._after(made, rest))
        known.add(Sample(aim, made, self._worth(after)))
        self._afters.setdefault(aim, []).append(after)
        return True

    def _beside(self, known: Regression, aims: list[Flick]) -> Flick | None:
        """Return a new aim: the luckiest flick of the best aim as the hand made it, or one that differs a little."""
        best = max(aims, key=lambda one: known.estimate(one).mean)
        made = [sample for sample in known.samples[best.brick] if sample.aim == best]
        lucky = max(made, key=lambda sample: sample.worth)
        aim = lucky.made if lucky.worth > known.estimate(best).mean else aiming.varied(best, self.rng)
        aim = aim if aim not in aims else aiming.varied(best, self.rng)
        return aim if aim not in aims and aiming.is_clean(self.state.poses, aim) else None

    def _first_aims(self, names: list[str]) -> list[Flick]:
        """Return aims at the King, at what threatens the own King, beside the other King, into the castle, anywhere."""
        state, count = self.state, self.search.samples
        aims = aiming.flicks(state, self.seat, names, round(AT_KING * count), self.rng, at_king=1.0)
        if guns := self._attackers(state):
            aims += aiming.flicks_at(state, names, guns, round(AT_ATTACKERS * count), self.rng)
        aims += self._slides(names, self._spots_by_king(), round(APPROACHES * count))
        assassins = [name for name in names if state.bricks[name].kind == ASSASSIN]
        aims += self._slides(assassins, self._spots_in_castle(), round(AT_CASTLE * count))
        aims += aiming.flicks(state, self.seat, names, 2 * (count - len(aims)), self.rng, at_king=0.0)
        return list(dict.fromkeys(aims))[:count]

    def _attackers(self, state: State) -> list[str]:
        return attackers(state, self.seat)

    def _slides(self, names: list[str], spots: Iterator[tuple[float, float]], count: int) -> list[Flick]:
        """Return flicks after which a brick should stop at a spot, if nothing is in its way."""
        found: list[Flick] = []
        for _ in range(aiming.TRIES * count if names else 0):
            if len(found) >= count:
                break
            (x, y), name = next(spots), names[int(len(names) * self.rng.random())]
            at = self.state.poses[name]
            length, direction = aiming.way(at, at._replace(x=x, y=y))
            speed = min(geometry.SPEED[1], math.sqrt(2 * geometry.SLOWS * length / 1000))
            flick = Flick(name, round(direction, 1) % 360, round(speed, 2), 0.0, 0.0, geometry.FOLLOW[2])
            if speed > geometry.SPEED[0] and aiming.is_clean(self.state.poses, flick):
                found.append(flick)
        return found

    def _spots_by_king(self) -> Iterator[tuple[float, float]]:
        king = self.state.poses[king_of(other(self.seat), self.state)]
        while True:
            turn, far = 2 * math.pi * self.rng.random(), NEAR + (FAR - NEAR) * self.rng.random()
            x, y = king.x + far * math.cos(turn), king.y + far * math.sin(turn)
            if abs(x) < geometry.WIDTH / 2 - BRICK and abs(y) < geometry.LENGTH / 2 - BRICK:
                yield x, y

    def _spots_in_castle(self) -> Iterator[tuple[float, float]]:
        x, y, width, length = geometry.castle(other(self.seat))
        while True:
            yield x + width * self.rng.random(), y + length * self.rng.random()

    # The opponent's answer

    def _answers_cost(self, aim: Flick) -> float:
        """Return by how much the chance changes when the opponent's flicks at the King are tried, not only guessed."""
        afters, enemy = self._afters[aim], other(self.seat)
        answered = [after for after in afters if not after.is_over and prospects.next_up(after)[0] == enemy]
        if not answered:
            return 0.0
        seen = (self._answered_chance(after) - self._kept(after) for after in answered[:CHECKS])
        return fmean(seen) * len(answered) / len(afters)

    def _answered_chance(self, after: State) -> float:
        return self._kept(after, self._answers.to(after, other(self.seat)).falls)

    # Instead of flicking

    def _instead(self) -> Iterator[Weighed]:
        cost = WAITING * (1 + self.state.now.number / PATIENCE)
        for name, why, _ in rules.placeable(self.state, self.seat):
            spots = self._near_enemy() if why == rules.REVEAL else self._at_home(why == rules.BLINKS)
            for worth, place in self._best_places(name, spots):
                yield worth - cost, place
        medics, hurt = of_kind(self.state, MEDIC, self.seat), rules.healable(self.state, self.seat)
        if medics and hurt:
            _, heal = self._healing(medics[0], hurt)
            yield self._worth(rules.play_seat(self.state, self.seat, heal)) - cost, heal

    def _best_places(self, name: str, spots: Iterable[tuple[float, float]]) -> Iterator[Weighed]:
        """Yield the best spot that the rules and the physics allow."""
        is_due = bool(self.state.placements)
        placed = [(x, y, self._with(name, standing(x, y, 0, 1))) for x, y in spots]
        afters = [(x, y, after if is_due else ended(after)) for x, y, after in placed]
        weighed = sorted(((self._worth(self._at_its_end(after)), x, y) for x, y, after in afters), reverse=True)
        for worth, x, y in weighed[:CHECKED]:
            place = Place(name, round(x, 1), round(y, 1), 0.0, 1)
            if self._is_admitted(place):
                yield worth, place
                return

    # After the action

    def _at_its_end(self, after: State) -> State:
        """Return the position after the best strike and the best Freeze, if the turn goes on."""
        if after.is_over or after.now.mover != self.seat or after.now.flicks or after.placements:
            return after
        for name in strikers(after, self.seat):
            struck = [after.with_bricks([target], OUT) for target in targets(after, self.seat)]
            after = max([after, *struck], key=self._worth).in_turn(struck=after.now.struck | {name})
        frozen = [(self._worth(state), state) for state, _ in self._frozen(after)]
        if not frozen:
            return after
        worth, best = max(frozen, key=lambda one: one[0])
        return best if worth > self._worth(after) + FREEZING else after

    def _frozen(self, after: State) -> Iterator[tuple[State, Freeze]]:
        """Yield the positions in which a Freeze lies on a brick that threatens the King."""
        unused = settable_freezes(after, self.seat)
        for name in self._attackers(after) if unused else ():
            at = after.poses[name]
            yield frozen(after, unused[0], name), Freeze(unused[0], round(at.x, 1), round(at.y, 1), 0.0)

    def _finishing(self) -> Move:
        now = self._worth(self.state)
        weighed: list[Weighed] = [(now, End())]
        weighed += [(self._worth(state) - FREEZING, freeze) for state, freeze in self._frozen(self.state)]
        for name in strikers(self.state, self.seat):
            for target in targets(self.state, self.seat):
                struck = self._at_its_end(self.state.with_bricks([target], OUT).in_turn(struck=frozenset({name})))
                weighed.append((self._worth(struck), Strike(name, target)))
        for name in hiders(self.state, self.seat):
            if aiming.in_the_way(self.state.poses, name, king_of(other(self.seat), self.state)):
                weighed.append((now + WAITING, Hide(name)))
        knight = second_flick(self.state)
        if knight:
            weighed += self._flicking([knight])
        for _, move in sorted(weighed, key=lambda one: -one[0]):
            if not isinstance(move, Freeze) or self._is_admitted(move):
                return move
        return End()


def ended(state: State) -> State:
    """Return the position as if the turn's action was made."""
    return state.in_turn(flicks=0, acted=True)


def _made(state: State, made: Flick, aim: Flick) -> Rest | None:
    """Return how all comes to rest after a flick, or None if it cannot be made."""
    try:
        return physics.flicked(state.poses, made, is_filmed=False, aimed=aim)
    except FingerBlocked:
        return None
