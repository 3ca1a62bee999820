"""How expert and master choose: aims race against each other, each flicked by the same trembling hands.

Every aim is tried once, the better ones again, and the best two most often, so that luck decides little. A worth is the
chance to win, fitted to matches of experts. A level with `replies` at last tries the opponent's flicks at its own King
against the best three.
"""

import math
from collections.abc import Iterator
from itertools import islice
from random import Random

from ludoteca.games.kingbrick import aiming, closing, geometry, hand, hits, physics, prospects
from ludoteca.games.kingbrick.aftermath import infraction
from ludoteca.games.kingbrick.bricks import ASSASSIN
from ludoteca.games.kingbrick.defending import THREATENS, frozen
from ludoteca.games.kingbrick.fitted import fitted, from_logit, weighted
from ludoteca.games.kingbrick.levels import Sampling
from ludoteca.games.kingbrick.noisy_search import NoisySearch, ended
from ludoteca.games.kingbrick.notation import Freeze
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick, Rest
from ludoteca.games.kingbrick.state import State, flickable, king_of, other, settable_freezes
from ludoteca.games.kingbrick.thinking import Weighed

STRAIGHT, AT_GUNS, APPROACHES, AT_CASTLE, AT_KING = 0.25, 0.15, 0.15, 0.05, 0.45  # shares of the aims
HOPE = 0.03  # a straight shot at the King that fells it less often is not tried for that
GUNS = 2  # bricks that threaten the own King, and are aimed at or frozen
FEWEST = 2  # aims that are still in the race at its end
KEPT = 3  # one of so many aims is tried a second time
FARTHER = 60.0  # mm that a soft flick at a gun would go beyond it
HARDER = 1.1  # times the speed that just pushes a gun over the edge
# What decides matches of experts, who parry most threats: a threat counts less than in prospects.json, and to stand
# forward is worth nothing. Fitted like those weights, and held near them, for there were only 43 matches.
ARMY, SHOT, DANGER, FLICKS = 3.9, 2.5, -1.1, 0.35
SHOOTERS, ROOM = 3, 2  # bricks near the King that are tried, and aims of each
GUESSED = 3.0  # answers that the fitted chance of a shot counts for, beside those that are tried


class Entrant:
    """An aim in the race, and the positions that it led to."""

    def __init__(self, aim: Flick) -> None:
        self.aim = aim
        self.worths: list[float] = []
        self.afters: list[State] = []

    def mean(self, before: float, luck: int = 1) -> float:
        """Return its mean worth. `luck` more tries count as if nothing had happened: the best one was also lucky."""
        return (sum(self.worths) + luck * before) / (len(self.worths) + luck)


