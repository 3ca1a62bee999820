"""The rules of AFTAEBR, docs/rules/aftaebr.md. Colours are 0 to 3: green, light blue, fuchsia, orange."""

import numpy as np

from ludoteca.core.compiler import compiled, inlined, quotient
from ludoteca.core.kernel import BY_LOT, CHANCE, OVER
from ludoteca.games.aftaebr.squares import (
    BIT,
    BITS,
    BOARD,
    N_BITS,
    NTH_BIT,
    SQUARES,
    STRIDE,
    lowest,
    n_squares,
    nth_square,
    square_of,
)

SEATS = 4
COLOURS = 4
NUMBERS = 4
PIECES = COLOURS * NUMBERS  # kinds of pieces: 4 * colour + number - 1
EACH = 8  # AF-3: pieces of each kind
ALL = EACH * PIECES  # number of pieces
BLACK = 4  # AF-3: black pieces to draw
LONGEST = 2000  # AF-22: turns of a match
HIDDEN = False

PASS = PIECES * SQUARES  # smaller moves put a piece on a square: SQUARES * piece + square
CHOOSES = PASS + 1  # + colour: take the pieces of that colour
MAX_MOVES = CHOOSES + COLOURS
MAX_COUNT = PASS
LOTS = MAX_MOVES  # + number - 1: the black piece that the next seat draws
TIME = LOTS + BLACK  # the clock: the time of the match is over ...
TIMEOUT = TIME + 1  # ... or the time of a turn

DRAWING, CHOOSING, TURN = range(3)  # phases
ON, COMPLETE, LIMIT, LATE = range(4)  # endings: none yet, and why the match ended
NOTHING = 0  # in place of a piece

Options = np.dtype([("players", np.int32), ("start", np.int32)], align=True)

State = np.dtype(
    [
        ("tops", np.int64, NUMBERS + 2),  # by number: the squares that show it; no square shows 0 or 5
        ("fits", np.int64, NUMBERS + 1),  # by number: the squares that take such a piece
        ("top", np.uint8, BITS),  # by square's bit: the top piece as an index in the pool, or NOTHING
        ("piece", np.uint8, ALL + 1),  # the pool of pieces on the board: the kind of each one ...
        ("under", np.uint8, ALL + 1),  # ... and the piece under it; for a free place, the next free one
        ("stock", np.uint8, SEATS * PIECES),  # by seat and kind
        ("held", np.uint8, SEATS * (NUMBERS + 1)),  # by seat and number: the colours in stock, as bits
        ("free", np.int32),  # the first free place in the pool
        ("phase", np.int32),
        ("actor", np.int32),
        ("seat", np.int32),  # whose turn it is
        ("first", np.int32),  # the seat that began
        ("puts", np.int32),  # number of legal moves that put a piece
        ("extra", np.int32),  # whether a sequence won this turn
        ("passes", np.int32),  # passes in a row
        ("turn", np.int32),  # turns played
        ("left", np.int32),  # players still in the match
        ("ending", np.int32),
        ("players", np.int32),
        ("closing", np.int32),  # whether the time is over: this round is the last
        ("lots", np.int32, SEATS),  # the black piece of each seat, or 0
        ("colour", np.int32, SEATS),  # the colour of each seat, or -1
        ("pieces", np.int32, SEATS),  # number of pieces in stock
    ],
    align=True,
)


@compiled
def start(state, options):
    state.tops[:] = 0
    state.fits[:] = 0
    state.top[:] = NOTHING
    state.piece[:] = 0
    for place in range(ALL):
        state.under[place] = place + 1
    state.under[ALL] = NOTHING
    state.stock[:] = 0
    state.held[:] = 0
    state.free = 1
    state.puts = 0
    state.extra = 0
    state.passes = 0
    state.turn = 0
    state.left = options.players
    state.ending = ON
    state.players = options.players
    state.closing = 0
    state.lots[:] = 0
    state.colour[:] = -1
    state.pieces[:] = 0
    state.seat = 0
    state.first = 0
    state.actor = CHANCE
    state.phase = DRAWING
    if options.start != BY_LOT:
        begin_with(state, options.start)


@compiled
def count(state):
    if state.phase == TURN:
        return 0 if state.actor == OVER else max(1, state.puts)
    taken = 0
    for seat in range(state.players):
        taken += state.colour[seat] >= 0 if state.phase == CHOOSING else state.lots[seat] > 0
    return COLOURS - taken


