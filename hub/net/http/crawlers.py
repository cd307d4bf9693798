"""What search engines read: robots.txt (RFC 9309) and a sitemap (sitemaps.org/protocol.html)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from xml.sax.saxutils import escape

CLOSED_TO_CRAWLERS: Final = ("/t/", "/api/", "/ws/", "/admin")
"""The starts of paths that crawlers stay away from: tables, and what is not a page."""


def robots(base: str) -> str:
    """The contents of robots.txt; `base` is the hub's URL without a trailing slash."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in CLOSED_TO_CRAWLERS)]
    return "\n".join([*lines, "", f"Sitemap: {base}/sitemap.xml", ""])


def sitemap(base: str, paths: Iterable[str]) -> str:
    """The contents of sitemap.xml, with the pages at these paths."""
    pages = "".join(f"  <url><loc>{escape(base + path)}</loc></url>\n" for path in paths)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{pages}</urlset>\n'
    )
