"""The client's files are served, compressed, and cached by browsers while valid (H12 of
docs/SPEC.md)."""

from __future__ import annotations

import gzip
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest
from starlette.applications import Starlette

from hub.net.http.static import NOT_BUILT, Site
from tests.net.http.world import World

PAGE = "<!doctype html><title>Parley</title>" + "<p>words</p>" * 100
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
SCRIPT = "export const words = 'words'\n" * 100


@pytest.fixture
def web(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "favicon.svg").write_text("<svg/>")
    (tmp_path / "site.webmanifest").write_text("{}")
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "index-4f3a.js").write_text(SCRIPT)
    (tmp_path / "assets" / "index-4f3a.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (tmp_path / "assets" / "font-77.woff2").write_bytes(bytes(range(256)))
    return tmp_path


async def prompt(web: Path, path: str, method: str = "GET", **headers: str) -> httpx.Response:
    app = Starlette(routes=Site(web).routes())
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        return await client.request(method, path, headers={"accept-encoding": "identity", **headers})


@pytest.mark.asyncio
@pytest.mark.parametrize("path", ["/", "/t/BCDFGH"])
async def test_the_page(web: Path, path: str) -> None:
    answer = await prompt(web, path)
    assert answer.text == PAGE
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("path", "kind", "cache"),
    [
        ("/assets/index-4f3a.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/assets/font-77.woff2", "font/woff2", "public, max-age=31536000, immutable"),
        ("/favicon.svg", "image/svg+xml", "no-cache"),
        ("/site.webmanifest", "application/manifest+json", "no-cache"),
    ],
)
async def test_files(web: Path, path: str, kind: str, cache: str) -> None:
    answer = await prompt(web, path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == kind
    assert answer.headers["cache-control"] == cache
    assert answer.content == (web / path[1:]).read_bytes()


@pytest.mark.asyncio
async def test_pages_and_scripts_are_compressed_for_clients_that_accept_it(web: Path) -> None:
    page = await prompt(web, "/", **{"accept-encoding": "gzip"})
    assert page.headers["content-encoding"] == "gzip"
    assert page.text == PAGE
    for accept in ("gzip", "gzip, deflate, br", "br, GZIP;q=0.5"):
        answer = await prompt(web, "/assets/index-4f3a.js", **{"accept-encoding": accept})
        assert answer.headers["content-encoding"] == "gzip"
        assert int(answer.headers["content-length"]) < len(SCRIPT) / 5
        assert answer.text == SCRIPT
    for accept in ("", "identity", "br", "gzip;q=0", "gzip; q=0.0"):
        answer = await prompt(web, "/assets/index-4f3a.js", **{"accept-encoding": accept})
        assert "content-encoding" not in answer.headers
        assert answer.headers["vary"] == "accept-encoding"
    random = await prompt(web, "/assets/font-77.woff2", **{"accept-encoding": "gzip"})
    assert "content-encoding" not in random.headers


@pytest.mark.asyncio
async def test_what_the_build_compressed_is_sent_to_clients_that_accept_it(web: Path) -> None:
    built = b"\x0b as the build has compressed it"
    (web / "assets" / "index-4f3a.js.br").write_bytes(built)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(Starlette(routes=Site(web).routes())), base_url="http://localhost"
    ) as client:
        for accept, encoding in (
            ("gzip, deflate, br, zstd", "br"),
            ("br", "br"),
            ("gzip, br;q=0", "gzip"),
            ("gzip", "gzip"),
            ("identity", None),
        ):
            async with client.stream(
                "GET", "/assets/index-4f3a.js", headers={"accept-encoding": accept}
            ) as answer:
                assert answer.headers.get("content-encoding") == encoding
                assert answer.headers["vary"] == "accept-encoding"
                content = b"".join([part async for part in answer.aiter_raw()])
                assert (content == built) == (encoding == "br")
    for ending in ("br", "gz"):
        assert (await prompt(web, f"/assets/index-4f3a.js.{ending}")).status_code == 404


