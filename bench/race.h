/* Random matches and tree search in plain C, for any game: the same as src/ludoteca/search, included by the game. Prints
   matches a second, simulations a second, the sum of the first seat's payoffs and the size of the tree as a check.
   usage: PROGRAM PLAYERS MATCHES SIMULATIONS NODES SEED, and on standard input what the game's `prepare` reads */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t rng;

static inline uint64_t below(uint64_t n) {
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return ((rng >> 32) * n) >> 32;
}

static inline int random_outcome(const State *s) {
    int n = count(s), total = 0, k = 0;
    for (int i = 0; i < n; i++) total += weight_at(s, i);
    for (int ticket = below(total); ticket >= weight_at(s, k); k++) ticket -= weight_at(s, k);
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
    if (argc != 6) return 2;
    int players = atoi(argv[1]), matches = atoi(argv[2]), simulations = atoi(argv[3]), room = atoi(argv[4]);
    State root, state;
    float payoffs[SEATS];
    double sum = 0;
    prepare();
    start(&root, players);
    rng = strtoull(argv[5], NULL, 10);
    double began = seconds();
    for (int i = 0; i < matches; i++) {
        state = root;
        playout(&state);
        payoff(&state, payoffs);
        sum += payoffs[0];
    }
    double playing = seconds() - began;
    begin(&root);
    Node *tree = calloc(room, sizeof *tree);
    rng = strtoull(argv[5], NULL, 10);
    began = seconds();
    int used = search(&root, tree, room, simulations, 1.0f);
    double searching = seconds() - began;
    printf("%.1f %.1f %.2f %d\n", matches / playing, simulations / searching, sum, used);
    return 0;
}
