"""The browser client as static files: read once at start, packed once, served from memory.

Files under `assets/` carry a hash of their content in their name and may be kept for ever; everything else is
asked for anew each time, and mostly answered 304.
"""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

WEB: Final = Path(__file__).resolve().parent.parent / "_web"
"""Where the built client is put (client-js/vite.config.ts)."""

NOT_BUILT: Final = "The browser client is not built yet. Stop this hub and run: make run\n"

FOR_EVER: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"

TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""Not left to the machine's own list of types, which may say anything."""


@dataclass(frozen=True, slots=True)
class Page:
    """One file, with all that is ever said about it."""

    plain: bytes
    packed: bytes | None
    type: str
    etag: str
    cache: str

    def response(self, request: Request) -> Response:
        headers = {"cache-control": self.cache, "etag": self.etag, "vary": "accept-encoding"}
        if self.etag in (tag.strip() for tag in request.headers.get("if-none-match", "").split(",")):
            return Response(status_code=304, headers=headers)
        if self.packed is None or not accepts_gzip(request):
            return Response(self.plain, headers=headers, media_type=self.type)
        headers["content-encoding"] = "gzip"
        return Response(self.packed, headers=headers, media_type=self.type)


class Site:
    """The files of one folder; `/` and `/t/<code>` are its index.html, where the client takes over."""

    def __init__(self, folder: Path = WEB) -> None:
        files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
        self._pages = {str(path.relative_to(folder)): _read(path, folder) for path in files}

    def routes(self) -> list[BaseRoute]:
        """One for each file, so that what is not there is nobody's."""
        files = (Route(f"/{name}", self.file, name=name) for name in self._pages)
        return [Route("/", self.index), Route("/t/{code}", self.index), *files]

    async def index(self, request: Request) -> Response:
        page = self._pages.get("index.html")
        return PlainTextResponse(NOT_BUILT, 503) if page is None else page.response(request)

    async def file(self, request: Request) -> Response:
        return self._pages[request.url.path[1:]].response(request)


def accepts_gzip(request: Request) -> bool:
    """Whether the client takes gzip (RFC 9110 section 12.5.3, as far as browsers use it)."""
    for part in request.headers.get("accept-encoding", "").lower().split(","):
        coding, _, weight = part.replace(" ", "").partition(";")
        if coding == "gzip":
            return weight not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _read(path: Path, folder: Path) -> Page:
    plain = path.read_bytes()
    packed = gzip.compress(plain, 9, mtime=0)
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    hashed = path.relative_to(folder).parts[0] == "assets"
    return Page(
        plain,
        packed if len(packed) < 0.9 * len(plain) else None,
        kind,
        f'"{sha256(plain).hexdigest()[:24]}"',
        FOR_EVER if hashed else ASK_AGAIN,
    )
