"""The rules of Pin Point, docs/rules/pinpoint.md. Colours are 0 to 3: red, yellow, green, blue."""

import numpy as np

from ludoteca.core.compiler import compiled, inlined, quotient
from ludoteca.core.kernel import BY_LOT, CHANCE, OVER

SEATS = 4
SIZE = 10
HOLES = SIZE * SIZE
WIDTH = SIZE + 2  # with a border one hole wide
COLOURS = 4
JOKERS = 4  # PP-19
HIDDEN = False

# A move puts a pin in a hole: as a plain pin (manner 0) or as a joker of colour 0 to 3 (manner 1 to 4).
MANNERS = 1 + COLOURS
MAX_MOVES = COLOURS * MANNERS * HOLES
MAX_COUNT = MAX_MOVES
STARTS = MAX_MOVES  # + seat: the seat that begins
SETS_UP = STARTS + SEATS  # + colour: chance puts this pin in the next hole of the set-up
TIMEOUT = SETS_UP + COLOURS  # the clock: the time of the turn ran out

EMPTY, BLACK = 0, COLOURS + 1  # the board stores colour + 1
CHOOSE_START, SET_UP, TURN, TIME_OUT = range(4)  # phases
SINGLE, LINE, SQUARE, CROSS = range(4)  # figures

Options = np.dtype(
    [("players", np.int32), ("teams", np.int32), ("start", np.int32), ("setup", np.int32, COLOURS)], align=True
)

State = np.dtype(
    [
        ("board", np.uint8, WIDTH * WIDTH),
        ("empties", np.uint8, HOLES),  # the empty holes, in no particular order ...
        ("where", np.uint8, HOLES),  # ... and the place of each in that list
        ("jokers_shown", np.uint8, COLOURS),  # cells of this turn's jokers, which still show a colour
        ("n_empty", np.int32),
        ("n_shown", np.int32),
        ("phase", np.int32),
        ("actor", np.int32),
        ("seat", np.int32),  # whose turn it is
        ("hand", np.int32),  # the colours of the pins in hand, as bits
        ("turn", np.int32),
        ("players", np.int32),
        ("teams", np.int32),
        ("chosen", np.int32, COLOURS),  # the set-up that the table chose, or BY_LOT
        ("jokers", np.int32, SEATS),  # jokers left
        ("score", np.int32, SEATS),
    ],
    align=True,
)

DIRECTIONS = (1, WIDTH, WIDTH + 1, WIDTH - 1)
SQUARE_CORNERS = (0, -1, -WIDTH, -WIDTH - 1)  # lower left corners of the squares round a pin
CROSS_CENTRES = (0, -1, 1, -WIDTH, WIDTH)  # centres of the crosses round a pin


