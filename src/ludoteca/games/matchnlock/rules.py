"""The rules of Match'n Lock!, docs/rules/matchnlock.md. The wedges, the circles and their locks are in circles.py."""

import numpy as np

from ludoteca.core.compiler import compiled, inlined
from ludoteca.core.kernel import BY_LOT, CHANCE, OVER
from ludoteca.games.matchnlock.circles import CELL, COLOURS, HOLES, WIDTH, is_locked, lock_circles, move_hole, turned

SEATS = 4
LOCKS = 20  # ML-4
LEAST_TOKENS, MOST_TOKENS = HOLES, 96  # in a set: the bag must last until the board is full
IDLE_ROUNDS = 4  # ML-26
HIDDEN = False

# A player's move is a hole and an action there, or a draw.
PLACES, CLOCKWISE, ANTICLOCKWISE, DECLARES, DRAW = range(0, 5 * HOLES, HOLES)
MAX_MOVES = DRAW + 1
TOKENS = MAX_MOVES  # + token: chance draws it from the bag
MAX_COUNT = 2 * HOLES + 2

NOTHING = -1
DRAW_LOTS, TURN, DRAWING, PLACING, REPLACING = range(5)  # phases

Options = np.dtype(
    [
        ("players", np.int32),
        ("start", np.int32),
        ("colour", np.int32, SEATS),
        ("n_tokens", np.int32),
        ("printed", np.uint16, MOST_TOKENS),
        ("value", np.uint8, MOST_TOKENS),
    ],
    align=True,
)

State = np.dtype(
    [
        ("board", np.uint16, WIDTH * WIDTH),  # tokens as they lie, 0 for an empty hole
        ("lock", np.uint8, WIDTH * WIDTH),  # by the cell of its lower left token: a closed circle's colour + 1
        ("token", np.uint8, HOLES),  # by hole: which token of the set lies there
        ("holes", np.uint8, HOLES),  # first the empty holes, then the loose tokens, then the locked ones ...
        ("where", np.uint8, HOLES),  # ... and the place of each hole in that list
        ("bag", np.uint8, MOST_TOKENS),  # first the tokens in the bag, then the others ...
        ("in_bag", np.uint8, MOST_TOKENS),  # ... and the place of each token in that list
        ("value", np.uint8, MOST_TOKENS),
        ("printed", np.uint16, MOST_TOKENS),
        ("n_tokens", np.int32),
        ("n_bag", np.int32),
        ("n_empty", np.int32),
        ("n_loose", np.int32),
        ("phase", np.int32),
        ("actor", np.int32),
        ("seat", np.int32),  # whose turn it is, or who draws a lot
        ("players", np.int32),
        ("in_hand", np.int32),  # the drawn token, or NOTHING
        ("target", np.int32),  # the hole whose token is replaced, or NOTHING
        ("idle", np.int32),  # turns in a row with neither a placement nor a closed circle
        ("tied", np.int32),  # the seats that draw lots, as bits
        ("lot", np.int32, SEATS),  # the value of each seat's last lot
        ("last_turn", np.int32, SEATS),  # the seat's rotation on its last turn, or NOTHING ...
        ("turn_before", np.int32, SEATS),  # ... and on the turn before
        ("colour", np.int32, SEATS),  # the colour of each seat
        ("points", np.int32, COLOURS),
        ("locks", np.int32, COLOURS),  # locks left
    ],
    align=True,
)


@compiled
def start(state, options):
    state.board[:] = 0
    state.lock[:] = 0
    state.token[:] = 0
    for hole in range(HOLES):
        state.holes[hole] = hole
        state.where[hole] = hole
    for token in range(MOST_TOKENS):
        state.bag[token] = token
        state.in_bag[token] = token
    state.value[:] = options.value
    state.printed[:] = options.printed
    state.n_tokens = options.n_tokens
    state.n_bag = options.n_tokens
    state.n_empty = HOLES
    state.n_loose = 0
    state.players = options.players
    state.in_hand = NOTHING
    state.target = NOTHING
    state.idle = 0
    state.tied = (1 << options.players) - 1
    state.lot[:] = 0
    state.last_turn[:] = NOTHING
    state.turn_before[:] = NOTHING
    state.colour[:] = options.colour
    state.points[:] = 0
    state.locks[:] = LOCKS
    state.seat = 0
    state.phase = DRAW_LOTS
    state.actor = CHANCE
    if options.players == 1:
        begin(state, 0)
    elif options.start != BY_LOT:
        begin(state, options.start)


