"""The plan of a simulation: levels, seeds, options, and errors in them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.simulate import plan as planning
from games.simulate.plan import Unusable
from tests.games.simulate.plans import plan_of


def test_levels_rotate_so_that_each_has_each_seat_equally_often() -> None:
    plan = plan_of("target=8/10,discussion=none", games=12, levels="hard,normal,easy")
    met: Counter[tuple[int, int, str]] = Counter()
    for number in range(plan.total):
        match = planning.match(plan, number)
        met.update((match.variant, seat, level) for seat, level in enumerate(match.levels))
    assert len(met) == 2 * 4 * 3
    assert set(met.values()) == {2}


def test_game_seeds_depend_on_seed_and_number_and_differ_between_sides() -> None:
    plan = plan_of(games=20, compare="target=8")
    seeds = [planning.match(plan, number).seed for number in range(plan.total)]
    assert len(set(seeds)) == 40
    assert seeds[:20] == [planning.match(plan_of(games=20), number).seed for number in range(20)]
    assert [planning.match(plan, number).side for number in (0, 19, 20, 39)] == [0, 0, 1, 1]


def test_options_are_parsed_as_a_client_sends_them() -> None:
    side = plan_of("discussion=none,target=8/10,whispers=true", games=2).sides[0]
    assert [dict(one.options) for one in side.settings] == [
        {"discussion": "none", "target": 8, "whispers": True},
        {"discussion": "none", "target": 10, "whispers": True},
    ]
    chosen = plan_of("discussion=each,timers=each", games=12).sides[0]
    assert len(chosen.settings) == 12
    assert planning.list_varied_options(chosen)["discussion"] == ("timed", "none", "untilReady")


def test_a_comparison_changes_only_what_it_names() -> None:
    plan = plan_of("target=12,discussion=none", compare="target=10,seats=5,levels=hard", levels="hard,normal")
    assert plan.sides[1].seats == 5
    assert plan.sides[1].levels == ("hard",)
    assert plan.sides[1].settings[0].options == {"target": 10, "discussion": "none"}
    assert planning.side_title(plan, 0) == "4 seats, hard/normal, target=12"
    assert planning.side_title(plan, 1) == "5 seats, hard, target=10"


@pytest.mark.parametrize(
    ("options", "compare"),
    [("", None), ("target=8/12", None), ("target=12", "target=10,seats=5,levels=hard")],
)
def test_the_command_line_gives_the_same_plan(options: str, compare: str | None) -> None:
    plan = plan_of(options, compare=compare)
    words = planning.command(plan).split()
    assert words[:3] == ["parley", "simulate", "almost"]
    arguments = dict(zip(words[3::2], words[4::2], strict=True))
    assert plan == planning.plan(
        "almost",
        None,
        games=int(arguments["--games"]),
        seats=int(arguments["--seats"]),
        levels=arguments["--levels"],
        options=[arguments["--options"]] if "--options" in arguments else [],
        compare=arguments.get("--compare"),
        seed=int(arguments["--seed"]),
        limit=int(arguments["--limit"]),
    )


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ({"name": "almst"}, "no game almst: did you mean almost"),
        ({"name": "chess"}, "no game chess: this hub has "),
        ({"name": "json:loads"}, "needs a bot"),
        ({"name": "json:loads", "bot": "random"}, "json:loads is not a game: it has no key, title"),
        ({"name": "json:nothing", "bot": "random"}, "json has no nothing"),
        ({"name": "no_such_module:GAME", "bot": "random"}, "no module no_such_module"),
        ({"name": ":GAME", "bot": "random"}, "is not module:ATTRIBUTE"),
        ({"bot": "json:loads"}, "json:loads is not a bot: it has no levels, decide"),
        ({"seats": 2}, "takes 3 to 10 seats, not 2"),
        ({"levels": "hard,brutal"}, "no level brutal: choose from easy, normal, hard"),
        ({"levels": "hard,"}, "no level without a name"),
        ({"options": "targt=3"}, "no option targt: did you mean target"),
        ({"options": "nothing=3"}, "no option nothing: the options are mode, "),
        ({"options": "target"}, "target is not name=value"),
        ({"options": "target="}, "target= is not name=value"),
        ({"options": "target=101"}, "target must be a whole number from 1 to 100, not 101"),
        ({"options": "mode=chess"}, "mode must be one of almost, banbury, not chess"),
        ({"options": "whispers=perhaps"}, "whispers must be one of false, true, not perhaps"),
        ({"options": "target=100"}, r"refuses target=100 with 4 seats: OUT_OF_REACH \(ALM-10\)"),
        ({"options": "target=8/9/10", "games": 2}, "2 games are too few for 3 combinations"),
        ({"options": "discussion=each,timers=each,whispers=each,mode=each,scoring=each"}, "more than 60"),
        ({"compare": "target=200"}, "target must be"),
        ({"compare": "seats=many"}, "seats must be a whole number"),
        ({"games": 0}, "at least one game"),
        ({"limit": 0}, "at least one game"),
    ],
)
def test_an_unusable_plan_is_reported_in_one_sentence(words: dict[str, Any], fault: str) -> None:
    with pytest.raises(Unusable, match=fault) as error:
        plan_of(**words)
    assert re.fullmatch(r"[^\n]*[.?]", str(error.value))


@pytest.mark.parametrize(
    ("name", "line"), [("ZeroDivisionError", "GAME = 1 / 0"), ("SystemExit", "raise SystemExit(0)")]
)
def test_a_module_that_cannot_be_imported_is_reported(
    name: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = f"broken_by_{name}"
    (tmp_path / f"{module}.py").write_text(f"{line}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Unusable, match=rf"{module} cannot be imported \({name}"):
        plan_of(name=f"{module}:GAME", bot="random")
