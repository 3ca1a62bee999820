/* Pin Point in plain C, the same rules as src/ludoteca: what the compiled Python is measured against. */
#include <stdint.h>
#include <string.h>

enum { SIZE = 10, HOLES = 100, WIDTH = 12, COLOURS = 4, MANNERS = 5, SEATS = 4, BLACK = 5 };
enum { MAX_MOVES = COLOURS * MANNERS * HOLES, STARTS = MAX_MOVES, SETS_UP = STARTS + SEATS };
enum { CHANCE = -1, OVER = -2 };
enum { CHOOSE_START, SET_UP, TURN };

typedef struct {
    uint8_t board[WIDTH * WIDTH], empties[HOLES], where[HOLES], jokers_shown[COLOURS];
    int32_t n_empty, n_shown, phase, actor, seat, hand, turn, players, teams, jokers[SEATS], score[SEATS];
} State;

static const int DIRECTIONS[4] = {1, WIDTH, WIDTH + 1, WIDTH - 1};
static const int SQUARE_CORNERS[4] = {0, -1, -WIDTH, -WIDTH - 1};
static const int CROSS_CENTRES[5] = {0, -1, 1, -WIDTH, WIDTH};
static const int SETUP_HOLES[4] = {33, 63, 36, 66};
static uint8_t CELL[HOLES], SQUARE_POINTS[WIDTH * WIDTH], CROSS_POINTS[WIDTH * WIDTH];
static int PINS_IN[16], NTH_PIN[16][4];

static void prepare(void) {
    for (int hole = 0; hole < HOLES; hole++) CELL[hole] = (hole / SIZE + 1) * WIDTH + hole % SIZE + 1;
    memset(SQUARE_POINTS, 4, sizeof SQUARE_POINTS);
    memset(CROSS_POINTS, 5, sizeof CROSS_POINTS);
    for (int r = 1; r < 9; r += 3)
        for (int c = 1; c < 9; c += 3) SQUARE_POINTS[CELL[r * SIZE + c]] = 8;
    for (int r = 3; r < 9; r += 3)
        for (int c = 3; c < 9; c += 3) CROSS_POINTS[CELL[r * SIZE + c]] = 10;
    for (int hand = 0; hand < 16; hand++)
        for (int c = 0; c < 4; c++)
            if (hand >> c & 1) NTH_PIN[hand][PINS_IN[hand]++] = c;
}

static void start(State *s, int players) {
    memset(s, 0, sizeof *s);
    for (int hole = 0; hole < HOLES; hole++) s->empties[hole] = s->where[hole] = hole;
    s->n_empty = HOLES;
    s->hand = 15;
    s->players = players;
    for (int seat = 0; seat < players; seat++) s->jokers[seat] = 4;
    s->actor = CHANCE;
    s->phase = CHOOSE_START;
}

static inline int count(const State *s) {
    if (s->actor >= 0) return s->n_empty * PINS_IN[s->hand] * (s->jokers[s->seat] > 0 ? MANNERS : 1);
    if (s->actor == OVER) return 0;
    return s->phase == SET_UP ? PINS_IN[s->hand] : s->players;
}

static inline int move_at(const State *s, int k) {
    if (s->actor >= 0) {
        int variant = k / s->n_empty, hole = s->empties[k - variant * s->n_empty], plain = PINS_IN[s->hand];
        if (variant < plain) return NTH_PIN[s->hand][variant] * (MANNERS * HOLES) + hole;
        variant -= plain;
        return (NTH_PIN[s->hand][variant / COLOURS] * MANNERS + 1 + variant % COLOURS) * HOLES + hole;
    }
    return s->phase == SET_UP ? SETS_UP + NTH_PIN[s->hand][k] : STARTS + k;
}

static inline int run_length(const uint8_t *board, int cell, int step, int colour) {
    int length = 0;
    for (cell += step; board[cell] == colour; cell += step) length++;
    return length;
}

static int score_pin(uint8_t *board, int cell, int colour) {
    int points = 1, turned = 0;
    for (int i = 0; i < 4; i++) {
        int step = DIRECTIONS[i];
        int length = 1 + run_length(board, cell, step, colour) + run_length(board, cell, -step, colour);
        if (length >= 6) {
            turned |= 1 << i;
            length = 10;
        }
        if (length > points) points = length;
    }
    for (int i = 0; i < 4; i++) {
        int q = cell + SQUARE_CORNERS[i];
        if (board[q] == colour && board[q + 1] == colour && board[q + WIDTH] == colour &&
            board[q + WIDTH + 1] == colour && SQUARE_POINTS[q] > points)
            points = SQUARE_POINTS[q];
    }
    for (int i = 0; i < 5; i++) {
        int q = cell + CROSS_CENTRES[i];
        if (board[q] == colour && board[q - 1] == colour && board[q + 1] == colour && board[q - WIDTH] == colour &&
            board[q + WIDTH] == colour && CROSS_POINTS[q] > points)
            points = CROSS_POINTS[q];
    }
    if (turned) {
        for (int i = 0; i < 4; i++)
            if (turned >> i & 1)
                for (int way = -1; way <= 1; way += 2)
                    for (int q = cell + way * DIRECTIONS[i]; board[q] == colour; q += way * DIRECTIONS[i])
                        board[q] = BLACK;
        board[cell] = BLACK;
    }
    return points;
}

static inline void take_hole(State *s, int hole) {
    int last = s->empties[--s->n_empty], place = s->where[hole];
    s->empties[place] = last;
    s->where[last] = place;
}

static inline void play(State *s, int move) {
    if (move < MAX_MOVES) {
        int hole = move % HOLES, what = move / HOLES, pin = what / MANNERS, manner = what % MANNERS;
        int colour = manner ? manner - 1 : pin, cell = CELL[hole];
        take_hole(s, hole);
        s->board[cell] = colour + 1;
        if (manner) {
            s->jokers[s->seat]--;
            s->jokers_shown[s->n_shown++] = cell;
        }
        s->score[s->seat] += score_pin(s->board, cell, colour + 1);
        s->hand &= ~(1 << pin);
        if (s->hand == 0) {
            for (int i = 0; i < s->n_shown; i++) s->board[s->jokers_shown[i]] = BLACK;
            s->n_shown = 0;
            s->hand = 15;
            s->turn++;
            if (++s->seat == s->players) s->seat = 0;
            s->actor = s->n_empty ? s->seat : OVER;
        }
    } else if (move >= SETS_UP) {
        int colour = move - SETS_UP, hole = SETUP_HOLES[COLOURS - PINS_IN[s->hand]];
        take_hole(s, hole);
        s->board[CELL[hole]] = colour + 1;
        s->hand &= ~(1 << colour);
        if (s->hand == 0) {
            s->hand = 15;
            s->phase = TURN;
            s->actor = s->seat;
        }
    } else {
        s->seat = move - STARTS;
        s->phase = SET_UP;
    }
}

static void payoff(const State *s, float *out) {
    int best = 0, winners = 0;
    for (int seat = 0; seat < s->players; seat++)
        if (s->score[seat] > best) best = s->score[seat];
    for (int seat = 0; seat < s->players; seat++) winners += s->score[seat] == best;
    for (int seat = 0; seat < s->players; seat++) out[seat] = s->score[seat] == best ? 2.0f / winners - 1 : -1;
}

static inline int weight_at(const State *s, int k) { return 1; }

static void begin(State *s) {
    play(s, STARTS);
    for (int colour = 0; colour < COLOURS; colour++) play(s, SETS_UP + colour);
}

#include "race.h"
