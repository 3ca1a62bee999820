"""The built web, from a folder of the package. An address that names no file gets the page, which understands it."""

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from email.utils import formatdate
from functools import lru_cache
from pathlib import Path, PurePosixPath

from litestar import Response

FOLDER = Path(__file__).parent / "web"
NOT_BUILT = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Ludoteca</title>
<h1>The web is not built</h1>
<p>The server runs, but the page that belongs to it is missing. In a clone of the repository,
<code>make play</code> builds it; a released wheel carries it.</p>
</html>
"""
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))  # the better one first
TYPES = {".js": "text/javascript", ".woff2": "font/woff2", ".webmanifest": "application/manifest+json"}
ROOT = '<meta name="root" content=""'  # in the page, which reads its root there
FOR_EVER, ALWAYS_ASK = "public, max-age=31536000, immutable", "no-cache"


def page(path: str, headers: Mapping[str, str], root: str = "", folder: Path = FOLDER) -> Response[bytes]:
    """Return the file at an address, or the page.

    `headers` are those of the request, in lower case; `root` is the path that our own paths follow.
    """
    named = path.strip("/")
    file = _file(folder, named) if named else None
    if file is None:
        if PurePosixPath(named).suffix or named.startswith("assets/"):
            return Response(b"", status_code=404, media_type="text/plain")
        file = folder / "index.html"
        if not file.is_file():
            return Response(NOT_BUILT, status_code=503, media_type="text/html")
    if file.name == "index.html":
        return _front_page(file, headers, root)
    return _response(file, headers, named.startswith("assets/"))


def _front_page(file: Path, headers: Mapping[str, str], root: str) -> Response[bytes]:
    """Return the page with absolute addresses: it is served at many paths, and perhaps below a root."""
    plain, small, tag = _rooted(file, file.stat().st_mtime_ns, root)
    zipped = "gzip" in _accepted(headers)
    answer = {"cache-control": ALWAYS_ASK, "etag": tag, "vary": "accept-encoding"}
    if zipped:
        answer["content-encoding"] = "gzip"
    if headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, headers=answer, media_type="text/html")
    return Response(small if zipped else plain, status_code=200, headers=answer, media_type="text/html")


@lru_cache(maxsize=4)
def _rooted(file: Path, changed: int, root: str) -> tuple[bytes, bytes, str]:
    """Return the page below a root, plain and zipped, and its tag."""
    text = file.read_text(encoding="utf-8")
    plain = text.replace('="./', f'="{root}/').replace(ROOT, f'{ROOT[:-1]}{root}"').encode()
    return plain, gzip.compress(plain, mtime=0), f'"{hashlib.sha256(plain).hexdigest()[:16]}"'


def _file(folder: Path, named: str) -> Path | None:
    try:
        file = (folder / named).resolve()
        return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
    except (OSError, ValueError):  # too long, or with a zero byte in it
        return None


def _response(file: Path, headers: Mapping[str, str], named_by_content: bool) -> Response[bytes]:
    encoding, sent = _encoded(file, _accepted(headers))
    stat = sent.stat()
    tag = f'"{stat.st_mtime_ns:x}-{stat.st_size:x}"'
    answer = {
        "cache-control": FOR_EVER if named_by_content else ALWAYS_ASK,
        "etag": tag,
        "last-modified": formatdate(stat.st_mtime, usegmt=True),
        "vary": "accept-encoding",
    }
    if encoding:
        answer["content-encoding"] = encoding
    if headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, headers=answer, media_type=_type(file))
    return Response(sent.read_bytes(), status_code=200, headers=answer, media_type=_type(file))


def _encoded(file: Path, taken: set[str]) -> tuple[str | None, Path]:
    """Return a copy of the file that was compressed when the web was built, if the browser accepts one."""
    for encoding, suffix in ENCODINGS:
        copy = file.with_name(file.name + suffix)
        if encoding in taken and copy.is_file():
            return encoding, copy
    return None, file


def _accepted(headers: Mapping[str, str]) -> set[str]:
    return {part.partition(";")[0].strip() for part in headers.get("accept-encoding", "").split(",")}


def _type(file: Path) -> str:
    return TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
