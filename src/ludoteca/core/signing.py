"""Signed records: a server vouches with its key (Ed25519) for everything in the record of a finished match.

The cryptography is imported when it is used, because the import takes long.
"""

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from ludoteca.core.errors import BadRecord
from ludoteca.core.record import Record, Signature, to_json

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_BYTES = 32


class BadSignature(BadRecord):
    """A record was changed after it was signed."""


class Signer:
    """A key that signs records."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @cached_property
    def _key(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self._secret)

    @cached_property
    def public(self) -> str:
        return str(self._key.public_key().public_bytes_raw().hex())

    def signed(self, record: Record) -> Record:
        unsigned = msgspec.structs.replace(record, signature=msgspec.UNSET)
        value = self._key.sign(canonical(json.loads(to_json(unsigned))))
        return msgspec.structs.replace(record, signature=Signature(self.public, value.hex()))


def canonical(record: dict[str, Any]) -> bytes:
    """Return the bytes that are signed: the record without `signature`, its keys sorted, no spaces, UTF-8."""
    rest = {key: value for key, value in record.items() if key != "signature"}
    return json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def signer_of(line: bytes | str) -> str | None:
    """Return the public key that signed a record, or None. Raise BadSignature if the signature does not fit."""
    if b"signature" not in (line if isinstance(line, bytes) else line.encode()):
        return None
    try:
        read = json.loads(line, object_pairs_hook=_without_doubles, parse_float=_whole, parse_constant=_whole)
    except (ValueError, RecursionError) as error:
        raise BadSignature(0, f"it cannot be read as one that could be signed: {error}") from None
    if not isinstance(read, dict) or "signature" not in read:
        return None
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        signature = msgspec.convert(read["signature"], Signature, strict=True)
        if read["signature"] != msgspec.to_builtins(signature) or signature.key != signature.key.lower():
            raise ValueError("there is more in the signature than a key and a value, in lower case")
        if signature.value != signature.value.lower():
            raise ValueError("the signature is not in lower case")
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.key))
        key.verify(bytes.fromhex(signature.value), canonical(read))
    except InvalidSignature:
        raise BadSignature(0, "the record is not as it was signed") from None
    except (ValueError, UnicodeError, msgspec.ValidationError) as error:
        raise BadSignature(0, f"the signature cannot be read: {error}") from None
    return signature.key


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _whole(text: str) -> Any:
    raise ValueError(f"numbers in a record are whole, this one is {text[:40]!r}")
