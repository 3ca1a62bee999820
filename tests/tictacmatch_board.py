"""Positions of Tic-Tac Match drawn as text: row 3 on top, `..` empty, `XR/OR` a red O that covers a red X."""

from collections import Counter

from ludoteca.games.tictacmatch import rules
from ludoteca.games.tictacmatch.cards import COPIES, SPACES
from ludoteca.games.tictacmatch.game import CARD_NAMES, GAME, SPACE_NAMES, SYMBOLS

EMPTY_GRID = ".. .. ..  .. .. ..  .. .. .."
CENTRE_ONLY = ".. .. ..  .. XR ..  .. .. .."
BLOCKED = "XR XB XR  XB XR XB  XB XR XB"  # no line; yellow and green O fit nowhere
PLAIN = "XB XY OB OY"


def counted(cards):
    """Return the numbers of cards by kind, from a text like `XR XR F`."""
    found = Counter(cards.split())
    return [found[name] for name in CARD_NAMES]


def started(**options):
    return GAME.start(GAME.agree({"start": 1, **options}))


def position(drawing, *hands, seat=1, dealer=None, symbol="X", pile=None, **options):
    """Return a state with these hands and this seat to move. The dealer, by default the last seat, has that symbol.

    All other cards are in the draw pile. If the draw pile is given, they are in the discard pile.
    """
    state = started(players=len(hands), **options)
    rows = [drawing.split()[n : n + 3] for n in (6, 3, 0)]
    state.pile[:] = COPIES
    for space, cards in enumerate(card for row in rows for card in row):
        kinds = [CARD_NAMES.index(card) for card in cards.split("/") if card != ".."]
        for kind in kinds:
            state.pile[kind] -= 1
        state.top[space] = kinds[-1] + 1 if kinds else 0
        covered = [kind + 1 for kind in kinds[:-1]]
        state.under[space, : len(covered)] = covered
        state.n_under[space] = len(covered)
    for place, hand in enumerate(hands):
        state.hand[place] = counted(hand)
        state.held[place] = len(hand.split())
        state.pile[:] -= state.hand[place]
    assert state.pile.max() <= 6, "more cards of a kind than there are"
    if pile is not None:
        state.discards[:] = state.pile - counted(pile)
        state.pile[:] = counted(pile)
    state.left = state.pile.sum()
    state.dealer = len(hands) - 1 if dealer is None else dealer - 1
    state.symbol = SYMBOLS.index(symbol)
    rules.begin_turn(state, seat - 1)
    rules.list_all(state)
    return state


def play(state, *moves):
    """Return the state after these moves of the seat to move, or of the table."""
    for move in moves:
        state = GAME.play(state, max(0, int(rules.actor(state)) + 1), move).state
    return state


def after_draws(state, *moves):
    """Return the state after these moves. After each of them the table draws the first possible cards."""
    for move in moves:
        state = play(state, move)
        while due := GAME.chance(state, lambda weights: 0):
            state = play(state, due)
    return state


def to_move(state):
    return int(rules.actor(state)) + 1


def moves(state):
    return set(GAME.moves(state))


def hand(state, seat):
    return " ".join(GAME.view(state, seat)["hands"][seat - 1])


def top(state, space):
    card = state.top[SPACE_NAMES.index(space)]
    return CARD_NAMES[card - 1] if card else None


def identities(state):
    return "".join(GAME.view(state, None)["identities"])


def cards_in_all(state):
    """Return how many cards of each kind there are in all places together."""
    found = state.pile + state.discards + state.hand.sum(axis=0)
    for space in range(SPACES):
        for card in (*state.under[space, : state.n_under[space]], state.top[space]):
            if card:
                found[card - 1] += 1
    return found.tolist()