@compiled
def count(state):
    if state.actor == OVER:
        return 0
    if state.actor == CHANCE:
        return state.n_bag
    if state.phase == PLACING:
        return state.n_empty
    if must_draw(state):
        return 1
    return 1 + 2 * state.n_loose + (stalemate_hole(state) != NOTHING)


@compiled
def move_at(state, k):
    if state.actor == CHANCE:
        return TOKENS + int(state.bag[k])
    if state.phase == PLACING:
        return PLACES + int(state.holes[k])
    if k == 0:
        return DRAW
    k -= 1
    if k < state.n_loose:
        return CLOCKWISE + int(state.holes[state.n_empty + k])
    k -= state.n_loose
    if k < state.n_loose:
        return ANTICLOCKWISE + int(state.holes[state.n_empty + k])
    return DECLARES + stalemate_hole(state)


@compiled
def is_legal(state, move):
    """Return whether `moves` lists this move of a player, without listing all moves."""
    if state.actor < 0 or move < 0 or move >= MAX_MOVES:
        return False
    hole = move & HOLES - 1
    if state.phase == PLACING:
        return move < CLOCKWISE and state.where[hole] < state.n_empty
    if move == DRAW:
        return True
    if move < CLOCKWISE or must_draw(state):
        return False
    if move >= DECLARES:
        return stalemate_hole(state) == hole
    return state.where[hole] >= state.n_empty and not is_locked(state, hole)


@compiled
def chance_run(state):
    """Return the number of outcomes in the table's next entry: the lots of all tied seats are one entry."""
    if state.phase != DRAW_LOTS:
        return 1
    n = 0
    for seat in range(state.players):
        n += state.tied >> seat & 1
    return n


@compiled
def play(state, move):
    if move < CLOCKWISE:
        place(state, move - PLACES)
    elif move < DECLARES:
        rotate(state, move)
    elif move < DRAW:
        state.target = move - DECLARES
        state.phase = REPLACING
        state.actor = CHANCE
    elif move == DRAW:
        state.phase = DRAWING
        state.actor = CHANCE
    else:
        take(state, move - TOKENS)
        if state.phase == DRAWING:  # ML-12: it is visible now, and must be placed
            state.in_hand = move - TOKENS
            state.phase = PLACING
            state.actor = state.seat
        elif state.phase == REPLACING:
            replace(state, move - TOKENS)
        else:
            draw_lot(state, move - TOKENS)


@compiled
def draw_lot(state, token):
    """ML-10: the next seat draws a lot. After the last lot the highest begins, or the tied seats draw again."""
    state.lot[state.seat] = int(state.value[token])
    seat = next_tied(state, state.seat + 1)
    if seat < state.players:
        state.seat = seat
        return
    highest, leaders, n = -1, 0, 0
    for seat in range(state.players):
        if state.tied >> seat & 1:
            if state.lot[seat] > highest:
                highest, leaders, n = state.lot[seat], 0, 0
            if state.lot[seat] == highest:
                leaders |= 1 << seat
                n += 1
    state.tied = leaders
    state.seat = next_tied(state, 0)
    if n == 1:
        begin(state, state.seat)
    elif state.n_bag < n:
        state.n_bag = state.n_tokens


@compiled
def next_tied(state, seat):
    """Return the first seat from this one on that draws a lot, or a number past the last seat."""
    while seat < state.players and not state.tied >> seat & 1:
        seat += 1
    return seat


@compiled
def begin(state, seat):
    state.n_bag = state.n_tokens  # ML-10: the lots go back
    state.seat = seat
    state.phase = TURN
    state.actor = seat


