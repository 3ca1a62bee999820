/* AFTAEBR in plain C, the same rules as src/ludoteca: what the compiled Python is measured against. Sets of squares are
   the bits of one number, bit 8 * row + column; stacks are chains in a pool of pieces. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 6, SQUARES = 36, STRIDE = 8, COLOURS = 4, NUMBERS = 4, KINDS = 16, EACH = 8, ALL = 128, SEATS = 4 };
enum { PASS = KINDS * SQUARES, CHOOSES = PASS + 1, LOTS = CHOOSES + COLOURS, BLACK = 4, LONGEST = 2000 };
enum { CHANCE = -1, OVER = -2 };
enum { DRAWING, CHOOSING, TURN };

typedef struct {
    uint64_t tops[NUMBERS + 2], fits[NUMBERS + 1];
    uint8_t top[STRIDE * SIZE], piece[ALL + 1], under[ALL + 1], stock[SEATS][KINDS], held[SEATS][NUMBERS + 1];
    int32_t free, phase, actor, seat, first, puts, passes, turn, left, players;
    int32_t lots[SEATS], colour[SEATS], pieces[SEATS];
} State;

static uint64_t BOARD;
static int BIT[SQUARES];

static void prepare(void) {
    for (int square = 0; square < SQUARES; square++) {
        BIT[square] = square / SIZE * STRIDE + square % SIZE;
        BOARD |= 1ull << BIT[square];
    }
}

static inline int n_squares(uint64_t squares) { return __builtin_popcountll(squares); }

static inline uint64_t around(uint64_t squares) {
    return (squares << 1 | squares >> 1 | squares << STRIDE | squares >> STRIDE) & BOARD;
}

static void start(State *s, int players) {
    memset(s, 0, sizeof *s);
    for (int place = 0; place < ALL; place++) s->under[place] = place + 1;
    s->free = 1;
    s->left = s->players = players;
    for (int seat = 0; seat < SEATS; seat++) s->colour[seat] = -1;
    s->actor = CHANCE;
    s->phase = DRAWING;
}

static inline int taken_already(const State *s) {
    int taken = 0;
    for (int seat = 0; seat < s->players; seat++) {
        if (s->phase == CHOOSING && s->colour[seat] >= 0) taken |= 1 << s->colour[seat];
        if (s->phase == DRAWING && s->lots[seat] > 0) taken |= 1 << (s->lots[seat] - 1);
    }
    return taken;
}

static inline int count(const State *s) {
    if (s->phase == TURN) return s->actor == OVER ? 0 : s->puts ? s->puts : 1;
    return COLOURS - n_squares(taken_already(s));
}

static inline int weight_at(const State *s, int k) { return 1; }

static inline int nth(uint64_t bits, int k) {
    while (k--) bits &= bits - 1;
    return __builtin_ctzll(bits);
}

static inline int square_of(int bit) { return (bit >> 3) * SIZE + (bit & 7); }

static inline int move_at(const State *s, int k) {
    if (s->phase != TURN) return (s->phase == CHOOSING ? CHOOSES : LOTS) + nth(~taken_already(s) & 15, k);
    if (s->puts == 0) return PASS;
    for (int number = 1; number <= NUMBERS; number++) {
        int n = n_squares(s->fits[number]), colours = s->held[s->seat][number], block = n * n_squares(colours);
        if (k < block) {
            int which = k / n, colour = nth(colours, which);
            return (colour * NUMBERS + number - 1) * SQUARES + square_of(nth(s->fits[number], k - which * n));
        }
        k -= block;
    }
    return PASS;
}

static inline void look_round(State *s) {
    const uint64_t *tops = s->tops;
    uint64_t occupied = tops[1] | tops[2] | tops[3] | tops[4], alone = ~(occupied | around(occupied)) & BOARD;
    s->puts = 0;
    for (int number = 1; number <= NUMBERS; number++) {
        s->fits[number] = alone | around(tops[number - 1] | tops[number + 1]);
        s->puts += n_squares(s->fits[number]) * n_squares(s->held[s->seat][number]);
    }
}

static inline int after(const State *s, int seat) { return seat + 1 < s->players ? seat + 1 : 0; }

static inline void end_turn(State *s, int again) {
    s->turn++;
    if (s->pieces[s->seat] == 0) s->left--;
    if (s->left == 1 || s->passes == s->left || s->turn == LONGEST) {
        s->actor = OVER;
        return;
    }
    if (!again) {
        do s->seat = after(s, s->seat);
        while (s->pieces[s->seat] == 0);
        s->actor = s->seat;
    }
    look_round(s);
}

static inline uint64_t sequences(const uint64_t *tops) {
    uint64_t found = 0;
    for (int step = 1; step <= STRIDE; step += STRIDE - 1) {
        uint64_t up = tops[1] & tops[2] >> step & tops[3] >> 2 * step & tops[4] >> 3 * step;
        uint64_t down = tops[4] & tops[3] >> step & tops[2] >> 2 * step & tops[1] >> 3 * step, ends = up | down;
        found |= ends | ends << step | ends << 2 * step | ends << 3 * step;
    }
    return found;
}

static void take(State *s, uint64_t squares) {
    for (; squares; squares &= squares - 1) {
        int bit = __builtin_ctzll(squares), place = s->top[bit], piece = s->piece[place], under = s->under[place];
        s->tops[(piece & 3) + 1] ^= 1ull << bit;
        if (under) s->tops[(s->piece[under] & 3) + 1] |= 1ull << bit;
        s->top[bit] = under;
        s->under[place] = s->free;
        s->free = place;
        s->stock[s->seat][piece]++;
        s->held[s->seat][(piece & 3) + 1] |= 1 << (piece >> 2);
        s->pieces[s->seat]++;
    }
}

static inline void put_piece(State *s, int piece, int square) {
    int bit = BIT[square], place = s->free, under = s->top[bit], number = (piece & 3) + 1;
    s->pieces[s->seat]--;
    if (--s->stock[s->seat][piece] == 0) s->held[s->seat][number] &= ~(1 << (piece >> 2));
    s->free = s->under[place];
    if (under) s->tops[(s->piece[under] & 3) + 1] ^= 1ull << bit;
    s->tops[number] |= 1ull << bit;
    s->piece[place] = piece;
    s->under[place] = under;
    s->top[bit] = place;
    s->passes = 0;
    uint64_t taken = sequences(s->tops);
    int again = taken != 0;
    for (; taken; taken = sequences(s->tops)) take(s, taken);
    end_turn(s, again);
}

static void begin_with(State *s, int seat) {
    s->first = s->seat = s->actor = seat;
    s->phase = CHOOSING;
}

static void choose_colour(State *s, int colour) {
    s->colour[s->seat] = colour;
    s->pieces[s->seat] = EACH * NUMBERS;
    for (int number = 1; number <= NUMBERS; number++) {
        s->stock[s->seat][colour * NUMBERS + number - 1] = EACH;
        s->held[s->seat][number] = 1 << colour;
    }
    s->seat = s->actor = after(s, s->seat);
    if (s->seat == s->first) {
        s->phase = TURN;
        look_round(s);
    }
}

static void draw_lot(State *s, int number) {
    int seat = 0, highest = 0;
    while (s->lots[seat] > 0) seat++;
    s->lots[seat] = number;
    if (seat < s->players - 1) return;
    for (int other = 0; other < s->players; other++)
        if (s->lots[other] > s->lots[highest]) highest = other;
    begin_with(s, highest);
}

static inline void play(State *s, int move) {
    if (move < PASS)
        put_piece(s, move / SQUARES, move % SQUARES);
    else if (move == PASS) {
        s->passes++;
        end_turn(s, 0);
    } else if (move < LOTS)
        choose_colour(s, move - CHOOSES);
    else
        draw_lot(s, move - LOTS + 1);
}

static void payoff(const State *s, float *out) {
    int best = 0, winners = 0;
    for (int seat = 0; seat < s->players; seat++)
        if (s->pieces[seat] > best) best = s->pieces[seat];
    for (int seat = 0; seat < s->players; seat++) winners += s->pieces[seat] == best;
    for (int seat = 0; seat < s->players; seat++) out[seat] = s->pieces[seat] == best ? 2.0f / winners - 1 : -1;
}

static void begin(State *s) { begin_with(s, 0); }

#include "race.h"
