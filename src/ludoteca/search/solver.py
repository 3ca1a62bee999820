# mypy: ignore-errors
# ruff: noqa: F821
"""Exact results of endings, for every kernel without secrets: a search of all moves to the end of the match.

The search proves a result or gives up when it has looked at a given number of positions. What it proves:

- One or two sides: the payoff of the seat that asks if both sides play perfectly. Alpha-beta; draws of chance count
  with their exact odds, and each gets the window that still matters (Star1).
- More sides (everyone.py): the payoffs if every seat plays for its own payoff. Of moves that are equally good for
  themselves, the other seats choose what is worst for the seat that asks.

If something is hidden in a game (HIDDEN), nothing is proved: later draws are secret too, and a proof that looks at all
cards would use what the seat does not know.

A move that wins clearly is better than a move that just wins. So, between two sides and where no chance is left, a
second search looks for the largest margin among the results, by the guide's `value` at the end of the match.

A game's ending.py may have these compiled functions, with seats that count from 0:

- `is_ending(state)` returns whether a proof is worth a try. It must be cheap: a bot asks before every move.
- `bounds(state, seat)` returns payoffs (low, high): whatever is played, the seat's payoff will be between them.
- `exact_key(state)` returns a uint64 that is equal only for positions with the same future: same moves, same payoffs,
  same margins. The lookahead's `key` may be less exact. Without `exact_key` all bytes of the state count.

The guide's `rank` decides which moves are looked at first. Moves that it leaves out come last.
"""

from typing import NamedTuple

import numpy as np

from ludoteca.core.kernel import CHANCE, OVER, Rules
from ludoteca.core.random import mixed
from ludoteca.search import everyone
from ludoteca.search.everyone import NO_MOVE, PLIES, ROUNDING
from ludoteca.search.playouts import CHANCE_FUNCTIONS

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
WORST, BEST = -1.0, 1.0  # payoffs
TABLE_BITS = 17
MARGIN_SHARE = 4  # the search for the largest margin may look at the limit divided by this
UNRANKED = -1e30  # the rank of a move that the guide's `rank` leaves out
U = np.uint64
FIRST_MARK = U(0x2545F4914F6CDD1D)

# One ply of the path. Numba cannot cache a function that calls itself, so the search keeps its own stack.
Frame = np.dtype(
    [
        ("who", np.int32),  # the seat that acts here, or CHANCE
        ("count", np.int32),  # number of moves, or of outcomes
        ("tried", np.int32),
        ("maximises", np.int32),
        ("move", np.int32),  # the best move so far, or NO_MOVE if none was better than alpha
        ("alpha", np.float64),  # the window at the beginning ...
        ("beta", np.float64),
        ("low", np.float64),  # ... and now; at chance: the window of the outcome that is tried
        ("high", np.float64),
        ("best", np.float64),  # at chance: the sum of values times weights
        ("weight", np.float64),  # at chance: the weight of all outcomes ...
        ("left", np.float64),  # ... and of those after the one that is tried
        ("mark", np.uint64),
    ],
    align=True,
)


class Desk(NamedTuple):
    """The working memory of a proof."""

    pool: np.ndarray  # states by ply
    words: np.ndarray  # the same memory as numbers
    frames: np.ndarray  # by ply
    moves: np.ndarray  # by ply: all moves
    ranks: np.ndarray
    listed: np.ndarray  # what the guide's `rank` writes
    merits: np.ndarray
    place: np.ndarray  # by move: its place in `moves`
    payoffs: np.ndarray  # by seat: of the end that was reached
    best: np.ndarray  # by ply and seat: the best payoffs (everyone.py)
    worth: np.ndarray  # by seat: the payoffs of the position that was just settled, and at last of the root
    seen: np.ndarray  # the positions that this search has settled
    search: np.ndarray  # one element: the number of this search, so that `seen` need not be cleared
    looked: np.ndarray  # positions looked at: in this proof, and in all proofs


def new_desk(rules: Rules, table_bits: int = TABLE_BITS) -> Desk:
    states = np.zeros(PLIES + 1, rules.State)
    word = np.uint64 if rules.State.itemsize % 8 == 0 else np.uint8
    seen = np.dtype(
        [
            ("key", np.uint64),
            ("values", np.float64, rules.SEATS),  # the first one alone where two sides play
            ("bound", np.int32),
            ("search", np.int32),
        ],
        align=True,
    )
    return Desk(
        states.view(np.recarray),
        states.view(word).reshape(PLIES + 1, -1),
        np.zeros(PLIES + 1, Frame).view(np.recarray),
        np.zeros((PLIES + 1, rules.MAX_COUNT), np.int32),
        np.zeros((PLIES + 1, rules.MAX_COUNT), np.float32),
        np.zeros(rules.MAX_COUNT, np.int32),
        np.zeros(rules.MAX_COUNT, np.float32),
        np.zeros(rules.MAX_MOVES, np.int32),
        np.zeros(rules.SEATS, np.float32),
        np.zeros((PLIES + 1, rules.SEATS)),
        np.zeros(rules.SEATS),
        np.zeros(1 << table_bits, seen).view(np.recarray),
        np.zeros(1, np.int32),
        np.zeros(2, np.int64),
    )


