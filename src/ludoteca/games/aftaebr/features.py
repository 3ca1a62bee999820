"""What the learned value of AFTAEBR looks at: the lead, the stocks and, in endings, forks.

A player who holds a number that the other one lacks can make two windows of four squares at once that lack only this
number: the other one can spoil only one of them. Such a fork is latent as long as the other one still holds the number.
Everything is seen by the player to move, and the other one's value is the opposite; with more than two players, the
player to move is compared with the strongest other one.
"""

import numpy as np

from ludoteca.core.compiler import compiled, inlined
from ludoteca.core.levels import Lookahead
from ludoteca.games.aftaebr.rules import COLOURS, NUMBERS, PIECES
from ludoteca.games.aftaebr.squares import BIT, SIZE, STRIDE, n_squares

ENDING = 10  # pieces of the poorer player; with more, an ending is far away
LEADS = 6
FEW = 4  # counts of a number in stock: 0, 1, 2, more
STAGE = np.array([*range(ENDING)] + [10] * 6 + [11] * 8 + [12] * 200, np.int64)
STAGES = 13
CLASS = np.array([0, 1, 1, 0], np.int64)  # of numbers: 1 and 4 fit next to one number, 2 and 3 next to two
STOCKS = 3**NUMBERS  # 0, 1 or more of each number
HELD = 1 << 2 * NUMBERS
MIRRORED = np.array([sum((h >> i & 1) << (i & 4) + 3 - (i & 3) for i in range(8)) for h in range(HELD)], np.int64)
SAFE, ALL_SAFE, FORKS, THREATS = 8, 32, 8, 8

OF_LEAD = 0
OF_COUNT = OF_LEAD + STAGES * (2 * LEADS + 1)
OF_STOCK = OF_COUNT + STAGES * 2 * FEW * FEW
OF_HELD = OF_STOCK + STOCKS * STOCKS
OF_SAFE = OF_HELD + ENDING * 2 * HELD
OF_ALL_SAFE = OF_SAFE + ENDING * 2 * 2 * SAFE * FEW
OF_FORK = OF_ALL_SAFE + ENDING * 2 * ALL_SAFE
OF_THREAT = OF_FORK + ENDING * 2 * 2 * FEW * FORKS
WEIGHTS = OF_THREAT + ENDING * 2 * 2 * FEW * THREATS
MOST_FEATURES = 1 + NUMBERS + 1 + 1 + 2 * NUMBERS + 2 + 4 * NUMBERS
SCALE = 4.0
A_WIN = 10.0  # in pieces
SELF_PLAY = Lookahead(turns=2, widths=(144, 24, 20, 14), noise=0.3)

ROW_STARTS = int(sum(1 << int(BIT[row * SIZE + column]) for row in range(6) for column in range(3)))
COLUMN_STARTS = int(sum(1 << int(BIT[row * SIZE + column]) for row in range(3) for column in range(6)))


@inlined
def compared(state, seat):
    """Return the two seats that are compared, the one to move first, and the sign of what that means for the seat."""
    if seat != state.seat:
        return int(state.seat), seat, -1.0
    best, strongest = -1, 0
    for other in range(state.players):
        if other != seat and state.pieces[other] > best:
            best, strongest = int(state.pieces[other]), other
    return seat, strongest, 1.0


@inlined
def add_pair(once, twice, windows, i, j, step, up):
    """Add windows that lack the numbers i and j: by number to put and number that is lacking then, the squares."""
    at_i = windows << (i if up else 3 - i) * step
    at_j = windows << (j if up else 3 - j) * step
    twice[4 * i + j] |= once[4 * i + j] & at_i
    once[4 * i + j] |= at_i
    twice[4 * j + i] |= once[4 * j + i] & at_j
    once[4 * j + i] |= at_j


@inlined
def look_at_windows(tops, once, twice):
    """Write where a number leaves one window, or two, that lack only another number."""
    for direction in range(4):
        up = direction < 2
        step = 1 if direction & 1 else STRIDE
        starts = ROW_STARTS if direction & 1 else COLUMN_STARTS
        if up:
            p, q, r, s = tops[1], tops[2] >> step, tops[3] >> 2 * step, tops[4] >> 3 * step
        else:
            s, r, q, p = tops[4], tops[3] >> step, tops[2] >> 2 * step, tops[1] >> 3 * step
        add_pair(once, twice, p & q & ~r & ~s & starts, 2, 3, step, up)
        add_pair(once, twice, p & r & ~q & ~s & starts, 1, 3, step, up)
        add_pair(once, twice, p & s & ~q & ~r & starts, 1, 2, step, up)
        add_pair(once, twice, q & r & ~p & ~s & starts, 0, 3, step, up)
        add_pair(once, twice, q & s & ~p & ~r & starts, 0, 2, step, up)
        add_pair(once, twice, r & s & ~p & ~q & starts, 0, 1, step, up)


