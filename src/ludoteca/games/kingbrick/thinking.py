"""How a bot chooses one move: it tries flicks in the physics and judges other moves by rules of thumb."""

import math
from collections.abc import Iterable, Iterator
from itertools import chain
from random import Random

from ludoteca.games.kingbrick import aiming, geometry, hand, measuring, physics, rules, sampling
from ludoteca.games.kingbrick.aftermath import infraction
from ludoteca.games.kingbrick.bricks import ALL_KINDS, KING, MEDIC
from ludoteca.games.kingbrick.geometry import BRICK, Pose, standing
from ludoteca.games.kingbrick.judging import FALL, FOUL, escape, threat, value, worth
from ludoteca.games.kingbrick.levels import Sampling
from ludoteca.games.kingbrick.notation import End, Freeze, Heal, Hide, Move, Place, Strike
from ludoteca.games.kingbrick.physics import FingerBlocked, Flick, Rest
from ludoteca.games.kingbrick.refusals import Refusal
from ludoteca.games.kingbrick.state import (
    BOARD,
    OUT,
    Brick,
    Shot,
    State,
    flickable,
    hiders,
    king_of,
    of_kind,
    other,
    second_flick,
    settable_freezes,
    strikers,
    targets,
)

SPOTS = 16  # looked at when a brick is to be placed
CHECKED = 4  # of them, whether they stay
TEMPO = 4.0  # the worth of a turn
PATIENCE = 60  # turns after which a bot does not wait any more
RELIEF = 0.15  # danger that a Freeze must take away

Weighed = tuple[float, Move]


