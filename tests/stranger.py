"""A stranger's check of a record's chance, written from docs/notation.md alone. It imports nothing of Ludoteca."""

import hashlib
import hmac
import re
from bisect import bisect
from copy import deepcopy
from itertools import accumulate, count
from math import comb, sqrt

CONDUCT = ("resign", "offer", "accept", "decline", "withdraw", "claim", "hints")


class Stranger:
    """Repeats the draws of the seal and compares the words of every entry."""

    def __init__(self, record: dict) -> None:
        self.record, self.seal, self.drawn, self.picks = record, record["seal"], 0, []
        self.seats = list(range(1, len(record["seats"]) + 1))
        self.key = bytes.fromhex(self.seal["seed"])
        assert hashlib.sha256(self.key).hexdigest() == self.seal["commitment"], "not the sealed seed"

    def check(self) -> int:
        """Return how many draws there were. Raise AssertionError where one does not follow from the seal."""
        self.kept, before = self.first(), []
        n_given = self.record.get("given", {}).get("entries", 0)
        for number, entry in enumerate(self.record["log"], start=1):
            before.append(deepcopy(self.kept))
            verb, *words = entry["move"].split(" ")
            self.picks = list(entry.get("picks", []))
            self.told = entry["move"] if number <= n_given else None
            assert self.told is None or not self.picks, f"entry {number} was given, and has picks"
            if verb == "takeback":
                self.kept = deepcopy(before[int(words[0])])
            elif entry["by"] and verb not in CONDUCT:
                self.moved(entry["by"], verb, words)
            elif not entry["by"] and verb not in ("timeout", "gone", "bot", "back", "time", "rest"):
                found = self.drawn_by_table(verb, words)
                assert found == entry["move"], f"entry {number}: {entry['move']} was drawn as {found}"
            assert not self.picks, f"entry {number} has more picks than draws"
        return self.drawn

    def draw(self, outcomes: list, weights: list | None = None):
        if self.told is not None:
            return self.read(outcomes)
        (ticket, total), self.drawn = self.picks.pop(0), self.drawn + 1
        reached = [*accumulate(weights or [1] * len(outcomes))]
        assert total == reached[-1], "another total"
        words = (self.word(i) for i in count(1))
        assert ticket == next(word for word in words if word < (1 << 64) // total * total) % total, "another ticket"
        return outcomes[bisect(reached, ticket)]

    def read(self, outcomes: list):
        """Return the outcome that a given entry tells next: no seal of this match drew it."""
        told = [(self.told.find(str(one)), -len(str(one)), one) for one in outcomes if str(one) in self.told]
        place, length, found = min(told)
        self.told = self.told[place - length :]
        return found

    def word(self, i: int) -> int:
        text = ":".join([self.seal["match"], *self.seal["bytes"], str(self.drawn), str(i)])
        return int.from_bytes(hmac.digest(self.key, text.encode(), "sha256")[:8], "big")

    def without_repeats(self, outcomes: str, times: int) -> list:
        left = list(outcomes)
        return [left.pop(left.index(self.draw(left))) for _ in range(times)]


class TicTacMatch(Stranger):
    CARDS = dict.fromkeys(["XR", "XB", "XY", "XG", "OR", "OB", "OY", "OG"], 6) | {"F": 4, "W": 4, "D": 4}

    def first(self) -> dict:
        return {"pile": dict(self.CARDS), "top": {}, "hands": {seat: [] for seat in self.seats}}

    def moved(self, by: int, verb: str, words: list) -> None:
        if verb == "target":
            self.kept["hands"][int(words[0])] = []
        elif verb in self.CARDS:
            self.kept["hands"][by].remove(verb)
            self.kept["top"].update({words[0]: verb} if words else {})

    def drawn_by_table(self, verb: str, words: list) -> str:
        pile, top, hands = self.kept.values()
        if verb == "dealer":
            return f"dealer {self.draw(self.seats)}"
        if verb in ("shuffle", "redeal"):
            self.draw([verb])
            hands[int(words[0]) if words else 0] = []
            gone = [*top.values(), *(card for hand in hands.values() for card in hand)]
            pile.update({kind: n - gone.count(kind) for kind, n in self.CARDS.items()} if verb == "shuffle" else {})
            return " ".join([verb, *words])
        cards = [self.card(pile) for _ in words[verb != "reveal" :]]
        if verb == "reveal":
            top.update({"b2": cards[0]} if len(cards[0]) == 2 else {})
            return f"reveal {cards[0]}"
        hands[int(words[0])] += cards
        return " ".join([verb, words[0], *cards])

    def card(self, pile: dict) -> str:
        kinds = [kind for kind in pile if pile[kind]]
        card = self.draw(kinds, [pile[kind] for kind in kinds])
        pile[card] -= 1
        return card


class PinPoint(Stranger):
    def first(self) -> dict:
        return {"holes": [f"{column}{row}" for row in range(1, 11) for column in "abcdefghij"], "hand": list("RYGB")}

    def moved(self, by: int, verb: str, words: list) -> None:
        if re.fullmatch("[RYGB](=[RYGB])?[a-j][0-9]+", verb):
            self.fill(verb.lstrip("RYGB="), verb[0])

    def fill(self, hole: str, colour: str) -> None:
        holes, hand = self.kept.values()
        holes[holes.index(hole)] = holes[-1]
        holes.pop()
        hand.remove(colour)
        self.kept["hand"] = hand or list("RYGB")

    def drawn_by_table(self, verb: str, words: list) -> str:
        if verb == "start":
            return f"start {self.draw(self.seats)}"
        if verb == "setup":
            pins = [*zip(self.without_repeats("RYGB", 4), ("d4", "d7", "g4", "g7"), strict=True)]
            for colour, hole in pins:
                self.fill(hole, colour)
            return " ".join(["setup", *(colour + hole for colour, hole in pins)])
        colour, hole = self.kept["hand"][0], self.draw(self.kept["holes"])
        self.fill(hole, colour)
        return colour + hole


class Aftaebr(Stranger):
    def first(self) -> dict:
        return {}

    def moved(self, by: int, verb: str, words: list) -> None:
        """No draw depends on it."""

    def drawn_by_table(self, verb: str, words: list) -> str:
        return " ".join(["lots", *self.without_repeats("1234", len(self.seats))])


class MatchnLock(Stranger):
    def first(self) -> dict:
        texts = [word.split("=")[-1] for entry in self.record["log"] for word in entry["move"].split() if ":" in word]
        self.printed = {text.split(":")[0]: text for text in texts}  # of those that were seen
        return {"tokens": [f"t{k}" for k in range(1, 67)], "bag": 66, "laid": {}, "held": None, "old": None, "lots": 1}

    def moved(self, by: int, verb: str, words: list) -> None:
        kept = self.kept
        kept["bag"], kept["lots"] = 66 if kept["lots"] else kept["bag"], 0
        if verb[0] in "abcdefgh" and len(verb) == 2:
            kept["laid"][verb] = kept["held"]
        elif verb.endswith("!"):
            kept["old"] = verb[:-1]

    def swap(self, token: str, place: int) -> None:
        tokens = self.kept["tokens"]
        own = tokens.index(token)
        tokens[own], tokens[place] = tokens[place], token

    def token(self) -> str:
        token = self.draw(self.kept["tokens"][: self.kept["bag"]])
        self.kept["bag"] -= 1
        self.swap(token, self.kept["bag"])
        return token

    def drawn_by_table(self, verb: str, words: list) -> str:
        kept = self.kept
        if verb == "lots":
            kept["bag"] = 66 if kept["bag"] < len(words) else kept["bag"]
            return " ".join(["lots", *(f"{word.split('=')[0]}={self.printed.get(self.token())}" for word in words)])
        kept["held"] = self.token()
        if kept["old"]:
            self.swap(kept["laid"][kept["old"]], kept["bag"])
            kept["bag"] += 1
            kept["laid"][kept["old"]], kept["old"] = kept["held"], None
        return str(self.printed.get(kept["held"]))


class KingBrick(Aftaebr):
    # the standard deviation at no speed and at full speed, the limits and the decimals
    HAND = {"dir": (0.4, 5, 0, 360, 1), "speed": (0, 0.3, 0.05, 2.5, 2), "height": (0.2, 1.2, -6, 6, 1)}
    HAND["side"] = (0.2, 1.2, -7, 7, 1)

    def moved(self, by: int, verb: str, words: list) -> None:
        if verb == "flick":
            self.kept["aim"] = {name: float(value) for name, value in (word.split("=") for word in words[1:])}

    def made(self, name: str) -> str:
        a, b, least, most, decimals = self.HAND[name]
        if self.told is not None:  # the made value is told, not what was drawn for it
            return next(word for word in self.told.split(" ") if word.startswith(f"{name}="))
        heads = self.draw([*range(49)], [comb(48, k) for k in range(49)])
        error = (heads - 24) / sqrt(12) * (a + (b - a) * (self.kept["aim"]["speed"] / 2.5) ** 2)
        value = round(self.kept["aim"][name] + error, decimals)
        value = value % 360 if name == "dir" else min(max(value, least), most)
        text = f"{value + 0.0:.{decimals}f}".rstrip("0").rstrip(".")
        return f"{name}={'0' if text == '-0' else text}"

    def drawn_by_table(self, verb: str, words: list) -> str:
        if verb == "hand":
            return " ".join(["hand", *map(self.made, self.HAND)])
        if verb == "start":
            return f"start {self.draw(self.seats)}"
        self.told = self.told and self.told.removeprefix(f"roll {words[0]}")
        return f"roll {words[0]} {self.draw([*range(1, 7)])}"


GAMES = {
    "aftaebr": Aftaebr,
    "kingbrick": KingBrick,
    "matchnlock": MatchnLock,
    "pinpoint": PinPoint,
    "tictacmatch": TicTacMatch,
}


def strange_draws(record: dict) -> int:
    return GAMES[record["game"]](record).check()
