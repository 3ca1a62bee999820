"""Checks files of records, and says what is proved: the rules hold, chance follows the seal, who signed it."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from ludoteca.core.errors import BadRecord, BadSeal
from ludoteca.core.match import Match
from ludoteca.core.record import Record, from_json, lines_of
from ludoteca.core.signing import BadSignature, signer_of

State = Literal["holds", "absent", "broken", "unread"]


class Finding(msgspec.Struct, frozen=True):
    """One thing that a record can prove. `absent`: it does not try to; `unread`: something else is wrong before."""

    state: State
    why: str = ""


class Verdict(msgspec.Struct, frozen=True):
    line: int
    rules: Finding
    chance: Finding = Finding("unread")
    signature: Finding = Finding("absent")
    signer: str | None = None  # the public key
    given: int = 0  # entries that come from another match: no seal covers their chance

    @property
    def complaints(self) -> list[str]:
        named = (("rules", self.rules), ("chance", self.chance), ("signature", self.signature))
        return [f"{name}: {finding.why}" for name, finding in named if finding.state == "broken"]


def verdicts(path: Path, measure: bool = False, signed_by: str | None = None) -> Iterator[Verdict]:
    """Yield a verdict for every line. `measure` repeats measurements; `signed_by` wants that key's signature."""
    for number, line in lines_of(path):
        yield verdict(number, line, measure, signed_by)


def verdict(number: int, line: bytes, measure: bool = False, signed_by: str | None = None) -> Verdict:
    signature, signer = _signature(line, signed_by)
    try:
        record = from_json(line)
    except BadRecord as error:
        return Verdict(number, Finding("broken", str(error)), signature=signature, signer=signer)
    try:
        rules, chance = _replayed(record, measure)
    except Exception as error:  # a foreign file must not stop us from checking its later lines
        rules, chance = Finding("broken", f"it cannot be replayed: {type(error).__name__}: {error}"), Finding("unread")
    given = 0 if record.given is msgspec.UNSET else record.given.entries
    return Verdict(number, rules, chance, signature, signer, given)


def _replayed(record: Record, measure: bool) -> tuple[Finding, Finding]:
    try:
        match = Match.load(record, measure=measure)
    except BadSeal as error:
        return _by_rules_alone(record, measure), Finding("broken", str(error))
    except BadRecord as error:
        return Finding("broken", str(error)), Finding("unread")
    if match.seal is not None:
        return Finding("holds"), Finding("holds")
    return Finding("holds"), Finding("absent", "no seal" if record.seal is None else "the seed is still secret")


def _by_rules_alone(record: Record, measure: bool) -> Finding:
    try:
        Match.load(msgspec.structs.replace(record, seal=None), measure=measure)
    except BadRecord as error:
        return Finding("broken", str(error))
    return Finding("holds")


def _signature(line: bytes, wanted: str | None) -> tuple[Finding, str | None]:
    try:
        signer = signer_of(line)
    except BadSignature as error:
        return Finding("broken", str(error)), None
    if wanted is not None and signer is None:
        return Finding("broken", "it is not signed"), None
    if wanted is not None and signer != wanted:
        return Finding("broken", f"it is signed by {signer}"), signer
    return Finding("holds" if signer else "absent"), signer


class Tally:
    """Counts what the records of a file prove."""

    def __init__(self, measured: bool) -> None:
        self._measured = measured
        self.records = self.bad = self.rules = self.chance = self.given = 0
        self._signers: Counter[str | None] = Counter()

    def add(self, verdict: Verdict) -> None:
        self.records += 1
        self.bad += bool(verdict.complaints)
        self.rules += verdict.rules.state == "holds"
        self.chance += verdict.chance.state == "holds"
        self.given += verdict.given > 0
        if verdict.signature.state != "broken":
            self._signers[verdict.signer] += 1

    def lines(self) -> list[str]:
        measured = "measured again" if self._measured else "taken as the record has it (--measure measures again)"
        signed = [f"signed by {key}: {n}" for key, n in sorted(self._signers.items(), key=str) if key]
        return [
            f"{self.records} records: {self.records - self.bad} good, {self.bad} bad",
            f"the rules hold: {self.rules}; what physics decided is {measured}",
            f"chance follows the seal: {self.chance}",
            *([f"begun from a position whose draws no seal covers: {self.given}"] if self.given else []),
            *signed,
            f"not signed: {self._signers[None]}; names, times and who was a bot are proved by a signature alone",
        ]