class Race(NoisySearch):
    """The choice of a seat that is to move. A worth is a chance to win here."""

    def __init__(self, state: State, seat: int, level: Sampling, rng: Random) -> None:
        super().__init__(state, seat, level, rng)
        self._errors: list[hand.Error] = []
        self._is_steady = state.hand == hand.STEADY
        self._luck = 0 if self._is_steady else 1

    def _worth(self, state: State) -> float:
        if state.loser:
            return float(state.loser != self.seat)
        up, flicks = prospects.next_up(state)
        armies = [prospects.FEWEST + prospects.army_value(state, seat) for seat in (up, other(up))]
        shot, danger = (math.sqrt(closing.best_shot(state, seat)) for seat in (up, other(up)))
        lead = ARMY * math.log(armies[0] / armies[1]) + SHOT * shot + DANGER * danger + FLICKS * (flicks - 1)
        chance = min(prospects.SURE, max(1 - prospects.SURE, from_logit(lead)))
        return chance if up == self.seat else 1 - chance

    def _flicking(self, names: list[str]) -> Iterator[Weighed]:
        before = self._worth(ended(self.state))
        best = self._raced(self._first_aims(names), before)[: self.search.finalists]
        weighed = [(one.mean(before, self._luck) * (1 - self._surprise(one)), one.aim) for one in best]
        if weighed:
            worth, aim = max(weighed, key=lambda one: one[0])
            yield worth, self._made(aim)

    def _attackers(self, state: State) -> list[str]:
        """Return the bricks that threaten the own King, also from close, the most dangerous first."""
        king = king_of(self.seat, state)
        found = [(closing.shot(state.poses, name, king), name) for name in flickable(state, other(self.seat))]
        return [name for chance, name in sorted(found, reverse=True) if chance > THREATENS]

    def _frozen(self, after: State) -> Iterator[tuple[State, Freeze]]:
        """Yield the positions in which a Freeze lies on a brick that threatens the King."""
        unused = settable_freezes(after, self.seat)
        for name in self._attackers(after)[:GUNS] if unused else ():
            at = after.poses[name]
            yield frozen(after, unused[0], name), Freeze(unused[0], round(at.x, 1), round(at.y, 1), 0.0)

    # The race

    def _raced(self, aims: list[Flick], before: float) -> list[Entrant]:
        """Return the aims with what they led to, the best first. Each round has half as many and tries twice as often.

        An aim that was left behind comes back when others turn out to be worse.
        """
        field = [Entrant(aim) for aim in aims]
        left, keep, times = self.search.flicks, len(field), 1
        while left > 0 and field:
            for one in field[:keep]:
                tries = min(times, left)
                left -= tries
                for _ in range(tries):
                    self._run(one)
            field = sorted((one for one in field if one.worths), key=lambda one: -one.mean(before, self._luck))
            if self._is_steady:
                break
            is_first = keep == len(aims)
            keep, times = (max(FEWEST, keep // KEPT), 1) if is_first else (max(FEWEST, keep // 2), 2 * times)
        return field

    def _run(self, one: Entrant) -> None:
        """Let the hand make a flick once more: the first hand is the same for all aims, and so on."""
        made = self._shaken(self._with_error(one.aim, len(one.worths)))
        rest = _rest(self.state, made, one.aim)
        if rest is not None:
            after = self._at_its_end(self._after(made, rest))
            one.worths.append(self._worth(after))
            one.afters.append(after)

    def _with_error(self, aim: Flick, number: int) -> Flick:
        if self._is_steady:
            return aim
        while len(self._errors) <= number:
            self._errors.append(hand.Error(*(self.rng.gauss(0, 1) for _ in hand.Error._fields)))
        return hand.shifted(aim, *self._errors[number])

    # The opponent's answer

    def _surprise(self, one: Entrant) -> float:
        """Return how much likelier the opponent's flicks bring the King down than their fitted chance says."""
        enemy, king = other(self.seat), king_of(self.seat, self.state)
        open_ = [after for after in one.afters if not after.is_over and prospects.next_up(after)[0] == enemy]
        guess, falls, tried = 0.0, 0, 0
        for number in range(self.search.replies if open_ else 0):
            after = open_[number % len(open_)]
            shots = self._shots_at(after, king)
            if not shots:
                continue
            shot = shots[int(len(shots) * self.rng.random())]
            rest = _rest(after, self._trembled(shot), shot)
            falls += rest is not None and any(king in fell for fell in rest.fell) and not infraction(shot, rest)
            guess += closing.best_shot(after, enemy)
            tried += 1
        if not tried:
            return 0.0
        guess /= tried
        seen = (falls + GUESSED * guess) / (tried + GUESSED)
        return max(0.0, seen - guess) * len(open_) / len(one.afters)

    def _shots_at(self, after: State, king: str) -> list[Flick]:
        """Return flicks of the opponent at the own King: of the nearest bricks, one on a free way and any other."""
        enemy = other(self.seat)
        mine = flickable(after, enemy)
        near = sorted(mine, key=lambda name: aiming.way(after.poses[name], after.poses[king]).length)[:SHOOTERS]
        close = [name for name in near if closing.is_close(after.poses, name, king)]
        shots = [aim for name in close for aim in islice(closing.aims(after.poses, name, king), ROOM)]
        return shots + aiming.flicks(after, enemy, mine, 2, self.rng, at_king=1.0)

    # The aims

    def _first_aims(self, names: list[str]) -> list[Flick]:
        """Return straight shots at the King, and aims at guns, beside the King, into the castle and anywhere."""
        state, count = self.state, self.search.samples
        aims = self._straight(names)[: max(2, round(STRAIGHT * count))]
        if guns := self._attackers(state)[:GUNS]:
            aims += self._at_guns(names, guns)[: max(2, round(AT_GUNS * count))]
        aims += self._slides(names, self._spots_by_king(), round(APPROACHES * count))
        assassins = [name for name in names if state.bricks[name].kind == ASSASSIN]
        aims += self._slides(assassins, self._spots_in_castle(), round(AT_CASTLE * count))
        aims += aiming.flicks(state, self.seat, names, round(AT_KING * count), self.rng, at_king=1.0)
        aims += aiming.flicks(state, self.seat, names, max(2, count - len(aims)), self.rng, at_king=0.2)
        return list(dict.fromkeys(aims))[:count]

    def _straight(self, names: list[str]) -> list[Flick]:
        """Return shots at the King on a free way, or from close, the likeliest first."""
        poses, king, weights = self.state.poses, king_of(other(self.seat), self.state), fitted().hit
        tries = (one for name in names for one in hits.tries(poses, name, king))
        likely = [(from_logit(weighted(one.known, weights)), one.flick) for one in tries]
        for name in names:
            if closing.is_close(poses, name, king):
                chance = closing.shot(poses, name, king)
                likely += [(chance, aim) for aim in islice(closing.aims(poses, name, king), ROOM)]
        return [flick for chance, flick in sorted(likely, key=lambda one: -one[0]) if chance > HOPE]

    def _at_guns(self, names: list[str], guns: list[str]) -> list[Flick]:
        """Return flicks at bricks that threaten the own King, on free ways, the nearest first: soft and hard ones."""
        poses, found = self.state.poses, list[Flick]()
        ways = ((aiming.way(poses[name], poses[gun]), name, gun) for name in names for gun in guns)
        for way, name, gun in sorted(ways):
            if aiming.in_the_way(poses, name, gun):
                continue
            turn = math.radians(way.direction)
            fall = aiming.to_edge(poses[gun], math.cos(turn), math.sin(turn))
            hard = HARDER * aiming.speed_to_fell(way.length, fall)
            soft = math.sqrt(2 * geometry.SLOWS * (way.length + FARTHER) / 1000)
            for speed in (soft, hard):
                aimed = round(min(aiming.FULL, speed), 2)
                flick = Flick(name, round(way.direction, 1) % 360, aimed, 0.0, 0.0, geometry.FOLLOW[2])
                if aiming.is_clean(poses, flick):
                    found.append(flick)
        return found


def _rest(state: State, made: Flick, aim: Flick) -> Rest | None:
    """Return how all comes to rest after a flick, or None if it cannot be made."""
    try:
        return physics.flicked(state.poses, made, is_filmed=False, aimed=aim)
    except FingerBlocked:
        return None