@inlined
def look_ahead(state, a, b, row, counts, mine, theirs, once, twice, places, n):
    """Add what a seat can put without harm, and the forks and threats it can make. `row` has the stage and the seat."""
    every = 0
    for i in range(NUMBERS):
        if counts[mine + i] == 0:
            continue
        harm = 0
        for j in range(NUMBERS):
            if counts[theirs + j] > 0:
                harm |= once[4 * i + j]
        safe = n_squares(int(state.fits[i + 1]) & ~harm)
        every += safe
        kind = (row * 2 + CLASS[i]) * SAFE + min(safe, SAFE - 1)
        places[n] = OF_SAFE + kind * FEW + min(counts[mine + i], FEW - 1)
        n += 1
    places[n] = OF_ALL_SAFE + row * ALL_SAFE + min(every, ALL_SAFE - 1)
    n += 1
    tempo = 1 if state.pieces[a] > state.pieces[b] else 0
    for j in range(NUMBERS):
        if counts[mine + j] == 0:
            continue
        forks, threats = 0, 0
        for i in range(NUMBERS):
            if counts[mine + i] > 0 and i != j:
                fits = int(state.fits[i + 1])
                forks += n_squares(twice[4 * i + j] & fits)
                threats += n_squares(once[4 * i + j] & fits)
        at = (row * 2 + tempo) * FEW + min(counts[theirs + j], FEW - 1)
        places[n] = OF_FORK + at * FORKS + min(forks, FORKS - 1)
        places[n + 1] = OF_THREAT + at * THREATS + min(threats, THREATS - 1)
        n += 2
    return n


@compiled
def features(state, seat, places, amounts):
    a, b, sign = compared(state, seat)
    if state.pieces[a] == 0 or state.pieces[b] == 0:  # colours are being chosen, or the seat is out
        places[0], amounts[0] = 0, 0.0
        return 1
    poor = min(state.pieces[a], state.pieces[b])
    stage = STAGE[poor]
    lead = min(LEADS, max(-LEADS, state.pieces[a] - state.pieces[b])) + LEADS
    places[0] = OF_LEAD + stage * (2 * LEADS + 1) + lead
    n = 1
    held, stock, mirrored, power = 0, 0, 0, 1
    counts = np.zeros(2 * NUMBERS, np.int64)
    for number in range(NUMBERS):
        of_a, of_b = 0, 0
        for colour in range(COLOURS):
            of_a += int(state.stock[a * PIECES + colour * NUMBERS + number])
            of_b += int(state.stock[b * PIECES + colour * NUMBERS + number])
        counts[number], counts[NUMBERS + number] = of_a, of_b
        held |= (of_a > 0) << number | (of_b > 0) << NUMBERS + number
        places[n] = OF_COUNT + ((stage * 2 + CLASS[number]) * FEW + min(of_a, FEW - 1)) * FEW + min(of_b, FEW - 1)
        n += 1
        stock += power * (min(of_a, 2) + STOCKS * min(of_b, 2))
        mirrored += 27 // power * (min(of_a, 2) + STOCKS * min(of_b, 2))
        power *= 3
    places[n] = OF_STOCK + min(stock, mirrored)
    n += 1
    if poor < ENDING:
        tempo = 1 if state.pieces[a] > state.pieces[b] else 0
        places[n] = OF_HELD + (poor * 2 + tempo) * HELD + min(held, MIRRORED[held])
        n += 1
        once, twice = np.zeros(16, np.int64), np.zeros(16, np.int64)
        look_at_windows(state.tops, once, twice)
        n = look_ahead(state, a, b, poor * 2, counts, 0, NUMBERS, once, twice, places, n)
        n = look_ahead(state, a, b, poor * 2 + 1, counts, NUMBERS, 0, once, twice, places, n)
    for i in range(n):
        amounts[i] = sign
    return n


@compiled
def final(state, seat):
    """Return what the win is worth, in pieces."""
    best = -1
    for other in range(state.players):
        if other != seat:
            best = max(best, state.pieces[other])
    return A_WIN * np.sign(float(state.pieces[seat] - best))
