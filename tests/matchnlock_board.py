"""Positions of Match'n Lock! drawn as text, and a second implementation of its rules.

In a drawing a token is two letters by two: NW NE above SW SE, as it lies; `..` above `..` is an empty hole.
"""

from ludoteca.games.matchnlock import circles, rules
from ludoteca.games.matchnlock.game import COLOURS, GAME, HOLE_NAMES
from ludoteca.games.matchnlock.tokens import Token, token_set

COLUMNS = "abcdefgh"
STANDARD = token_set("standard")


def started(**options):
    return GAME.start(GAME.agree({"start": 1, **options}))


def drawn(corner, drawing, value=10, **values):
    """Return the tokens of a drawing whose lower left token lies in the corner. `values` has other values by hole."""
    lines = drawing.split()
    rows = list(zip(lines[::2], lines[1::2], strict=True))[::-1]
    tokens, column, row = {}, COLUMNS.index(corner[0]), int(corner[1])
    for r, (upper, lower) in enumerate(rows):
        for c in range(len(upper) // 2):
            north, south = upper[2 * c : 2 * c + 2], lower[2 * c : 2 * c + 2]
            if north != "..":
                hole = f"{COLUMNS[column + c]}{row + r}"
                tokens[hole] = Token(north[1] + south[1] + south[0] + north[0], values.get(hole, value))
    return tokens


def position(tokens, seat=1, **options):
    """Return a state with these tokens on the board, all loose. They replace the last ones of the set."""
    state = started(**options)
    for number, (hole, token) in enumerate(tokens.items()):
        replaced = int(state.n_tokens) - 1 - number
        state.printed[replaced], state.value[replaced] = token.bits, token.value
        rules.take(state, replaced)
        place = HOLE_NAMES.index(hole)
        state.token[place], state.board[circles.CELL[place]] = replaced, token.bits
        state.n_empty -= 1
        circles.move_hole(state, place, state.n_empty)
        state.n_loose += 1
    state.seat = state.actor = seat - 1
    return state


def holding(state, wedges, value=10):
    """Return the position after the seat to move has drawn a token that reads so when upright."""
    state = GAME.play(state, int(state.actor) + 1, "draw").state
    token = int(state.bag[0])
    state.printed[token], state.value[token] = Token(wedges, value).bits, value
    rules.play(state, rules.TOKENS + token)
    return state


def do(state, *moves):
    """Return the state after these moves of the seats to move, and the score of the last move."""
    score = None
    for move in moves:
        state, score = GAME.play(state, int(state.actor) + 1, move)
    return state, score


def comes(state, token):
    """Return the state after the table drew the token with this number, and the score."""
    return GAME.play(state, 0, GAME.format_chance(state, [rules.TOKENS + token - 1]))


def lies(state, hole):
    return GAME.view(state, 1)["board"][hole]["wedges"]


def locks(state):
    return GAME.view(state, 1)["locks"]


def points(state):
    return GAME.view(state, 1)["points"]


def is_locked(state, hole):
    return GAME.view(state, 1)["board"][hole]["locked"]


class Recount:
    """A second reading of a match's log: dictionaries, letters, and all 49 circles after every entry."""

    sides = {1: (0,), 2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}

    def __init__(self, players):
        self.players = players
        self.board, self.numbers, self.circles = {}, {}, {}
        self.points, self.locks = dict.fromkeys(COLOURS, 0), dict.fromkeys(COLOURS, 20)
        self.bag = set(range(1, 67))
        self.turns = {seat: [] for seat in range(1, players + 1)}  # the moves of each seat: (token, direction) or None
        self.quiet, self.seat, self.hand, self.hole = 0, None, None, None

    def read(self, entry):
        """Take in an entry. Return its points."""
        move = entry.move
        if move.startswith("lots"):
            return None
        if entry.by == 0:
            return self.drawn(int(move[1:].split(":")[0]))
        self.seat = entry.by
        if move == "draw":
            return None
        hole, manner = move[:2], move[2:]
        if manner == "!":
            self.hole = hole
            return None
        if manner == "":
            made = self.put(hole, self.hand)
            return self.turn_over(None, made, placed=True)
        wedges = self.board[hole]
        self.board[hole] = wedges[3] + wedges[:3] if manner == "+" else wedges[1:] + wedges[0]
        return self.turn_over((self.numbers[hole], manner), self.close(), placed=False)

    def drawn(self, number):
        self.bag.remove(number)
        if self.hole is None:
            self.hand = number
            return None
        self.bag.add(self.numbers[self.hole])
        made = self.put(self.hole, number)
        self.hole = None
        return self.turn_over(None, made, placed=False)

    def put(self, hole, number):
        side = self.sides[self.players][self.seat - 1]
        wedges = STANDARD[number - 1].wedges
        self.board[hole] = (wedges * 2)[4 - side : 8 - side]
        self.numbers[hole] = number
        return self.close()

    def close(self):
        """Close every circle that can be closed. Return (circles, points)."""
        made, n = 0, 0
        for row in range(1, 8):
            for c in range(7):
                here, right = f"{COLUMNS[c]}{row}", f"{COLUMNS[c + 1]}{row}"
                above, across = f"{COLUMNS[c]}{row + 1}", f"{COLUMNS[c + 1]}{row + 1}"
                holes = (here, right, above, across)
                if here in self.circles or any(hole not in self.board for hole in holes):
                    continue
                facing = {self.board[hole][w] for hole, w in zip(holes, (0, 3, 1, 2), strict=True)} - {"*"}
                if len(facing) == 1 and self.locks[colour := facing.pop()] > 0:
                    self.circles[here] = colour
                    self.locks[colour] -= 1
                    worth = sum(STANDARD[self.numbers[hole] - 1].value for hole in holes)
                    self.points[colour] += worth
                    made, n = made + worth, n + 1
        return n, made

    def turn_over(self, rotation, made, placed):
        self.turns[self.seat].append(rotation)
        self.quiet = 0 if placed or made[0] else self.quiet + 1
        self.seat = self.seat % self.players + 1
        return made[1]

    def locked(self):
        found = set()
        for circle in self.circles:
            c, row = COLUMNS.index(circle[0]), int(circle[1])
            found |= {f"{COLUMNS[c + dc]}{row + dr}" for dc in (0, 1) for dr in (0, 1)}
        return found

    def may(self):
        """Return the legal moves of the seat to move, before it has drawn."""
        if self.players == 1 or self.quiet >= 4 * self.players:
            return {"draw"}
        loose = set(self.board) - self.locked()
        return {"draw"} | {hole + way for hole in loose for way in "+-"} | {hole + "!" for hole in loose & self.stale()}

    def stale(self):
        holes = {number: hole for hole, number in self.numbers.items()}
        mine = self.turns[self.seat][-2:]
        found = set()
        for seat, turns in self.turns.items():
            both = mine + turns[-2:]
            if seat == self.seat or len(both) < 4 or None in both or len({number for number, _ in both}) > 1:
                continue
            if [way for _, way in both] in (["+", "+", "-", "-"], ["-", "-", "+", "+"]) and both[0][0] in holes:
                found.add(holes[both[0][0]])
        return found
