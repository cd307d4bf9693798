"""Playthroughs show what the current rules do; a stale one names the command that rewrites it."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import GAMES
from games.api import Registration
from games.testing import playthroughs
from games.testing.playthroughs import COMMAND, Script, render

FILES = list(playthroughs.files())
ENTRY = GAMES["almost"]
HEAD = '> game seats=3 seed="x" options={"discussion":"none"}\n'


@pytest.mark.parametrize(("entry", "path"), FILES, ids=[f"{path.parts[-3]}-{path.stem}" for _, path in FILES])
def test_a_playthrough_is_of_today(entry: Registration, path: Path) -> None:
    text = path.read_text()
    assert text == render(entry, text), f"{path.name} is stale; to rewrite it: {COMMAND}"


def test_every_game_has_playthroughs() -> None:
    assert {path.parts[-3] for _, path in FILES} == set(GAMES)


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("> 0 bid:1 lock number=3", "first command"),
        (HEAD + "> dance", "unknown command"),
        (HEAD + "> 0 bid:1 lock number", "name=value"),
        (HEAD + "> time 30000", "use expire"),
        (HEAD + "> bots hard", "playthrough:2: bots: 1 levels for 3 seats"),
        (HEAD + "> bots hard hard best", "playthrough:2: bots: no level 'best'"),
        ('> game seats=2 seed="x"', "refused"),
        ('> game seats=3 seed="x" options={"timers":"off","discussion":"none"}\n> expire', "no window"),
        (HEAD + "> 0 bid:1 lock number=3\n> extend 0", "cannot extend"),
    ],
)
def test_scripts_that_cannot_be_played(script: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        render(ENTRY, script)


def test_rendering_a_rendered_playthrough_changes_nothing() -> None:
    once = render(ENTRY, HEAD + "# a word\n> 0 bid:1 lock number=3\n> 0 bid:1 lock number=4\n")
    assert render(ENTRY, once) == once
    assert "refused: LOCKED (GEN-5)" in once
    assert render(ENTRY, HEAD + "> 0 bid:2 lock number=3").endswith("refused: STALE_PROMPT (GEN-4)\n")


def test_the_command_finds_and_writes_stale_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.txt"
    path.write_text(HEAD + "> 0 bid:1 lock number=3\n")
    monkeypatch.setattr(playthroughs, "files", lambda: iter([(ENTRY, path)]))
    assert playthroughs.main([]) == 1
    assert COMMAND in capsys.readouterr().out
    assert playthroughs.main(["--write"]) == 0
    assert '"done":[true,false,false]' in path.read_text()
    assert playthroughs.main([]) == 0


def test_script_is_a_value_error() -> None:
    assert issubclass(Script, ValueError)
