"""The figures of a simulation, and which of them are named as findings."""

from __future__ import annotations

import pytest

from games.simulate import figures, findings
from games.simulate import plan as planning
from tests.games.simulate.plans import ALMOST, plan_of, reported, row


def test_shared_wins_are_split_by_seat_and_by_level() -> None:
    rows = [
        row(0),
        row(1, winners=(0, 1)),
        row(2, winners=()),
        row(3, levels=("normal", "hard", "normal", "hard"), winners=(1, 2, 3)),
        row(4, end="limit", winners=(), scores=()),
    ]
    side = figures.report(plan_of(levels="hard,normal"), ALMOST, rows).sides[0]
    value = {key: one.interval.value for key, one in side.figures.items()}
    assert [value[f"seat:{seat}"] for seat in range(4)] == pytest.approx(
        [1.5 / 4, (0.5 + 1 / 3) / 4, 1 / 12, 1 / 12]
    )
    assert value["level:hard"] == pytest.approx((1 + 0.5 + 2 / 3) / 8)
    assert value["level:normal"] == pytest.approx((0.5 + 1 / 3) / 8)
    assert side.even == 3 / 16
    assert sum(value[f"seat:{seat}"] for seat in range(4)) == pytest.approx(4 * side.even)
    assert (value["nobody"], value["tied"], value["limit"]) == (0.25, 0.5, 0.2)
    assert value["margin"] == 3
    assert value["forced"] == pytest.approx(0.2)
    assert side.figures["turns"].sample.n == 4


def test_options_are_reported_by_their_values() -> None:
    plan = plan_of("target=8/10,discussion=none", games=20)
    (effect,) = reported(plan).sides[0].effects
    assert (effect.option, effect.values, effect.games) == ("target", (8, 10), (10, 10))
    assert len(effect.figures) == len(effect.explained) == len(figures.BY_OPTION)
    assert effect.explained[0] == 0  # every game has six turns


def test_an_option_that_matters_is_named() -> None:
    summary = reported(plan_of("discussion=timed/none", games=20))
    texts = [one.text for one in findings.findings(summary)]
    assert any("discussion matters most for “minutes" in text and "(100%" in text for text in texts)


def test_only_a_clear_difference_is_reported() -> None:
    clear = reported(plan_of("discussion=none", games=20, compare="discussion=timed"))
    assert {one.a.key: one.clear for one in clear.differences}["minutes"]
    assert any("From A to B, minutes" in one.text for one in findings.findings(clear))
    same = reported(plan_of("discussion=none", games=20, compare="discussion=none"))
    assert not {one.a.key: one.clear for one in same.differences}["turns"]
    assert {one.a.key for one in same.differences} >= {"seat:0", "level:hard", "move:lock", "score"}
    assert planning.side_title(same.plan, 0) == "the same"


def test_a_seat_with_an_edge_is_named() -> None:
    rows = [row(number, winners=(number % 10 // 4,)) for number in range(400)]
    texts = [
        one.text for one in findings.findings(figures.report(plan_of(levels="hard,normal"), ALMOST, rows))
    ]
    assert "Seat 0 wins 40.0% of its games, more than the even 25.0%." in texts
    assert "Seat 3 wins 0.0% of its games, less than the even 25.0%." in texts
    assert not any(text.startswith("No seat") for text in texts)


def test_the_values_in_moves_are_counted() -> None:
    counted = figures.count_values(
        [row(), row(values={"lock.number": {1: 1, 3: 1}, "agree.x": {"b": 1, "a": 2}})]
    )
    assert [(one.field, dict(one.counts)) for one in counted] == [
        ("agree.x", {"a": 2, "b": 1}),
        ("lock.number", {1: 7, 3: 1, 10: 2}),
    ]
    assert list(counted[1].counts) == [1, 3, 10]


def test_figures_are_formatted_for_people() -> None:
    assert figures.format_value("share", 0.1234) == "12.3%"
    assert figures.format_value("share", -0.1234, sign=True) == "−12.3 pp"
    assert figures.format_value("number", 12345.6) == "12,346"
    assert figures.format_value("number", 1.234, sign=True) == "+1.23"
    assert figures.format_interval("share", 0.1, 0.2) == "10.0 to 20.0%"