@pytest.mark.asyncio
async def test_a_part_of_a_video(web: Path) -> None:
    (web / "awake.mp4").write_bytes(bytes(range(100)))
    for asked, start, end in (("0-1", 0, 1), ("40-", 40, 99), ("90-400", 90, 99)):
        answer = await prompt(web, "/awake.mp4", range=f"bytes={asked}")
        assert (answer.status_code, answer.content) == (206, bytes(range(start, end + 1)))
        assert answer.headers["content-range"] == f"bytes {start}-{end}/100"
        assert answer.headers["content-type"] == "video/mp4"
    for asked in ("100-", "7-3"):
        assert (await prompt(web, "/awake.mp4", range=f"bytes={asked}")).status_code == 416
    for asked in ("-5", "0-1,3-4", "x"):
        answer = await prompt(web, "/awake.mp4", range=f"bytes={asked}")
        assert (answer.status_code, len(answer.content)) == (200, 100), "what is not understood is ignored"
    assert (await prompt(web, "/favicon.svg", range="bytes=0-1")).status_code == 200


@pytest.mark.asyncio
async def test_asked_again(web: Path) -> None:
    tag = (await prompt(web, "/")).headers["etag"]
    again = await prompt(web, "/", **{"if-none-match": f'"other", {tag}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    (web / "index.html").write_text(PAGE + "more")
    assert (await prompt(web, "/", **{"if-none-match": tag})).status_code == 200


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "path",
    [
        "/assets",
        "/assets/",
        "/assets/none.js",
        "/../secret",
        "/%2e%2e/secret",
        "/assets/..%2findex.html",
    ],
)
async def test_paths_outside_the_folder(web: Path, path: str) -> None:
    (web.parent / "secret").write_text("secret")
    assert (await prompt(web, path)).status_code == 404


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.asyncio
@pytest.mark.parametrize("path", ["/nonsense", "/t/", "/t/BCDFGH/x", "/assets/none", "/apis", "/%2e%2e/x"])
async def test_a_browser_at_an_unknown_path_gets_the_page(web: Path, path: str) -> None:
    answer = await prompt(web, path, accept=BROWSER)
    assert (answer.status_code, answer.text) == (404, PAGE)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    tag = (await prompt(web, "/")).headers["etag"]
    again = await prompt(web, path, **{"accept": BROWSER, "if-none-match": tag, "accept-encoding": "gzip"})
    assert (again.status_code, again.text) == (404, PAGE)
    assert (await prompt(web, path, "HEAD", accept=BROWSER)).status_code == 404
    assert (await prompt(web, path, "POST", accept=BROWSER)).text != PAGE


@pytest.mark.asyncio
async def test_scripts_and_the_api_get_no_page(web: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    for path in ("/api", "/api/", "/api/none", "/ws/none"):
        answer = await prompt(web, path, accept=BROWSER)
        assert (answer.status_code, answer.text) == (404, "Not Found")
    for accept in ("*/*", "", "application/json", "text/html;q=0"):
        answer = await prompt(web, "/nonsense", accept=accept)
        assert (answer.status_code, answer.text) == (404, "Not Found")
    not_built = tmp_path_factory.mktemp("web")
    assert (await prompt(not_built, "/nonsense", accept=BROWSER)).text == "Not Found"


@pytest.mark.asyncio
async def test_head(web: Path) -> None:
    assert (await prompt(web, "/", "HEAD")).status_code == 200
    assert (await prompt(web, "/", "POST")).status_code == 405


@pytest.mark.asyncio
async def test_a_hub_without_its_client_says_so(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        for path in ("/", "/t/BCDFGH"):
            answer = await prompt(folder, path)
            assert (answer.status_code, answer.text) == (503, NOT_BUILT)
            assert "make run" in answer.text


def test_the_build_is_named_by_the_last_script(tmp_path: Path) -> None:
    """The script's hash changes when any other file does. A hub without its client has no build."""
    assert Site(tmp_path).build is None
    scripts = ("rolldown-runtime-1a", "parley-D2Px9XJA")
    lines = [f'<script type="module" crossorigin src="/assets/{name}.js"></script>' for name in scripts]
    (tmp_path / "index.html").write_text("\n".join(["<!doctype html>", *lines]))
    assert Site(tmp_path).build == "parley-D2Px9XJA"
    (tmp_path / "index.html").write_text("<!doctype html>")
    assert Site(tmp_path).build is None


@pytest.mark.asyncio
async def test_previews_of_links_say_nothing_about_a_table(web: Path) -> None:
    """Open, private, finished or unknown: the same bytes, with the picture's whole URL if it is known."""
    page = (Path(__file__).parents[3] / "client-js" / "index.html").read_text()
    (web / "index.html").write_text(page)
    codes = ("BCDFGH", "BCDFGHJK", "c2VjcmV0LXJvb20taWQtMjI", "nonsense")
    answers = [await prompt(web, f"/t/{code}", **{"user-agent": "Twitterbot/1.0"}) for code in codes]
    answers.append(await prompt(web, "/"))
    assert len({(answer.status_code, answer.content, repr(answer.headers)) for answer in answers}) == 1
    assert '<meta property="og:image" content="/preview.png" />' in answers[0].text
    app = Starlette(routes=Site(web, "https://play.example.org").routes())
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        known = (await client.get("/t/BCDFGH")).text
    assert '<meta property="og:image" content="https://play.example.org/preview.png" />' in known
    assert known.replace("https://play.example.org/", "/") == page


ABOUT = """<link rel="canonical" href="/g/almost"/>
<meta property="og:url" content="/g/almost"/> <meta property="og:image" content="/preview.png"/>
<a href="/g/shares">Share and Share Alike</a>"""


@pytest.fixture
def pages(web: Path) -> Path:
    (web / "g").mkdir()
    (web / "g" / "almost.html").write_text(ABOUT)
    return web


async def ask_hub(web: Path, path: str, public_url: str | None = None) -> httpx.Response:
    """The answer of a whole hub, with its headers, to a browser."""
    world = World(web=web, public_url=public_url)
    async with world.client(base="http://10.1.2.3:8420") as client:
        return await client.get(path, headers={"accept": BROWSER})


@pytest.mark.asyncio
async def test_the_page_about_a_game(pages: Path) -> None:
    """Only games have one, and it may load nothing from elsewhere (H10, H12)."""
    answer = await ask_hub(pages, "/g/almost")
    assert (answer.status_code, answer.text) == (200, ABOUT)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["x-content-type-options"] == "nosniff"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "style-src 'self';" in policy
    for path in ("/g/x", "/g/", "/g/almost.html", "/g/almost/x"):
        assert (await ask_hub(pages, path)).status_code == 404
    assert "/g/almost" in Site(pages).files(), "requests for it are not limited"


@pytest.mark.asyncio
async def test_search_engines_get_whole_addresses_of_the_page_about_a_game(pages: Path) -> None:
    known = (await ask_hub(pages, "/g/almost", "https://play.example.org")).text
    assert 'rel="canonical" href="https://play.example.org/g/almost"' in known
    assert 'property="og:url" content="https://play.example.org/g/almost"' in known
    assert 'property="og:image" content="https://play.example.org/preview.png"' in known
    assert known.replace("https://play.example.org/", "/") == ABOUT


@pytest.mark.asyncio
@pytest.mark.parametrize("public_url", [None, "https://play.example.org"])
async def test_search_engines_find_the_pages_and_no_table(pages: Path, public_url: str | None) -> None:
    base = public_url or "http://10.1.2.3:8420"
    robots = await ask_hub(pages, "/robots.txt", public_url)
    assert robots.headers["content-type"] == "text/plain; charset=utf-8"
    assert f"Sitemap: {base}/sitemap.xml" in robots.text.splitlines()
    for path in ("/t/", "/api/", "/admin"):
        assert f"Disallow: {path}" in robots.text.splitlines()
    sitemap = await ask_hub(pages, "/sitemap.xml", public_url)
    assert sitemap.headers["content-type"] == "application/xml"
    locations = [loc.text for loc in ElementTree.fromstring(sitemap.text).iter(f"{{{SITEMAP}}}loc")]
    assert locations == [f"{base}/", f"{base}/g/almost"]
