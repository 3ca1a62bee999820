"""What the learned value of AFTAEBR looks at: the lead, the stocks and, in endings, forks.

A player who holds a number that the other one lacks can make two windows of four squares at once that lack only this
number. Such a fork is latent as long as the other one still holds the number. The piece that was put belongs to both
windows, so the other one spoils both by covering it: the fork is real if no number of the other one fits there.
Matches are decided by the last four pieces, and by which numbers are left then. So most features tell all four numbers
apart, although the rules are the same for 1-2-3-4 and 4-3-2-1: `expert` spends its low numbers first.
A player who waits is compared with the player to move, and the player to move with the strongest other one. Both have
weights of their own: a search of two players stops where its own player is to move, one of three or four elsewhere.
"""

import numpy as np

from ludoteca.core.compiler import compiled, inlined
from ludoteca.core.levels import Lookahead
from ludoteca.games.aftaebr.rules import COLOURS, EACH, NUMBERS, PIECES
from ludoteca.games.aftaebr.squares import BIT, SIZE, STRIDE, completing, n_squares

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
MANY = EACH + 1  # counts of a number in stock: 0 to 7, more
OFFERS = 4  # squares on which a sequence can be completed: 0, 1, 2, more
PAIRS = NUMBERS * NUMBERS  # a number to put, and the number that a window lacks then
SOME = 3  # counts of a number in stock: 0, 1, more
SQUARES_OF_PAIR = 4  # 0, 1, 2, more

OF_LEAD = 0
OF_COUNT = OF_LEAD + STAGES * (2 * LEADS + 1)
OF_STOCK = OF_COUNT + STAGES * 2 * FEW * FEW
OF_HELD = OF_STOCK + STOCKS * STOCKS
OF_SAFE = OF_HELD + ENDING * 2 * HELD
OF_ALL_SAFE = OF_SAFE + ENDING * 2 * 2 * SAFE * FEW
OF_FORK = OF_ALL_SAFE + ENDING * 2 * ALL_SAFE
OF_THREAT = OF_FORK + ENDING * 2 * 2 * FEW * FORKS
# All features from here on count only for the seat that began. They know how `expert` answers it: a seat that did not
# begin plays worse with them.
OF_NUMBER = OF_THREAT + ENDING * 2 * 2 * FEW * THREATS
OF_BOTH_STOCKS = OF_NUMBER + STAGES * 2 * NUMBERS * MANY * MANY
OF_OFFER = OF_BOTH_STOCKS + 2 * STOCKS * STOCKS
OF_SAFE_NUMBER = OF_OFFER + STAGES * 2 * OFFERS * OFFERS
OF_FORK_PAIR = OF_SAFE_NUMBER + ENDING * 2 * 2 * NUMBERS * SAFE * FEW
OF_THREAT_PAIR = OF_FORK_PAIR + ENDING * 2 * 2 * PAIRS * SOME * SQUARES_OF_PAIR
OF_REAL_FORK = OF_THREAT_PAIR + ENDING * 2 * 2 * PAIRS * SOME * SQUARES_OF_PAIR
OF_REAL_THREAT = OF_REAL_FORK + ENDING * 2 * 2 * NUMBERS * SOME * SQUARES_OF_PAIR
OF_DOUBLE = OF_REAL_THREAT + ENDING * 2 * 2 * NUMBERS * SOME * SQUARES_OF_PAIR
OF_WAITING = OF_DOUBLE + ENDING * 2 * 2 * SQUARES_OF_PAIR  # the same features of a player who waits
WEIGHTS = 2 * OF_WAITING
MOST_OF_SEAT = 2 * NUMBERS + 1 + 2 * NUMBERS * (NUMBERS - 1) + 4 * NUMBERS + 1  # in an ending
MOST_FEATURES = 1 + 2 * NUMBERS + 3 + 1 + 2 * MOST_OF_SEAT
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
def add_safe(state, row, tempo, counts, mine, theirs, once, places, n):
    """Add what a seat can put without harm. `row` has the stage and the seat, `tempo` whether the mover has more."""
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
        kind = ((row * 2 + tempo) * NUMBERS + i) * SAFE + min(safe, SAFE - 1)
        places[n + 1] = OF_SAFE_NUMBER + kind * FEW + min(counts[mine + i], FEW - 1)
        n += 2
    places[n] = OF_ALL_SAFE + row * ALL_SAFE + min(every, ALL_SAFE - 1)
    return n + 1


@inlined
def answered(state, i, j, counts, theirs, once):
    """Return where the number i is no threat, even if the other seat lacks j: it covers the piece, or takes it."""
    squares = 0
    for other in range(NUMBERS):
        if other not in (i, j) and counts[theirs + other] > 0:
            squares |= int(state.fits[other + 1]) | once[4 * i + other]
    return squares


