"""Playing many games: the same plan gives the same bytes, however the games are spread over workers."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from games.simulate import figures, playing, pool, report, table
from games.simulate import plan as planning
from tests.games.simulate.plans import ALMOST, MODES, plan_of, played


@pytest.mark.parametrize("options", MODES[:2])
@pytest.mark.parametrize("games", [6, pytest.param(20, marks=pytest.mark.at_length)])
def test_one_worker_and_two_give_the_same_bytes(options: str, games: int) -> None:
    plan = plan_of(options, games=games, compare="target=8")
    done: list[int] = []
    one = pool.play_all(plan, ALMOST, 1, done.append)
    two = pool.play_all(plan, ALMOST, 2, done.append)
    assert sum(done) == 4 * games
    assert one == two
    assert not one.stopped
    assert table.text(plan, ALMOST, one.rows) == table.text(plan, ALMOST, two.rows)
    pages = [report.page(figures.report(plan, ALMOST, rows), "1") for rows in (one.rows, two.rows)]
    assert pages[0] == pages[1]


def test_the_order_in_which_games_end_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(games=12)
    straight = table.text(plan, ALMOST, played(plan))
    numbers = list(range(12))
    random.Random(3).shuffle(numbers)
    monkeypatch.setattr(pool, "range", lambda total: numbers, raising=False)
    assert table.text(plan, ALMOST, played(plan)) == straight


def test_ctrl_c_keeps_the_finished_games(monkeypatch: pytest.MonkeyPatch) -> None:
    def advance(count: int) -> None:
        done.append(count)
        if len(done) == 3:
            raise KeyboardInterrupt

    for workers in (1, 2):
        done: list[int] = []
        played_games = pool.play_all(plan_of(games=400), ALMOST, workers, advance)
        assert played_games.stopped
        assert 3 <= len(played_games.rows) < 400
        assert [row.number for row in played_games.rows] == sorted({row.number for row in played_games.rows})
        plan = plan_of(games=400)
        assert played_games.rows[0] == playing.play(
            ALMOST, planning.match(plan, played_games.rows[0].number), 5_000
        )


def test_an_exception_in_a_worker_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "faulty_bot.py").write_text(
        "class Bot:\n    levels = ('a',)\n"
        "    def decide(self, observation, level, dice):\n        return 1 // 0\nBOT = Bot()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    plan = plan_of(bot="faulty_bot:BOT", games=4)
    with pytest.raises(
        playing.Broke, match=r"Game \d broke off with ZeroDivisionError.*faulty_bot.py, line 4"
    ):
        pool.play_all(plan, planning.load(plan.game, plan.bot), 2, lambda count: None)
