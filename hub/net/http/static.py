"""The browser client as static files: read once at startup, served from memory.

The build has compressed scripts and styles (client-js/build/compressed.ts): with brotli, which browsers take
over https and on the hub's own machine, and with gzip, which they take everywhere.

Files under `assets/` have a hash of their content in their name and may be cached forever; everything else is
revalidated each time, usually with a 304. A browser that opens an unknown address gets the page, which says
that nothing is there; any other request for an unknown address gets the API's own 404.
"""

from __future__ import annotations

import gzip
import mimetypes
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from hub.net.http.crawlers import robots, sitemap
from hub.net.http.requests import base_url

WEB: Final = Path(__file__).resolve().parents[2] / "_web"
"""The folder with the built client (client-js/vite.config.ts)."""

SCRIPT: Final = re.compile(rb'<script type="module"[^>]* src="/assets/([^"/]+)\.js"')

ABSOLUTE: Final = re.compile(rb'(property="og:(?:image|url)" content="|rel="canonical" href=")(?=/)')
"""What stands before the paths in a page that those who read it want as whole URLs."""

RANGE: Final = re.compile(r"bytes=([0-9]{1,9})-([0-9]{1,9})?")

NOT_BUILT: Final = "The browser client is not built yet. Stop this hub and run: make run\n"

DOCUMENTS: Final = frozenset({"index.html", "table.html"})
"""The client's page, for home and for tables (client-js/build/preload.ts)."""

GAME_PAGE: Final = re.compile(r"g/(\w+)\.html")
"""The page about a game, served without its ending (client-js/build/gamepages.ts)."""

BROTLI: Final = ".br"
"""The ending of files that the build compressed with brotli (RFC 7932)."""
GZIP: Final = ".gz"
"""The ending of files that the build compressed with gzip (RFC 1952)."""
COMPRESSED: Final = frozenset({BROTLI, GZIP})

IMMUTABLE: Final = "public, max-age=31536000, immutable"
REVALIDATE: Final = "no-cache"

TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mp4": "video/mp4",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webm": "video/webm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""Fixed here, because the machine's own list of types may differ."""


@dataclass(frozen=True, slots=True)
class Page:
    """One file with its headers."""

    plain: bytes
    packed: bytes | None
    type: str
    etag: str
    cache: str
    brotli: bytes | None = None

    def response(self, request: Request) -> Response:
        headers = {"cache-control": self.cache, "etag": self.etag}
        if self.type.startswith("video/"):
            headers["accept-ranges"] = "bytes"
            part = RANGE.fullmatch(request.headers.get("range", ""))
            if part is not None:
                return self._respond_part(int(part[1]), int(part[2] or len(self.plain)), headers)
        if self.etag in (tag.strip() for tag in request.headers.get("if-none-match", "").split(",")):
            return Response(status_code=304, headers={**headers, "vary": "accept-encoding"})
        return self._respond(request, 200, headers)

    def _respond_part(self, start: int, end: int, headers: dict[str, str]) -> Response:
        """The bytes from `start` to `end`, both included (RFC 9110 section 14): iPhones play no video
        otherwise."""
        size = len(self.plain)
        part = self.plain[start : end + 1]
        if not part:
            return Response(status_code=416, headers={**headers, "content-range": f"bytes */{size}"})
        headers["content-range"] = f"bytes {start}-{start + len(part) - 1}/{size}"
        return Response(part, 206, headers, self.type)

    def missing(self, request: Request) -> Response:
        """The page as a 404 response."""
        return self._respond(request, 404, {"cache-control": "no-store"})

    def _respond(self, request: Request, status: int, headers: dict[str, str]) -> Response:
        headers["vary"] = "accept-encoding"
        if self.brotli is not None and accepts_encoding(request, "br"):
            headers["content-encoding"] = "br"
            return Response(self.brotli, status, headers, self.type)
        if self.packed is not None and accepts_encoding(request, "gzip"):
            headers["content-encoding"] = "gzip"
            return Response(self.packed, status, headers, self.type)
        return Response(self.plain, status, headers, self.type)