def cell_of(hole):
    """Return the cell of a hole in the board with its border."""
    return (hole // SIZE + 1) * WIDTH + hole % SIZE + 1


def _table(rows, plain, double):
    """Return points by cell: `double` where row and column are both in `rows`, otherwise `plain`."""
    table = np.full(WIDTH * WIDTH, plain, np.uint8)
    for row in rows:
        for column in rows:
            table[cell_of(row * SIZE + column)] = double
    return table


CELL = np.array([cell_of(hole) for hole in range(HOLES)], np.uint8)
SETUP_HOLES = (33, 63, 36, 66)  # PP-4: d4, d7, g4, g7
SQUARE_POINTS = _table((1, 4, 7), 4, 8)  # PP-12, by lower left corner
CROSS_POINTS = _table((3, 6), 5, 10)  # PP-13, by centre
PINS_IN = np.array([bin(hand).count("1") for hand in range(16)], np.int32)
NTH_PIN = np.array([([c for c in range(4) if hand >> c & 1] + [0] * 4)[:4] for hand in range(16)], np.int32)


@compiled
def start(state, options):
    for hole in range(HOLES):
        state.empties[hole] = hole
        state.where[hole] = hole
    state.board[:] = EMPTY
    state.jokers_shown[:] = 0
    state.n_empty = HOLES
    state.n_shown = 0
    state.turn = 0
    state.hand = (1 << COLOURS) - 1
    state.players = options.players
    state.teams = options.teams
    state.chosen[:] = options.setup
    state.jokers[:] = 0
    state.jokers[: options.players] = JOKERS
    state.score[:] = 0
    state.seat = 0
    state.actor = CHANCE
    state.phase = CHOOSE_START
    if options.start != BY_LOT:
        choose_start(state, options.start)


@compiled
def count(state):
    if state.actor >= 0:
        variants = PINS_IN[state.hand]
        if state.jokers[state.seat] > 0:
            variants *= MANNERS
        return state.n_empty * variants
    if state.actor == OVER:
        return 0
    if state.phase == SET_UP:
        return PINS_IN[state.hand]
    if state.phase == TIME_OUT:
        return state.n_empty
    return state.players


@compiled
def move_at(state, k):
    if state.actor >= 0:
        variant = quotient(k, state.n_empty)
        hole = int(state.empties[k - variant * state.n_empty])
        plain = PINS_IN[state.hand]
        if variant < plain:
            return NTH_PIN[state.hand, variant] * (MANNERS * HOLES) + hole
        variant -= plain
        pin = NTH_PIN[state.hand, variant // COLOURS]
        return (pin * MANNERS + 1 + variant % COLOURS) * HOLES + hole
    if state.phase == SET_UP:
        return SETS_UP + NTH_PIN[state.hand, k]
    if state.phase == TIME_OUT:  # PP-22: red, yellow, green, blue
        return NTH_PIN[state.hand, 0] * (MANNERS * HOLES) + int(state.empties[k])
    return STARTS + k


@compiled
def is_legal(state, move):
    """Return whether `moves` lists this move of a player, without listing all moves."""
    if move < 0 or move >= MAX_MOVES or state.actor < 0:
        return False
    what = quotient(move, HOLES)
    pin, manner = what // MANNERS, what % MANNERS
    if not state.hand >> pin & 1 or (manner > 0 and state.jokers[state.seat] == 0):
        return False
    return state.board[CELL[move - what * HOLES]] == EMPTY


@compiled
def chance_run(state):
    """Return the number of outcomes in the table's next entry: the four pins of a set-up are one entry."""
    return COLOURS if state.phase == SET_UP else 1


@compiled
def play(state, move):
    if move < MAX_MOVES:
        what = quotient(move, HOLES)
        hole = move - what * HOLES
        put_pin(state, what // MANNERS, what % MANNERS, hole)
    elif move == TIMEOUT:
        state.phase = TIME_OUT
        state.actor = CHANCE
    elif move >= SETS_UP:
        set_up_pin(state, move - SETS_UP)
    else:
        choose_start(state, move - STARTS)


@compiled
def choose_start(state, seat):
    """PP-5: choose who starts. PP-4: then put the pins of the set-up, unless chance draws them."""
    state.seat = seat
    state.phase = SET_UP
    if state.chosen[0] != BY_LOT:
        for colour in state.chosen:
            set_up_pin(state, colour)


@compiled
def put_pin(state, pin, manner, hole):
    """PP-6, PP-7: put a pin and score it. The fourth pin ends the turn."""
    colour = pin if manner == 0 else manner - 1
    cell = int(CELL[hole])
    take_hole(state, hole)
    state.board[cell] = colour + 1
    if manner > 0:
        state.jokers[state.seat] -= 1
        state.jokers_shown[state.n_shown] = cell
        state.n_shown += 1
    figure, turned = best_figure(state.board, cell, colour + 1)
    if turned:
        turn_over(state.board, cell, colour + 1, turned)  # PP-15
    if state.phase == TURN:
        state.score[state.seat] += figure & 15  # PP-22: a pin scores nothing after a timeout
    state.hand &= ~(1 << pin)
    if state.hand == 0:
        end_turn(state)


@inlined
def take_hole(state, hole):
    state.n_empty -= 1
    last = state.empties[state.n_empty]
    place = state.where[hole]
    state.empties[place] = last
    state.where[last] = place


@compiled
def end_turn(state):
    for i in range(state.n_shown):
        state.board[state.jokers_shown[i]] = BLACK  # PP-18
    state.n_shown = 0
    state.hand = (1 << COLOURS) - 1
    state.turn += 1
    state.seat += 1
    if state.seat == state.players:
        state.seat = 0
    state.phase = TURN
    state.actor = state.seat if state.n_empty > 0 else OVER  # PP-8


@compiled
def set_up_pin(state, colour):
    """PP-4: put one of the four pins of the set-up. They score nothing."""
    hole = SETUP_HOLES[COLOURS - PINS_IN[state.hand]]
    take_hole(state, hole)
    state.board[CELL[hole]] = colour + 1
    state.hand &= ~(1 << colour)
    if state.hand == 0:
        state.hand = (1 << COLOURS) - 1
        state.phase = TURN
        state.actor = state.seat


@inlined
def run_length(board, cell, step, colour):
    """Return how many pins of the colour follow the cell in one direction."""
    length = 0
    cell += step
    while board[cell] == colour:
        length += 1
        cell += step
    return length


@inlined
def best_figure(board, cell, colour):
    """Return the best figure through a pin (PP-9 to PP-16), and the lines of six that it made, as bits by direction.

    The figure is one number: points + 16 * kind + 64 * place. The place is the direction of a line, the lower left
    corner of a square, or the centre of a cross.
    """
    points, kind, place, turned = 1, SINGLE, 0, 0
    for i, step in enumerate(DIRECTIONS):
        length = 1 + run_length(board, cell, step, colour) + run_length(board, cell, -step, colour)
        if length >= 6:
            turned |= 1 << i
            length = 10
        if length > points:
            points, kind, place = length, LINE, i
    for offset in SQUARE_CORNERS:
        q = cell + offset
        if (
            board[q] == colour
            and board[q + 1] == colour
            and board[q + WIDTH] == colour
            and board[q + WIDTH + 1] == colour
            and SQUARE_POINTS[q] > points
        ):
            points, kind, place = int(SQUARE_POINTS[q]), SQUARE, q
    for offset in CROSS_CENTRES:
        q = cell + offset
        if (
            board[q] == colour
            and board[q - 1] == colour
            and board[q + 1] == colour
            and board[q - WIDTH] == colour
            and board[q + WIDTH] == colour
            and CROSS_POINTS[q] > points
        ):
            points, kind, place = int(CROSS_POINTS[q]), CROSS, q
    return points + 16 * kind + 64 * place, turned


@compiled
def figures(state, out):
    """Write to out[colour, hole] the best figure that a pin would make in each empty hole: points + 16 * kind."""
    out[:] = 0
    board = state.board.copy()
    for i in range(state.n_empty):
        hole = int(state.empties[i])
        cell = int(CELL[hole])
        near = 0  # the colours around the hole, as bits: every figure of several pins has a pin beside this one
        for step in DIRECTIONS:
            near |= 1 << board[cell + step] | 1 << board[cell - step]
        for colour in range(COLOURS):
            board[cell] = colour + 1
            figure = best_figure(board, cell, colour + 1)[0] if near >> colour + 1 & 1 else 1 + 16 * SINGLE
            out[colour, hole] = figure & 63
        board[cell] = EMPTY


@compiled
def turn_over(board, cell, colour, turned):
    """PP-11: turn every pin of these lines to its black end."""
    for i, step in enumerate(DIRECTIONS):
        if turned >> i & 1:
            for way in (-step, step):
                q = cell + way
                while board[q] == colour:
                    board[q] = BLACK
                    q += way
    board[cell] = BLACK


@compiled
def side(state, seat):
    """PP-1: return the side of a seat. Partners are one side."""
    return seat % 2 if state.teams else seat


@compiled
def total(state, seat):
    """PP-21: return a side's total. A team's total is the sum of its two players."""
    return state.score[seat] + state.score[seat + 2 if seat < 2 else seat - 2] if state.teams else state.score[seat]


@compiled
def totals(state):
    """PP-21: return the totals of all seats, with those that nobody sits on."""
    return total(state, 0), total(state, 1), total(state, 2), total(state, 3)


@compiled
def winners(state, out):
    """PP-21: return the seats with the highest total, as bits."""
    best, won = -1, 0
    for seat in range(state.players):
        if not out >> seat & 1:
            points = total(state, seat)
            if points > best:
                best, won = points, 0
            if points == best:
                won |= 1 << seat
    return won
