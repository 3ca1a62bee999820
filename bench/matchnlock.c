/* Match'n Lock! in plain C, the same rules as src/ludoteca: what the compiled Python is measured against.
   Reads the token set from standard input: how many, then wedges and value of each. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 8, HOLES = 64, WIDTH = 10, COLOURS = 4, SEATS = 4, LOCKS = 20, MOST_TOKENS = 96, WILD = 15 };
enum { PLACES = 0, CLOCKWISE = 64, ANTICLOCKWISE = 128, DECLARES = 192, DRAW = 256, TOKENS = 257 };
enum { CHANCE = -1, OVER = -2, NOTHING = -1, IDLE_ROUNDS = 4 };
enum { DRAW_LOTS, TURN, DRAWING, PLACING, REPLACING };

typedef struct {
    uint16_t board[WIDTH * WIDTH];
    uint8_t lock[WIDTH * WIDTH], token[HOLES], holes[HOLES], where[HOLES], bag[MOST_TOKENS], in_bag[MOST_TOKENS];
    uint8_t value[MOST_TOKENS];
    uint16_t printed[MOST_TOKENS];
    int32_t n_tokens, n_bag, n_empty, n_loose, phase, actor, seat, players, in_hand, target, idle, tied;
    int32_t lot[SEATS], last_turn[SEATS], turn_before[SEATS], colour[SEATS], points[COLOURS], locks[COLOURS];
} State;

static const int CIRCLES_ROUND[4] = {-WIDTH - 1, -WIDTH, -1, 0};
static const int TOKENS_ROUND[4] = {0, 1, WIDTH, WIDTH + 1};
static uint8_t CELL[HOLES], HOLE_AT[WIDTH * WIDTH], SET_VALUE[MOST_TOKENS];
static uint16_t SET_PRINTED[MOST_TOKENS];
static int SET_SIZE;

static void prepare(void) {
    for (int hole = 0; hole < HOLES; hole++) {
        CELL[hole] = (hole / SIZE + 1) * WIDTH + hole % SIZE + 1;
        HOLE_AT[CELL[hole]] = hole;
    }
    if (scanf("%d", &SET_SIZE) != 1 || SET_SIZE > MOST_TOKENS) exit(2);
    for (int token = 0; token < SET_SIZE; token++)
        if (scanf("%hu %hhu", &SET_PRINTED[token], &SET_VALUE[token]) != 2) exit(2);
}

static inline int is_locked(const State *s, int hole) { return s->where[hole] >= s->n_empty + s->n_loose; }

static inline int must_draw(const State *s) { return s->players == 1 || s->idle >= IDLE_ROUNDS * s->players; }

static inline int insistence(const State *s, int seat) {
    return s->last_turn[seat] == s->turn_before[seat] ? s->last_turn[seat] : NOTHING;
}

static inline int stalemate_hole(const State *s) {
    int mine = insistence(s, s->seat);
    if (mine == NOTHING || is_locked(s, mine & (HOLES - 1))) return NOTHING;
    int opposite = mine < ANTICLOCKWISE ? mine + HOLES : mine - HOLES;
    for (int seat = 0; seat < s->players; seat++)
        if (insistence(s, seat) == opposite) return mine & (HOLES - 1);
    return NOTHING;
}

static void begin_with(State *s, int seat) {
    s->n_bag = s->n_tokens;
    s->seat = s->actor = seat;
    s->phase = TURN;
}

static void start(State *s, int players) {
    memset(s, 0, sizeof *s);
    for (int hole = 0; hole < HOLES; hole++) s->holes[hole] = s->where[hole] = hole;
    for (int token = 0; token < MOST_TOKENS; token++) s->bag[token] = s->in_bag[token] = token;
    memcpy(s->value, SET_VALUE, sizeof SET_VALUE);
    memcpy(s->printed, SET_PRINTED, sizeof SET_PRINTED);
    s->n_tokens = s->n_bag = SET_SIZE;
    s->n_empty = HOLES;
    s->players = players;
    s->in_hand = s->target = NOTHING;
    s->tied = (1 << players) - 1;
    for (int seat = 0; seat < SEATS; seat++) {
        s->last_turn[seat] = s->turn_before[seat] = NOTHING;
        s->colour[seat] = seat;
        s->locks[seat] = LOCKS;
    }
    s->phase = DRAW_LOTS;
    s->actor = CHANCE;
    if (players == 1) begin_with(s, 0);
}

static void begin(State *s) { begin_with(s, 0); }

static inline int count(const State *s) {
    if (s->actor == OVER) return 0;
    if (s->actor == CHANCE) return s->n_bag;
    if (s->phase == PLACING) return s->n_empty;
    if (must_draw(s)) return 1;
    return 1 + 2 * s->n_loose + (stalemate_hole(s) != NOTHING);
}

static inline int move_at(const State *s, int k) {
    if (s->actor == CHANCE) return TOKENS + s->bag[k];
    if (s->phase == PLACING) return PLACES + s->holes[k];
    if (k == 0) return DRAW;
    if (--k < s->n_loose) return CLOCKWISE + s->holes[s->n_empty + k];
    if ((k -= s->n_loose) < s->n_loose) return ANTICLOCKWISE + s->holes[s->n_empty + k];
    return DECLARES + stalemate_hole(s);
}

static inline int weight_at(const State *s, int k) { return 1; }

static inline void move_in(uint8_t *list, uint8_t *places, int what, int place) {
    int other = list[place], own = places[what];
    list[own] = other;
    places[other] = own;
    list[place] = what;
    places[what] = place;
}

static inline int turned(int token, int times) { return (token << 4 * times | token >> (16 - 4 * times)) & 0xFFFF; }

static inline int facing(const uint16_t *board, int circle) {
    return board[circle] & board[circle + 1] >> 12 & board[circle + WIDTH] >> 4 & board[circle + WIDTH + 1] >> 8 & WILD;
}

static int lock_circles(State *s, int hole) {
    int closed = 0;
    for (int i = 0; i < 4; i++) {
        int circle = CELL[hole] + CIRCLES_ROUND[i], common = facing(s->board, circle);
        if (common == 0 || common == WILD) continue;
        int colour = __builtin_ctz(common);
        if (s->locks[colour] == 0) continue;
        s->locks[colour]--;
        s->lock[circle] = colour + 1;
        for (int j = 0; j < 4; j++) {
            int other = HOLE_AT[circle + TOKENS_ROUND[j]];
            s->points[colour] += s->value[s->token[other]];
            if (!is_locked(s, other)) move_in(s->holes, s->where, other, s->n_empty + --s->n_loose);
        }
        closed++;
    }
    return closed;
}

static inline void lay(State *s, int token, int hole) {
    s->token[hole] = token;
    s->board[CELL[hole]] = turned(s->printed[token], s->players == 2 ? 2 * s->seat : s->seat);
}

static inline void end_turn(State *s, int rotation, int progress) {
    s->turn_before[s->seat] = s->last_turn[s->seat];
    s->last_turn[s->seat] = rotation;
    s->idle = progress ? 0 : s->idle + 1;
    if (++s->seat == s->players) s->seat = 0;
    s->phase = TURN;
    s->actor = s->n_empty > 0 ? s->seat : OVER;
}

static int next_tied(const State *s, int seat) {
    while (seat < s->players && !(s->tied >> seat & 1)) seat++;
    return seat;
}

static void draw_lot(State *s, int token) {
    s->lot[s->seat] = s->value[token];
    int seat = next_tied(s, s->seat + 1), highest = -1, leaders = 0, n = 0;
    if (seat < s->players) {
        s->seat = seat;
        return;
    }
    for (seat = 0; seat < s->players; seat++)
        if (s->tied >> seat & 1) {
            if (s->lot[seat] > highest) highest = s->lot[seat], leaders = n = 0;
            if (s->lot[seat] == highest) leaders |= 1 << seat, n++;
        }
    s->tied = leaders;
    s->seat = next_tied(s, 0);
    if (n == 1)
        begin_with(s, s->seat);
    else if (s->n_bag < n)
        s->n_bag = s->n_tokens;
}

static void replace(State *s, int token) {
    int hole = s->target;
    move_in(s->bag, s->in_bag, s->token[hole], s->n_bag++);
    for (int seat = 0; seat < s->players; seat++) {
        if (s->last_turn[seat] != NOTHING && (s->last_turn[seat] & (HOLES - 1)) == hole) s->last_turn[seat] = NOTHING;
        if (s->turn_before[seat] != NOTHING && (s->turn_before[seat] & (HOLES - 1)) == hole)
            s->turn_before[seat] = NOTHING;
    }
    s->target = NOTHING;
    lay(s, token, hole);
    end_turn(s, NOTHING, lock_circles(s, hole) > 0);
}

static inline void play(State *s, int move) {
    if (move < CLOCKWISE) {
        move_in(s->holes, s->where, move, --s->n_empty);
        s->n_loose++;
        lay(s, s->in_hand, move);
        s->in_hand = NOTHING;
        lock_circles(s, move);
        end_turn(s, NOTHING, 1);
    } else if (move < DECLARES) {
        int hole = move & (HOLES - 1), cell = CELL[hole];
        s->board[cell] = turned(s->board[cell], move < ANTICLOCKWISE ? 1 : 3);
        end_turn(s, move, lock_circles(s, hole) > 0);
    } else if (move <= DRAW) {
        s->phase = move == DRAW ? DRAWING : REPLACING;
        if (move != DRAW) s->target = move - DECLARES;
        s->actor = CHANCE;
    } else {
        int token = move - TOKENS;
        move_in(s->bag, s->in_bag, token, --s->n_bag);
        if (s->phase == DRAWING) {
            s->in_hand = token;
            s->phase = PLACING;
            s->actor = s->seat;
        } else if (s->phase == REPLACING)
            replace(s, token);
        else
            draw_lot(s, token);
    }
}

static void payoff(const State *s, float *out) {
    if (s->players == 1) {
        int others = 0, mine = s->points[s->colour[0]];
        for (int colour = 0; colour < COLOURS; colour++) others += s->points[colour];
        out[0] = mine > others - mine ? 1 : -1;
        return;
    }
    int best = -1, winners = 0;
    for (int seat = 0; seat < s->players; seat++) {
        int points = s->points[s->colour[seat]];
        if (points > best) best = points, winners = 0;
        winners += points == best;
    }
    for (int seat = 0; seat < s->players; seat++)
        out[seat] = s->points[s->colour[seat]] == best ? 2.0f / winners - 1 : -1;
}

#include "race.h"