def is_ending(state):
    """Return True: without an ending.py a proof is always tried."""
    return True


def bounds(state, seat):
    """Return the bounds of every payoff."""
    return WORST, BEST


def mark_of(desk, ply):
    """Return a number that is equal only for positions with the same future."""
    if HAS_KEY:
        return exact_key(desk.pool[ply])
    mark = FIRST_MARK
    for word in desk.words[ply]:
        mark = mixed(mark ^ U(word))
    return mark


def list_moves(desk, ply):
    """Write all moves of this ply and their ranks. Return their number."""
    state, listed, ranks = desk.pool[ply], desk.moves[ply], desk.ranks[ply]
    n = moves(state, listed)
    if HAS_RANK:
        if n > 1:
            for k in range(n):
                desk.place[listed[k]] = k
                ranks[k] = UNRANKED
            for i in range(rank(state, desk.listed, desk.merits)):
                ranks[desk.place[desk.listed[i]]] = desk.merits[i]
    else:
        ranks[:n] = 0.0
    return n


def step_down(desk, ply):
    """Play the best move that is not tried yet, or the next outcome of chance, on the state of the next ply."""
    state, frame = desk.pool[ply], desk.frames[ply]
    if frame.who == CHANCE:
        move = move_at(state, frame.tried)
    else:
        listed, ranks, now = desk.moves[ply], desk.ranks[ply], frame.tried
        chosen = now
        for k in range(now + 1, frame.count):
            if ranks[k] > ranks[chosen]:
                chosen = k
        listed[now], listed[chosen] = listed[chosen], listed[now]
        ranks[now], ranks[chosen] = ranks[chosen], ranks[now]
        move = int(listed[now])
    desk.pool[ply + 1] = state
    play(desk.pool[ply + 1], move)


def worth_at_end(desk, state, me, by_margin):
    """Return what the end of a match is worth to a seat: its payoff, or the guide's `value`."""
    if HAS_VALUE:  # noqa: SIM102 - the compiler drops a branch only if a constant alone decides it
        if by_margin:
            return np.float64(value(state, me))
    payoff(state, desk.payoffs)
    return np.float64(desk.payoffs[me])


def arrive(desk, ply, me, alpha, beta, by_margin):
    """Look at the position at this ply. Return (True, its value) if it is known at once; otherwise set up its frame.

    A value up to alpha may be too high, a value from beta on may be too low; between them it is exact.
    """
    state = desk.pool[ply]
    desk.looked[0] += 1
    who = actor(state)
    if who == OVER:
        return True, worth_at_end(desk, state, me, by_margin)
    if not by_margin:
        low, high = bounds(state, me)
        if low >= beta or low == high:
            return True, np.float64(low)
        if high <= alpha:
            return True, np.float64(high)
    mark = mark_of(desk, ply)
    seen = desk.seen[int(mark & U(len(desk.seen) - 1))]
    if seen.search == desk.search[0] and seen.key == mark:
        known = seen.values[0]
        if (
            seen.bound == EXACT
            or (seen.bound == AT_LEAST and known >= beta)
            or (seen.bound == AT_MOST and known <= alpha)
        ):
            return True, np.float64(known)
    frame = desk.frames[ply]
    frame.who = who
    frame.tried = 0
    frame.move = NO_MOVE
    frame.alpha = alpha
    frame.beta = beta
    frame.mark = mark
    if who == CHANCE:
        frame.count = count(state)
        frame.best = 0.0
        frame.weight = frame.left = total_weight(state)
        narrow(state, frame)
    else:
        frame.count = list_moves(desk, ply)
        frame.maximises = side(state, who) == side(state, me)
        frame.low, frame.high, frame.best = alpha, beta, -np.inf if frame.maximises else np.inf
    return False, 0.0


def narrow(state, frame):
    """Set the window of the next outcome of chance: outside of it, no later outcome can bring the mean back (Star1)."""
    weight = np.float64(weight_at(state, frame.tried))
    frame.left -= weight
    frame.low = max(WORST, (frame.alpha * frame.weight - frame.best - BEST * frame.left) / weight)
    frame.high = min(BEST, (frame.beta * frame.weight - frame.best - WORST * frame.left) / weight)