class Site:
    """The files of one folder; `/` serves index.html, the client's page, `/t/<code>` table.html, and
    `/g/<game>` the page about a game.

    Those who make previews of links want whole URLs in them, and so do search engines: `public_url` is added
    there.
    """

    def __init__(self, folder: Path = WEB, public_url: str | None = None) -> None:
        files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
        read = {path.relative_to(folder).as_posix(): path for path in files if path.suffix not in COMPRESSED}
        self._public_url = public_url
        self._pages = {_serve_as(name): _read(path, folder) for name, path in read.items()}
        if public_url is not None:
            for name, page in self._pages.items():
                if name in DOCUMENTS or name.startswith("g/"):
                    whole = ABSOLUTE.sub(rb"\g<1>" + public_url.encode(), page.plain)
                    self._pages[name] = make_page(whole, page.type)

    @property
    def build(self) -> str | None:
        """This build of the client, named after its last script, whose hash covers all others."""
        page = self._pages.get("index.html")
        scripts = [] if page is None else SCRIPT.findall(page.plain)
        return scripts[-1].decode() if scripts else None

    def routes(self) -> list[BaseRoute]:
        """One route serves all files; the last one the 404 page."""
        files = FileRoute(self.file, self._pages)
        not_found = [NotFound("/{path:path}", self.not_found)] if "index.html" in self._pages else []
        crawlers = [Route("/robots.txt", self.robots), Route("/sitemap.xml", self.sitemap)]
        return [Route("/", self.index), Route("/t/{code}", self.table), *crawlers, files, *not_found]

    def files(self) -> frozenset[str]:
        """The paths of the files."""
        return frozenset(f"/{name}" for name in self._pages)

    async def index(self, request: Request) -> Response:
        page = self._pages.get("index.html")
        return PlainTextResponse(NOT_BUILT, 503) if page is None else page.response(request)

    async def table(self, request: Request) -> Response:
        """The page for a table: the same, except that it names what a table loads next."""
        page = self._pages.get("table.html")
        return await self.index(request) if page is None else page.response(request)

    async def file(self, request: Request) -> Response:
        return self._pages[request.url.path[1:]].response(request)

    async def robots(self, request: Request) -> Response:
        """What crawlers may read, and where the sitemap is."""
        return PlainTextResponse(robots(base_url(request, self._public_url)))

    async def sitemap(self, request: Request) -> Response:
        """Home and the pages about games, at the address of the request if there is no public URL."""
        pages = ["/", *(f"/{name}" for name in self._pages if name.startswith("g/"))]
        text = sitemap(base_url(request, self._public_url), pages)
        return Response(text, media_type="application/xml")

    async def not_found(self, request: Request) -> Response:
        return self._pages["index.html"].missing(request)


class FileRoute(Route):
    """The paths of these files, without the slash before them."""

    def __init__(self, endpoint: Callable[[Request], Awaitable[Response]], names: Collection[str]) -> None:
        super().__init__("/{path:path}", endpoint)
        self._names = names

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["type"] != "http" or scope["path"][1:] not in self._names:
            return Match.NONE, {}
        return super().matches(scope)


class NotFound(Route):
    """Any path that a browser opens as a page, except those of the API; scripts' requests do not match."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, child = super().matches(scope)
        if match is not Match.FULL or f"{scope['path']}/".startswith(("/api/", "/ws/")):
            return Match.NONE, {}
        return (match, child) if _accepts(Request(scope), "accept", "text/html") else (Match.NONE, {})


def accepts_encoding(request: Request, encoding: str) -> bool:
    """Whether the client accepts this encoding (RFC 9110 section 12.5.3, the part browsers use)."""
    return _accepts(request, "accept-encoding", encoding)


def _accepts(request: Request, header: str, value: str) -> bool:
    """Whether a preference header lists this value with a weight above 0."""
    for part in request.headers.get(header, "").lower().split(","):
        name, _, weight = part.replace(" ", "").partition(";")
        if name == value:
            return weight not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def make_page(plain: bytes, kind: str) -> Page:
    """A page with these bytes, compressed once if that helps."""
    packed = gzip.compress(plain, 9, mtime=0)
    return Page(plain, packed if len(packed) < 0.9 * len(plain) else None, kind, _etag(plain), REVALIDATE)


def _etag(plain: bytes) -> str:
    return f'"{sha256(plain).hexdigest()[:24]}"'


def _serve_as(name: str) -> str:
    """The path at which a file is served, without the slash before it."""
    game = GAME_PAGE.fullmatch(name)
    return name if game is None else f"g/{game[1]}"


def _read(path: Path, folder: Path) -> Page:
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    plain = path.read_bytes()
    if path.relative_to(folder).parts[0] != "assets":
        return make_page(plain, kind)
    packed, brotli = (_read_compressed(path, ending) for ending in (GZIP, BROTLI))
    return Page(plain, packed, kind, _etag(plain), IMMUTABLE, brotli)


def _read_compressed(path: Path, ending: str) -> bytes | None:
    compressed = path.with_name(path.name + ending)
    return compressed.read_bytes() if compressed.is_file() else None