@inlined
def move_token(state, token, place):
    """Swap a token in the list of the bag with the token at this place."""
    other, own = state.bag[place], state.in_bag[token]
    state.bag[own], state.in_bag[other] = other, own
    state.bag[place], state.in_bag[token] = token, place


@compiled
def take(state, token):
    """Take a token out of the bag."""
    state.n_bag -= 1
    move_token(state, token, state.n_bag)


@compiled
def place(state, hole):
    """ML-12, ML-27: place the drawn token in a hole."""
    state.n_empty -= 1
    move_hole(state, hole, state.n_empty)
    state.n_loose += 1
    lay(state, state.in_hand, hole)
    state.in_hand = NOTHING
    lock_circles(state, hole)
    end_turn(state, NOTHING, True)


@inlined
def rotate(state, move):
    """ML-14: rotate a token."""
    hole = move & HOLES - 1
    cell = CELL[hole]
    state.board[cell] = turned(int(state.board[cell]), 1 if move < ANTICLOCKWISE else 3)
    end_turn(state, move, lock_circles(state, hole) > 0)


@compiled
def replace(state, token):
    """ML-24: the new token is out of the bag already; the old one goes back, and its history is forgotten."""
    hole = state.target
    move_token(state, int(state.token[hole]), state.n_bag)
    state.n_bag += 1
    for seat in range(state.players):
        if state.last_turn[seat] != NOTHING and state.last_turn[seat] & HOLES - 1 == hole:
            state.last_turn[seat] = NOTHING
        if state.turn_before[seat] != NOTHING and state.turn_before[seat] & HOLES - 1 == hole:
            state.turn_before[seat] = NOTHING
    state.target = NOTHING
    lay(state, token, hole)
    end_turn(state, NOTHING, lock_circles(state, hole) > 0)


@compiled
def quarters(state, seat):
    """ML-9, ML-13: return where a seat sits, in quarter turns from the south: its tokens are turned by as many."""
    return 2 * seat if state.players == 2 else seat


@compiled
def lay(state, token, hole):
    """ML-13: lay a token upright for the player to move."""
    state.token[hole] = token
    state.board[CELL[hole]] = turned(int(state.printed[token]), quarters(state, state.seat))


@inlined
def end_turn(state, rotation, progress):
    seat = state.seat
    state.turn_before[seat] = state.last_turn[seat]
    state.last_turn[seat] = rotation
    state.idle = 0 if progress else state.idle + 1
    seat += 1
    if seat == state.players:
        seat = 0
    state.seat = seat
    state.phase = TURN
    state.actor = seat if state.n_empty > 0 else OVER


@inlined
def must_draw(state):
    """ML-26: return whether the seat must draw. ML-29: a player alone always must."""
    return state.players == 1 or state.idle >= IDLE_ROUNDS * state.players


@inlined
def insistence(state, seat):
    """Return the rotation that the seat made on both of its last two turns, or NOTHING."""
    last = state.last_turn[seat]
    return last if last == state.turn_before[seat] else NOTHING


@inlined
def stalemate_hole(state):
    """ML-23: return the hole whose token is in stalemate between the seat to move and another, or NOTHING."""
    mine = insistence(state, state.seat)
    if mine == NOTHING or is_locked(state, mine & HOLES - 1):
        return NOTHING
    opposite = mine + HOLES if mine < ANTICLOCKWISE else mine - HOLES
    for seat in range(state.players):
        if insistence(state, seat) == opposite:
            return mine & HOLES - 1
    return NOTHING


@compiled
def winners(state, out):
    """ML-28: return the seats with the most points, as bits. ML-31: a player alone must beat all other colours."""
    best, won, everything = -1, 0, 0
    for colour in range(COLOURS):
        everything += state.points[colour]
    for seat in range(state.players):
        if not out >> seat & 1:
            points = state.points[state.colour[seat]]
            if points > best:
                best, won = points, 0
            if points == best:
                won |= 1 << seat
    return 0 if state.players == 1 and 2 * best <= everything else won
