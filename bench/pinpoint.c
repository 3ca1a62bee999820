/* Pin Point in plain C, the same rules and the same searches as src/ludoteca: what the compiled Python is measured
   against. Prints matches a second, simulations a second, and the sum of the first seat's payoffs as a check.
   usage: pinpoint MATCHES SIMULATIONS NODES SEED */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
static uint64_t rng;

static void make_tables(void) {
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

static inline uint64_t below(uint64_t n) {
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return ((rng >> 32) * n) >> 32;
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

/* every outcome of chance in this game has the weight 1, as in the Python */
static inline int random_outcome(const State *s) {
    int n = count(s), total = 0, k = 0;
    for (int i = 0; i < n; i++) total += 1;
    for (int ticket = below(total); ticket >= 1; ticket--) k++;
    return move_at(s, k);
}

static void playout(State *s) {
    for (int who = s->actor; who != OVER; who = s->actor)
        play(s, who == CHANCE ? random_outcome(s) : move_at(s, below(count(s))));
}

typedef struct {
    int32_t first, kids, move, mover, visits;
    float value;
} Node;

static void new_node(Node *node, int move, int mover) {
    memset(node, 0, sizeof *node);
    node->move = move;
    node->mover = mover;
}

static int selected(const Node *tree, int node, float exploration) {
    const Node *parent = &tree[node];
    float log_visits = logf((float)parent->visits), best_bound = -INFINITY;
    int best = parent->first;
    for (int i = parent->first; i < parent->first + parent->kids; i++) {
        if (tree[i].visits == 0) return i;
        float visits = (float)tree[i].visits;
        float bound = tree[i].value / visits + exploration * sqrtf(log_visits / visits);
        if (bound > best_bound) {
            best = i;
            best_bound = bound;
        }
    }
    return best;
}

static int search(const State *root, Node *tree, int room, int simulations, float exploration) {
    static int32_t path[4096];
    float payoffs[SEATS] = {0};
    int used = 1;
    new_node(&tree[0], -1, CHANCE);
    path[0] = 0;
    for (int i = 0; i < simulations; i++) {
        State state = *root;
        int node = 0, depth = 1;
        for (int who = state.actor; who != OVER; who = state.actor) {
            int new = tree[node].kids == 0;
            if (new) {
                int kids = count(&state);
                if ((tree[node].visits == 0 && node > 0) || used + kids > room) break;
                tree[node].first = used;
                tree[node].kids = kids;
                for (int k = 0; k < kids; k++) new_node(&tree[used + k], move_at(&state, k), who);
                used += kids;
            }
            if (who == CHANCE) {
                int move = random_outcome(&state);
                for (node = tree[node].first; tree[node].move != move;) node++;
            } else if (new)
                node = tree[node].first + below(tree[node].kids);
            else
                node = selected(tree, node, exploration);
            play(&state, tree[node].move);
            path[depth++] = node;
            if (new && who != CHANCE) break;
        }
        playout(&state);
        payoff(&state, payoffs);
        for (int d = 0; d < depth; d++) {
            Node *visited = &tree[path[d]];
            visited->visits++;
            if (visited->mover >= 0) visited->value += payoffs[visited->mover];
        }
    }
    return used;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    int matches = atoi(argv[1]), simulations = atoi(argv[2]), room = atoi(argv[3]);
    State root, state;
    float payoffs[SEATS];
    double sum = 0;
    make_tables();
    start(&root, 2);
    rng = strtoull(argv[4], NULL, 10);
    double began = seconds();
    for (int i = 0; i < matches; i++) {
        state = root;
        playout(&state);
        payoff(&state, payoffs);
        sum += payoffs[0];
    }
    double playing = seconds() - began;
    play(&root, STARTS);
    for (int colour = 0; colour < COLOURS; colour++) play(&root, SETS_UP + colour);
    Node *tree = calloc(room, sizeof *tree);
    rng = strtoull(argv[4], NULL, 10);
    began = seconds();
    int used = search(&root, tree, room, simulations, 1.0f);
    double searching = seconds() - began;
    printf("%.1f %.1f %.1f %d\n", matches / playing, simulations / searching, sum, used);
    return 0;
}
