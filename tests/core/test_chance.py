"""The fairness seal: draws that can be recomputed by anybody, and that nobody can choose."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.core.chance import Drawing, Seal, chosen, commitment

SEAL = Seal("match-1", bytes(range(32)), (bytes(16), bytes(range(16))))


def test_a_ticket_is_what_the_notation_says():
    """Recomputed from docs/notation.md alone."""
    text = f"match-1:{'00' * 16}:{bytes(range(16)).hex()}:7:1"
    word = int.from_bytes(hmac.new(bytes(range(32)), text.encode(), hashlib.sha256).digest()[:8], "big")
    assert SEAL.ticket(7, 96) == word % 96
    assert commitment(SEAL.seed) == hashlib.sha256(bytes(range(32))).hexdigest()


def test_a_word_beyond_the_largest_multiple_is_tried_again():
    total = (1 << 63) + 1  # about half of all words are rejected
    tries = Counter()
    for draw in range(1, 200):
        for attempt in range(1, 60):
            text = f"match-1:{'00' * 16}:{bytes(range(16)).hex()}:{draw}:{attempt}"
            word = int.from_bytes(hmac.digest(SEAL.seed, text.encode(), "sha256")[:8], "big")
            if word < total:
                break
        assert SEAL.ticket(draw, total) == word
        tries[attempt] += 1
    assert tries[1] < 199


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12))
def test_every_outcome_has_as_many_tickets_as_its_weight(weights):
    drawn = Counter(chosen(weights, ticket) for ticket in range(sum(weights)))
    assert [drawn[place] for place in range(len(weights))] == weights


def test_a_ticket_beyond_the_total_is_no_ticket():
    with pytest.raises(ValueError, match="ticket 3"):
        chosen([1, 2], 3)


def test_draws_are_counted_over_the_whole_record():
    first = Drawing(SEAL, 0)
    first([1] * 10)
    first([1] * 10)
    later = Drawing(SEAL, 1)
    later([1] * 10)
    assert later.take_picks() == first.take_picks()[1:]
    assert later.take_picks() == ()


def test_draws_are_even():
    drawing = Drawing(SEAL, 0)
    drawn = Counter(drawing([1, 2, 3]) for _ in range(6000))
    assert abs(drawn[0] - 1000) < 150
    assert abs(drawn[2] - 3000) < 200


@given(st.integers(0, 1), st.integers(0, 15))
def test_every_byte_of_every_seat_matters(seat, place):
    parts = [bytearray(part) for part in SEAL.seat_bytes]
    parts[seat][place] ^= 1
    other = Seal(SEAL.match, SEAL.seed, tuple(bytes(part) for part in parts))
    assert [other.ticket(n, 1000) for n in range(1, 9)] != [SEAL.ticket(n, 1000) for n in range(1, 9)]


def test_what_is_published_opens_the_seal_only_at_the_end():
    closed, opened = SEAL.published(reveal=False), SEAL.published(reveal=True)
    assert closed.seed is None
    assert Seal.opened(opened) == SEAL
    assert Seal.fresh(3) != Seal.fresh(3)
    assert Seal.derived("m", 2, 1) == Seal.derived("m", 2, 1) != Seal.derived("m", 2, 2)
