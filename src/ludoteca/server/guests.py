"""Guests: a signed cookie says who somebody is. There are no accounts. keys.py says where the key is stored."""

import base64
import hmac
import secrets
from collections.abc import Mapping

import msgspec

from ludoteca.server.refusals import BadName
from ludoteca.server.text import clean_line

COOKIE = "ludoteca_guest"
KEPT_FOR = 365 * 24 * 3600  # seconds
LONGEST_NAME = 24

# Names that are offered; anybody may choose another.
BIRDS = (
    "Avocet", "Bittern", "Bunting", "Chough", "Condor", "Curlew", "Dipper", "Dunlin", "Eagle", "Egret", "Falcon",
    "Finch", "Gannet", "Godwit", "Goshawk", "Grebe", "Heron", "Hoopoe", "Ibis", "Jackdaw", "Jay", "Kestrel",
    "Kingfisher", "Kite", "Lapwing", "Lark", "Linnet", "Magpie", "Martin", "Merlin", "Nightjar", "Oriole", "Osprey",
    "Ouzel", "Owl", "Petrel", "Pipit", "Plover", "Puffin", "Quail", "Raven", "Robin", "Rook", "Shrike", "Siskin",
    "Snipe", "Starling", "Stork", "Swallow", "Swan", "Swift", "Tern", "Thrush", "Turnstone", "Wagtail", "Warbler",
    "Waxwing", "Wren",
)  # fmt: skip


class Guest(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    name: str
    since: int = 0  # when the cookie was signed, in milliseconds since 1970


_decoder = msgspec.json.Decoder(Guest)


def clean_name(name: str) -> str:
    """Return a name as it is shown; raise BadName if nothing or too much is left of it."""
    cleaned = clean_line(name)
    if not 1 <= len(cleaned) <= LONGEST_NAME:
        raise BadName(name, LONGEST_NAME)
    return cleaned


class Guests:
    def __init__(self, key: bytes, revoked: Mapping[str, int] | None = None) -> None:
        """`key` signs the cookies."""
        self._key = key
        self._revoked = dict(revoked or {})  # by guest: cookies that were signed earlier are refused

    def revoke(self, guest: str, before: int) -> None:
        """Refuse the cookies of a guest that were signed before a moment."""
        self._revoked[guest] = max(before, self._revoked.get(guest, 0))

    def new(self) -> Guest:
        return Guest(secrets.token_urlsafe(12), secrets.choice(BIRDS))

    def cookie(self, guest: Guest, now: int = 0) -> str:
        """Return a cookie signed now, or a moment later if the cookies signed until now are revoked."""
        since = max(now, guest.since, self._revoked.get(guest.id, 0))
        payload = _text(msgspec.json.encode(msgspec.structs.replace(guest, since=since)))
        return f"{payload}.{self._signature(payload)}"

    def known(self, cookie: str | None) -> Guest | None:
        """Return the guest of a cookie; None if there is none, we did not sign it, or it was revoked."""
        payload, _, signature = (cookie or "").partition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(payload).encode()):
            return None
        guest = _decoder.decode(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        return guest if guest.since >= self._revoked.get(guest.id, 0) else None

    def digest(self, text: str) -> str:
        """Return a digest of a text that must not be stored itself, such as an address."""
        return _text(hmac.digest(self._key, f"digest {text}".encode(), "sha256")[:12])

    def _signature(self, payload: str) -> str:
        return _text(hmac.digest(self._key, payload.encode(), "sha256"))


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