class Thought:
    """The choice of a seat that is to move, at some level."""

    def __init__(self, state: State, seat: int, level: Sampling, rng: Random) -> None:
        self.state, self.seat, self.level, self.rng = state, seat, level, rng
        self.caution = level.foresight * max(0.0, 1 - state.now.number / PATIENCE)

    def move(self) -> Move:
        if self.state.placements:
            return self._placed(self.state.placements[0].brick)
        if not self.state.now.flicks:
            return self._finishing()
        freezing = self._freezing()
        if freezing:
            return freezing
        weighed = [*self._flicking(self._soldiers()), *self._instead()]
        return max(weighed, key=lambda one: one[0])[1] if weighed else self._anything()

    def _worth(self, state: State) -> float:
        return worth(state, self.seat, self.caution)

    # Flicking

    def _soldiers(self) -> list[str]:
        """Return the bricks to flick: the King only when it is alone."""
        mine = flickable(self.state, self.seat)
        return [name for name in mine if self.state.bricks[name].kind != KING] or mine

    def _flicking(self, names: list[str]) -> Iterator[Weighed]:
        """Yield the best flick that was tried, as this level aims it."""
        best = self._best_flicks(names)
        if self.level.finalists:
            best = _sorted([(self.expected(flick), flick) for _, flick in best[: self.level.finalists]])
        for expected, flick in best[:1]:
            yield expected, self._made(flick)

    def _best_flicks(self, names: list[str]) -> list[tuple[float, Flick]]:
        """Return flicks, the best first. A level with finalists searches twice: everywhere, then near the best ones."""
        level, tried = self.level, list[tuple[float, Flick]]()
        first = level.samples // 2 if level.finalists else level.samples
        for flick in aiming.flicks(self.state, self.seat, names, first, self.rng):
            tried.append((self._tried(flick), flick))
        best = _sorted(tried)
        for number in range(level.samples - first if best else 0):
            _, like = best[number % min(level.finalists, len(best))]
            flick = aiming.varied(like, self.rng)
            tried.append((self._tried(flick), flick))
        return _sorted(tried)

    def _tried(self, flick: Flick) -> float:
        """Return the worth of a flick without any error. A foul is never intended."""
        rest = _rest(self.state, flick)
        if rest is None or infraction(flick, rest):
            return -math.inf
        return self._worth(self._after(flick, rest))

    def _after(self, flick: Flick, rest: Rest) -> State:
        moving = rules.play_seat(self.state, self.seat, flick).but(moving=Shot(flick, flick))
        return rules.play_table(moving, rest)

    def expected(self, flick: Flick) -> float:
        """Return the average worth of a flick as this hand makes it, after the opponent's answer."""
        values = []
        for _ in range(self.level.repeats):
            shaken = self._trembled(self._shaken(flick))
            rest = _rest(self.state, shaken)
            if rest is not None:
                after = self._after(shaken, rest)
                values.append(self._worth(after) - FOUL * bool(infraction(shaken, rest)) - self._answered(after))
        return sum(values) / len(values) if values else -math.inf

    def _answered(self, after: State) -> float:
        """Return what the opponent's flicks at the King would cost."""
        enemy, king = other(self.seat), king_of(self.seat, self.state)
        if not self.level.replies or after.is_over:
            return 0.0
        replies = aiming.flicks(after, enemy, flickable(after, enemy), self.level.replies, self.rng, at_king=1.0)
        rests = [rest for rest in (_rest(after, reply) for reply in replies) if rest]
        hits = sum(king in chain(*rest.fell) for rest in rests)
        return self.caution * FALL * min(1.0, 2 * hits / self.level.replies)

    def _made(self, flick: Flick) -> Flick:
        for _ in range(CHECKED):
            shaken = self._shaken(flick)
            if self._is_admitted(shaken):
                return shaken
        return flick

    def _shaken(self, flick: Flick) -> Flick:
        least, most = geometry.SPEED
        speed = flick.speed * (1 + self.rng.gauss(0, self.level.force))
        direction = (flick.direction + self.rng.gauss(0, self.level.shake)) % 360
        return flick._replace(direction=round(direction, 1) % 360, speed=round(min(max(speed, least), most), 2))

    def _trembled(self, flick: Flick) -> Flick:
        """Return the flick as the table's draw may make it (KB-52)."""
        if self.state.hand == hand.STEADY:
            return flick
        return hand.shifted(flick, *(self.rng.gauss(0, 1) for _ in hand.Error._fields))

    # Instead of flicking

    def _instead(self) -> Iterator[Weighed]:
        """Yield moves other than flicks. Only levels that look ahead consider them."""
        if self.level.foresight < 1:
            return
        wait = TEMPO * (1 + self.state.now.number / PATIENCE)
        for name, why, _ in rules.placeable(self.state, self.seat):
            spots = self._near_enemy() if why == rules.REVEAL else self._at_home(why == rules.BLINKS)
            for expected, place in self._best_places(name, spots):
                yield expected - wait, place
        medics, hurt = of_kind(self.state, MEDIC, self.seat), rules.healable(self.state, self.seat)
        if medics and hurt:
            yield self._healing(medics[0], hurt)

    def _best_places(self, name: str, spots: Iterable[tuple[float, float]]) -> Iterator[Weighed]:
        """Yield the best spot that the rules and the physics allow."""
        weighed = sorted(((self._worth(self._with(name, standing(x, y, 0, 1))), x, y) for x, y in spots), reverse=True)
        for expected, x, y in weighed[:CHECKED]:
            place = Place(name, round(x, 1), round(y, 1), 0.0, 1)
            if self._is_admitted(place):
                yield expected - self._answered(self._with(name, standing(x, y, 0, 1))), place
                return

    def _with(self, name: str, at: Pose) -> State:
        brick = self.state.bricks[name]
        return self.state.but(bricks={**self.state.bricks, name: Brick(brick.kind, brick.side, BOARD, at)})

    def _at_home(self, is_anywhere: bool = False) -> list[tuple[float, float]]:
        x, y, width, length = geometry.castle(self.seat)
        if is_anywhere:
            x, y, width, length = 2 * x, y - 0.4 * length, 2 * width, 1.8 * length
        spots = ((x + width * self.rng.random(), y + length * self.rng.random()) for _ in range(SPOTS))
        return [spot for spot in spots if self._is_free(*spot)]

    def _near_enemy(self) -> list[tuple[float, float]]:
        """Return free spots around the other King."""
        king = self.state.poses[king_of(other(self.seat), self.state)]
        spots = []
        for _ in range(SPOTS):
            turn, far = 2 * math.pi * self.rng.random(), 75 + 75 * self.rng.random()
            spots.append((king.x + far * math.cos(turn), king.y + far * math.sin(turn)))
        return [spot for spot in spots if self._is_free(*spot)]

    def _is_free(self, x: float, y: float) -> bool:
        return all(math.hypot(at.x - x, at.y - y) > 1.5 * BRICK for at in self.state.poses.values())

    def _healing(self, medic: str, hurt: list[str]) -> Weighed:
        chosen: list[str] = []
        points, gain = 0, -value(MEDIC)
        kinds = {name: self.state.bricks[name].kind for name in hurt}
        for name in sorted(hurt, key=lambda name: -escape(kinds[name])):
            cost = ALL_KINDS[kinds[name]].cost
            if points + cost <= rules.HEALING:
                chosen, points, gain = [*chosen, name], points + cost, gain + escape(kinds[name])
        return self._worth(self.state) + gain, Heal(medic, tuple(chosen))

    # Before and after it

    def _freezing(self) -> Freeze | None:
        """Return a Freeze on the brick that threatens the King most, if that helps enough."""
        unused = settable_freezes(self.state, self.seat)
        if self.level.foresight < 1 or not unused:
            return None
        now, enemy = threat(self.state, other(self.seat)), other(self.seat)
        best = None
        for name in flickable(self.state, enemy):
            at = self.state.poses[name]
            frozen = self._with(unused[0], standing(at.x, at.y, 0, 1, at.z + BRICK))
            relief = now - threat(frozen, enemy)
            if relief > (best[0] if best else RELIEF):
                best = relief, Freeze(unused[0], round(at.x, 1), round(at.y, 1), 0.0)
        return best[1] if best and self._is_admitted(best[1]) else None

    def _finishing(self) -> Move:
        freezing = self._freezing()
        if freezing:
            return freezing
        weighed: list[Weighed] = [(self._worth(self.state), End())]
        for name in strikers(self.state, self.seat):
            weighed += [
                (self._worth(self.state.with_bricks([target], OUT)) + TEMPO, Strike(name, target))
                for target in targets(self.state, self.seat)
            ]
        for name in hiders(self.state, self.seat):
            if aiming.in_the_way(self.state.poses, name, king_of(other(self.seat), self.state)):
                weighed.append((self._worth(self.state) + 1, Hide(name)))
        knight = second_flick(self.state)
        if knight:
            weighed += self._flicking([knight])
        return max(weighed, key=lambda one: one[0])[1]

    def _placed(self, name: str) -> Place:
        """Return where a brick that is due in the castle shields the King best."""
        for _, place in self._best_places(name, self._at_home()):
            assert isinstance(place, Place)
            return place
        there = {one: at for one, at in self.state.poses.items() if one != name}
        return Place(name, *measuring.nearest_spot(there, name, self.seat), 0.0, 1)

    def _is_admitted(self, move: Move) -> bool:
        try:
            rules.play_seat(self.state, self.seat, move)
            measuring.admit(self.state, self.seat, move)
        except Refusal:
            return False
        return True

    def _anything(self) -> Move:
        return sampling.drawn(self.state, self.seat, self.rng)


def _sorted(tried: list[tuple[float, Flick]]) -> list[tuple[float, Flick]]:
    return sorted((one for one in tried if one[0] > -math.inf), key=lambda one: -one[0])


def _rest(state: State, flick: Flick) -> Rest | None:
    """Return how all comes to rest after a flick, or None if it cannot be made."""
    try:
        return physics.flicked(state.poses, flick, is_filmed=False)
    except FingerBlocked:
        return None
