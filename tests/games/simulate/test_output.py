"""What a simulation writes: the CSV file, the page, and the text in the terminal."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from games.simulate import figures, findings, report, table, terminal
from games.simulate import plan as planning
from tests.games.simulate.plans import ALMOST, plan_of, played, reported, row


def test_the_csv_describes_every_game() -> None:
    plan = plan_of("target=8/10", games=6)
    rows = played(plan)
    text = table.text(plan, ALMOST, rows)
    assert "\r" not in text
    read = list(csv.DictReader(io.StringIO(text)))
    assert [int(line["number"]) for line in read] == list(range(6))
    assert {line["option_target"] for line in read} == {"8", "10"}
    for line, game in zip(read, rows, strict=True):
        assert None not in line
        assert [int(seat) for seat in line["winners"].split()] == list(game.winners)
        assert int(line["move_lock"]) == game.move_counts["lock"]
        assert line["levels"].split() == list(game.levels)
        assert line["seed"] == planning.game_seed(7, game.number).hex()


def test_every_column_is_documented() -> None:
    text = (Path(__file__).parents[3] / "docs" / "SIMULATE.md").read_text()
    documented = set(re.findall(r"^\| `(\w+)` \|", text, flags=re.M))
    assert set(table.FIXED) <= documented


def test_the_page_has_a_style_for_every_tone() -> None:
    tones = get_args(get_type_hints(findings.Finding)["tone"])
    assert set(report.SIGNS) == set(terminal.MARKS) == set(tones)
    assert all(f".{tone} .sign" in report.STYLE.read_text() for tone in tones)


class Page(HTMLParser):
    """A parser that checks that tags are closed and collects what the page would fetch."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.fetched: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.fetched += [name for name, _ in attrs if name in ("src", "href", "srcset", "data", "action")]
        for _, value in attrs:
            assert "nan" not in (value or "").lower().split()
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize(
    ("options", "compare"),
    [
        ("", None),
        ("target=8/10,discussion=each", None),
        ("target=12", "target=10"),
        ("", "seats=6,levels=hard"),
    ],
)
@pytest.mark.parametrize("games", [8, pytest.param(24, marks=pytest.mark.at_length)])
def test_the_page_is_one_file_that_fetches_nothing(options: str, compare: str | None, games: int) -> None:
    plan = plan_of(options, games=games, compare=compare)
    text = report.page(reported(plan), "1.2.3")
    page = Page(text)
    assert page.fetched == []
    assert page.tags["script"] == page.tags["link"] == page.tags["img"] == 0
    assert "url(" not in text
    assert "@import" not in text
    assert page.tags["svg"] > 8
    assert planning.command(plan) in text
    assert "prefers-color-scheme: dark" in text
    assert "1.2.3" in text


def test_the_page_escapes_foreign_text() -> None:
    plan = plan_of(games=2)
    rows = [row(values={"lock.number": {"<b>": 1, "&": 2}})]
    text = report.page(figures.report(plan, ALMOST, rows), "<1>")
    assert "<b>:" not in text
    assert "&lt;b&gt;" in text
    assert "&lt;1&gt;" in text


def test_one_game_is_enough_for_a_page() -> None:
    for only in (
        [row()],
        [row(end="stuck", winners=(), scores=())],
        [row(winners=(), move_counts={}, forced={})],
    ):
        summary = figures.report(plan_of(levels="hard,normal"), ALMOST, only)
        Page(report.page(summary, "1"))
        assert "What stands out" in terminal.text(summary)


def test_a_comparison_that_was_stopped_early_has_one_side() -> None:
    summary = figures.report(plan_of(levels="hard", compare="target=8"), ALMOST, [row()])
    assert len(summary.sides) == 1
    assert "of the 24 requested" in report.page(summary, "1")
    assert "What stands out" in terminal.text(summary)


def test_the_text_fits_a_terminal() -> None:
    for compare in (None, "target=8"):
        text = terminal.text(reported(plan_of("target=10/12", games=12, compare=compare)))
        lines = [line for line in text.splitlines() if not re.match(r"  [·→!] ", line)]
        assert max(map(len, lines)) <= 104