@compiled
def move_at(state, k):
    if state.phase != TURN:
        return nth_left(state, k)
    if state.puts == 0:
        return PASS
    for number in range(1, NUMBERS + 1):
        n = n_squares(state.fits[number])
        colours = int(state.held[state.seat * (NUMBERS + 1) + number])
        block = n * N_BITS[colours]
        if k < block:
            which = quotient(k, n)
            colour = NTH_BIT[colours, which]
            return (colour * NUMBERS + number - 1) * SQUARES + nth_square(state.fits[number], k - which * n)
        k -= block
    return PASS


@compiled
def nth_left(state, k):
    """Return the k-th free colour, or the k-th black piece that nobody drew."""
    taken = 0
    for seat in range(state.players):
        if state.phase == CHOOSING and state.colour[seat] >= 0:
            taken |= 1 << state.colour[seat]
        elif state.phase == DRAWING and state.lots[seat] > 0:
            taken |= 1 << state.lots[seat] - 1
    first = CHOOSES if state.phase == CHOOSING else LOTS
    return first + NTH_BIT[~taken & 15, k]


@compiled
def moves(state, out):
    if state.phase != TURN or state.puts == 0:
        n = count(state)
        for k in range(n):
            out[k] = move_at(state, k)
        return n
    n = 0
    for number in range(1, NUMBERS + 1):
        colours = int(state.held[state.seat * (NUMBERS + 1) + number])
        for colour in range(COLOURS):
            if colours >> colour & 1:
                squares = state.fits[number]
                while squares:
                    bit = lowest(squares)
                    squares &= squares - 1
                    out[n] = (colour * NUMBERS + number - 1) * SQUARES + square_of(bit)
                    n += 1
    return n


@compiled
def is_legal(state, move):
    """Return whether `moves` lists this move of a player, without listing all moves."""
    if state.actor < 0 or move < 0 or move >= MAX_MOVES:
        return False
    if state.phase == CHOOSING:
        colour = move - CHOOSES
        for seat in range(state.players):
            if state.colour[seat] == colour:
                return False
        return colour >= 0
    if move >= PASS:
        return move == PASS and state.puts == 0
    piece = quotient(move, SQUARES)
    fits = state.fits[(piece & 3) + 1] >> BIT[move - piece * SQUARES] & 1
    return fits == 1 and state.stock[state.seat * PIECES + piece] > 0


@compiled
def chance_run(state):
    """Return the number of outcomes in the table's next entry: all lots are one entry."""
    return state.players if state.phase == DRAWING else 1


@compiled
def play(state, move):
    if move < PASS:
        piece = quotient(move, SQUARES)
        put_piece(state, piece, move - piece * SQUARES)
    elif move == PASS:
        state.passes += 1
        end_turn(state, False)
    elif move < LOTS:
        choose_colour(state, move - CHOOSES)
    elif move < TIME:
        draw_lot(state, move - LOTS + 1)
    elif move == TIME:  # AF-23
        state.closing = 1
    else:  # AF-23: chance makes one of the seat's moves
        state.actor = CHANCE


@compiled
def draw_lot(state, number):
    """AF-4: draw a lot; the highest number starts."""
    seat = 0
    while state.lots[seat] > 0:
        seat += 1
    state.lots[seat] = number
    if seat == state.players - 1:
        highest = 0
        for other in range(state.players):
            if state.lots[other] > state.lots[highest]:
                highest = other
        begin_with(state, highest)


@compiled
def begin_with(state, seat):
    state.first = seat
    state.seat = seat
    state.actor = seat
    state.phase = CHOOSING


@compiled
def choose_colour(state, colour):
    """AF-5: take the pieces of a colour. After the last choice, the first player puts the first piece."""
    state.colour[state.seat] = colour
    state.pieces[state.seat] = EACH * NUMBERS
    for number in range(1, NUMBERS + 1):
        state.stock[state.seat * PIECES + colour * NUMBERS + number - 1] = EACH
        state.held[state.seat * (NUMBERS + 1) + number] = 1 << colour
    state.seat = after(state, state.seat)
    state.actor = state.seat
    if state.seat == state.first:
        state.phase = TURN
        look_round(state)


@inlined
def after(state, seat):
    """Return the next seat, clockwise."""
    return seat + 1 if seat + 1 < state.players else 0


@compiled
def put_piece(state, piece, square):
    """AF-6: put a piece; take the sequences that it completes, and then those that appear under them."""
    leave_stock(state, piece)
    lay(state, piece, BIT[square])
    state.passes = 0
    taken = sequences(state.tops)
    again = taken != 0
    while taken:  # AF-17
        take(state, taken)
        taken = sequences(state.tops)
    end_turn(state, again)