def hand_up(desk, ply, v):
    """Take the value of the tried move into the frame. Return (True, the frame's value) when that is settled."""
    frame = desk.frames[ply]
    if frame.who == CHANCE:
        return hand_up_chance(desk, ply, v)
    if frame.maximises:
        if v > frame.low:
            frame.low = v
            frame.move = desk.moves[ply, frame.tried]
        frame.best = max(frame.best, v)
    else:
        if v < frame.high:
            frame.high = v
            frame.move = desk.moves[ply, frame.tried]
        frame.best = min(frame.best, v)
    frame.tried += 1
    if frame.tried < frame.count and frame.low < frame.high:
        return False, 0.0
    best = frame.best
    keep(desk, frame, best, AT_MOST if best <= frame.alpha else AT_LEAST if best >= frame.beta else EXACT)
    return True, best


def hand_up_chance(desk, ply, v):
    """Take the value of an outcome into the mean. Settle it early when the mean is outside the window for sure.

    Rounding must not turn a bound into an exact value: so a value that is only a bound is never inside the window.
    """
    state, frame = desk.pool[ply], desk.frames[ply]
    low, high = frame.low, frame.high
    frame.best += v * weight_at(state, frame.tried)
    frame.tried += 1
    if v <= low and low > WORST:
        best = min(frame.alpha, (frame.best + BEST * frame.left) / frame.weight)
        keep(desk, frame, best, AT_MOST)
        return True, best
    if v >= high and high < BEST:
        best = max(frame.beta, (frame.best + WORST * frame.left) / frame.weight)
        keep(desk, frame, best, AT_LEAST)
        return True, best
    if frame.tried < frame.count:
        narrow(state, frame)
        return False, 0.0
    best = frame.best / frame.weight
    keep(desk, frame, best, EXACT)
    return True, best


def keep(desk, frame, best, bound):
    seen = desk.seen[int(frame.mark & U(len(desk.seen) - 1))]
    seen.search = desk.search[0]
    seen.key = frame.mark
    seen.values[0] = best
    seen.bound = bound


def search_sides(desk, root, me, alpha, beta, by_margin, limit):
    """Return whether the search came to its end within the limit, the root's value, and its best move.

    The move is NO_MOVE if no move is worth more than alpha.
    """
    desk.search[0] += 1
    desk.pool[0] = root
    ply = 0
    settled, v = arrive(desk, ply, me, alpha, beta, by_margin)
    desk.frames[0].move = NO_MOVE if settled else desk.frames[0].move
    while not settled or ply > 0:
        if settled:
            ply -= 1
            settled, v = hand_up(desk, ply, v)
        else:
            frame = desk.frames[ply]
            if desk.looked[0] >= limit or ply == PLIES or (by_margin and frame.who == CHANCE):
                return False, 0.0, NO_MOVE
            step_down(desk, ply)
            ply += 1
            settled, v = arrive(desk, ply, me, frame.low, frame.high, by_margin)
    return True, v, desk.frames[0].move


def n_sides(state):
    found = 0
    for seat in range(state.players):
        found |= 1 << side(state, seat)
    n = 0
    while found:
        found &= found - 1
        n += 1
    return n


def solve(desk, root, me, limit):
    """Return whether a result is proved within `limit` positions, the payoff of the seat `me`, and the best move.

    The payoffs of all seats are in desk.worth. The move is NO_MOVE if `me` does not act, and where all moves lose and
    their margins are not known.
    """
    desk.looked[0] = 0
    if HIDDEN:
        return False, 0.0, NO_MOVE
    acts = actor(root) == me
    if n_sides(root) > 2:
        proved, move = search_everyone(desk, root, me, limit)
        desk.looked[1] += desk.looked[0]
        return proved, desk.worth[me], move if acts and desk.worth[me] > WORST + ROUNDING else NO_MOVE
    proved, v, move = search_sides(desk, root, me, WORST, BEST, False, limit)
    if HAS_VALUE and proved and acts and abs(v) == BEST:
        low, high = (0.0, np.inf) if v > 0 else (-np.inf, 0.0)
        most = min(limit, desk.looked[0] + limit // MARGIN_SHARE)
        found, margin, clear = search_sides(desk, root, me, low, high, True, most)
        if found and clear != NO_MOVE and low < margin < high:
            move = clear
    desk.looked[1] += desk.looked[0]
    for seat in range(root.players):
        desk.worth[seat] = v if side(root, seat) == side(root, me) else -v
    return proved, v, move if acts else NO_MOVE


def proved_move(desk, root, limit):
    """Return the best move of the seat that acts, or NO_MOVE if none is proved to be better than the others."""
    if HIDDEN or not is_ending(root):
        return NO_MOVE
    return solve(desk, root, actor(root), limit)[2]


FUNCTIONS = (
    *CHANCE_FUNCTIONS,
    is_ending,
    bounds,
    mark_of,
    list_moves,
    step_down,
    worth_at_end,
    narrow,
    arrive,
    keep,
    hand_up_chance,
    hand_up,
    search_sides,
    n_sides,
    *everyone.FUNCTIONS,
    solve,
    proved_move,
)