@inlined
def add_forks(state, row, tempo, counts, mine, theirs, once, twice, places, n):
    """Add the forks and threats that a seat can make with each number that it would keep for them."""
    row = row * 2 + tempo
    for j in range(NUMBERS):
        if counts[mine + j] == 0:
            continue
        all_forks, all_threats, real_forks, real_threats = 0, 0, 0, 0
        for i in range(NUMBERS):
            if counts[mine + i] > 0 and i != j:
                fits = int(state.fits[i + 1])
                forks, threats = twice[4 * i + j] & fits, once[4 * i + j] & fits
                real = ~answered(state, i, j, counts, theirs, once)
                all_forks += n_squares(forks)
                all_threats += n_squares(threats)
                real_forks += n_squares(forks & real)
                real_threats += n_squares(threats & real)
                at = ((row * PAIRS + 4 * i + j) * SOME + min(counts[theirs + j], SOME - 1)) * SQUARES_OF_PAIR
                places[n] = OF_FORK_PAIR + at + min(n_squares(forks), SQUARES_OF_PAIR - 1)
                places[n + 1] = OF_THREAT_PAIR + at + min(n_squares(threats), SQUARES_OF_PAIR - 1)
                n += 2
        at = row * FEW + min(counts[theirs + j], FEW - 1)
        places[n] = OF_FORK + at * FORKS + min(all_forks, FORKS - 1)
        places[n + 1] = OF_THREAT + at * THREATS + min(all_threats, THREATS - 1)
        at = ((row * NUMBERS + j) * SOME + min(counts[theirs + j], SOME - 1)) * SQUARES_OF_PAIR
        places[n + 2] = OF_REAL_FORK + at + min(real_forks, SQUARES_OF_PAIR - 1)
        places[n + 3] = OF_REAL_THREAT + at + min(real_threats, SQUARES_OF_PAIR - 1)
        n += 4
    places[n] = OF_DOUBLE + row * SQUARES_OF_PAIR
    places[n] += min(doubles(state, counts, mine, theirs, once, twice), SQUARES_OF_PAIR - 1)
    return n + 1


@inlined
def doubles(state, counts, mine, theirs, once, twice):
    """Return how many puts leave two windows that lack numbers of this seat alone, and cannot be answered."""
    found = 0
    for i in range(NUMBERS):
        if counts[mine + i] > 0:
            first, second = 0, 0
            for j in range(NUMBERS):
                if j != i and counts[mine + j] > 0 and counts[theirs + j] == 0:
                    second |= (first & once[4 * i + j]) | twice[4 * i + j]
                    first |= once[4 * i + j]
            found += n_squares(second & int(state.fits[i + 1]) & ~answered(state, i, i, counts, theirs, once))
    return found


@inlined
def offers(tops, counts):
    """Return what the mover can complete, and what only the other seat can: the squares of both, few of each."""
    squares = completing(tops)
    own, others = 0, 0
    for number in range(NUMBERS):
        if counts[number] > 0:
            own += n_squares(squares[number])
        elif counts[NUMBERS + number] > 0:
            others += n_squares(squares[number])
    return min(own, OFFERS - 1) * OFFERS + min(others, OFFERS - 1)


@inlined
def shared_by_all(places, n):
    """Keep only the features that count for every seat. Return their number."""
    kept = 0
    for i in range(n):
        if places[i] < OF_NUMBER:
            places[kept] = places[i]
            kept += 1
    return kept


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
    tempo = 1 if state.pieces[a] > state.pieces[b] else 0
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
        number_row = (stage * 2 + tempo) * NUMBERS + number
        places[n + 1] = OF_NUMBER + (number_row * MANY + min(of_a, MANY - 1)) * MANY + min(of_b, MANY - 1)
        n += 2
        stock += power * (min(of_a, 2) + STOCKS * min(of_b, 2))
        mirrored += 27 // power * (min(of_a, 2) + STOCKS * min(of_b, 2))
        power *= 3
    places[n] = OF_STOCK + min(stock, mirrored)
    places[n + 1] = OF_BOTH_STOCKS + tempo * STOCKS * STOCKS + stock
    places[n + 2] = OF_OFFER + (stage * 2 + tempo) * OFFERS * OFFERS + offers(state.tops, counts)
    n += 3
    if poor < ENDING:
        places[n] = OF_HELD + (poor * 2 + tempo) * HELD + min(held, MIRRORED[held])
        n += 1
        once, twice = np.zeros(16, np.int64), np.zeros(16, np.int64)
        look_at_windows(state.tops, once, twice)
        for other in range(2):
            row, mine, theirs = poor * 2 + other, NUMBERS * other, NUMBERS - NUMBERS * other
            n = add_safe(state, row, tempo, counts, mine, theirs, once, places, n)
            n = add_forks(state, row, tempo, counts, mine, theirs, once, twice, places, n)
    if seat != state.first:
        n = shared_by_all(places, n)
    for i in range(n):
        places[i] += 0 if seat == state.seat else OF_WAITING
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