@inlined
def leave_stock(state, piece):
    seat, number = state.seat, (piece & 3) + 1
    state.pieces[seat] -= 1
    left = int(state.stock[seat * PIECES + piece]) - 1
    state.stock[seat * PIECES + piece] = left
    if left == 0:
        state.held[seat * (NUMBERS + 1) + number] &= ~(1 << (piece >> 2)) & 15


@inlined
def lay(state, piece, bit):
    """AF-13: lay a piece on an empty square, or on top of a stack."""
    place, under = state.free, int(state.top[bit])
    state.free = int(state.under[place])
    if under != NOTHING:
        state.tops[(int(state.piece[under]) & 3) + 1] ^= 1 << bit
    state.tops[(piece & 3) + 1] |= 1 << bit
    state.piece[place] = piece
    state.under[place] = under
    state.top[bit] = place


@inlined
def sequences(tops):
    """AF-14: return the squares of all sequences, in rows and columns, in both directions."""
    found = 0
    for step in (1, STRIDE):
        up = tops[1] & tops[2] >> step & tops[3] >> 2 * step & tops[4] >> 3 * step
        down = tops[4] & tops[3] >> step & tops[2] >> 2 * step & tops[1] >> 3 * step
        ends = up | down
        found |= ends | ends << step | ends << 2 * step | ends << 3 * step
    return found


@compiled
def take(state, squares):
    """AF-14, AF-16, AF-18: move the top pieces to the seat's stock. AF-15: the pieces under them are now on top."""
    seat = state.seat
    while squares:
        bit = lowest(squares)
        squares &= squares - 1
        place = int(state.top[bit])
        piece, under = int(state.piece[place]), int(state.under[place])
        number = (piece & 3) + 1
        state.tops[number] ^= 1 << bit
        if under != NOTHING:
            state.tops[(int(state.piece[under]) & 3) + 1] |= 1 << bit
        state.top[bit] = under
        state.under[place] = state.free
        state.free = place
        state.stock[seat * PIECES + piece] += 1
        state.held[seat * (NUMBERS + 1) + number] |= 1 << (piece >> 2)
        state.pieces[seat] += 1


@inlined
def end_turn(state, again):
    state.turn += 1
    state.extra = 1 if again else 0
    if state.pieces[state.seat] == 0:
        state.left -= 1  # AF-19
    if state.left == 1 or state.passes == state.left:  # AF-20, AF-21
        end(state, COMPLETE)
    elif state.turn == LONGEST:
        end(state, LIMIT)
    else:
        if not again:  # AF-14: another turn
            before = state.seat
            state.seat = after(state, state.seat)
            while state.pieces[state.seat] == 0:
                state.seat = after(state, state.seat)
            if state.closing and nth_in_round(state, state.seat) < nth_in_round(state, before):  # AF-23
                end(state, LATE)
                return
        state.actor = state.seat
        look_round(state)


@inlined
def nth_in_round(state, seat):
    """Return how many seats come before this one in a round."""
    return seat - state.first if seat >= state.first else seat - state.first + state.players


@inlined
def look_round(state):
    """Compute where each number may go, and how many moves the seat to move has."""
    tops = state.tops
    occupied = tops[1] | tops[2] | tops[3] | tops[4]
    alone = ~(occupied | around(occupied)) & BOARD  # AF-8, AF-9
    state.puts = 0
    for number in range(1, NUMBERS + 1):
        fits = alone | around(tops[number - 1] | tops[number + 1])  # AF-10, AF-11, AF-12
        state.fits[number] = fits
        state.puts += n_squares(fits) * N_BITS[state.held[state.seat * (NUMBERS + 1) + number]]


@inlined
def around(squares):
    """AF-7: return the neighbours of these squares."""
    return (squares << 1 | squares >> 1 | squares << STRIDE | squares >> STRIDE) & BOARD


@compiled
def end(state, why):
    state.ending = why
    state.phase = TURN
    state.actor = OVER


@compiled
def winners(state, out):
    """AF-20 to AF-23: return the seats with the most pieces in stock, as bits. Seats in `out` cannot win."""
    best, won = -1, 0
    for seat in range(state.players):
        if not out >> seat & 1:
            if state.pieces[seat] > best:
                best, won = state.pieces[seat], 0
            if state.pieces[seat] == best:
                won |= 1 << seat
    return won
