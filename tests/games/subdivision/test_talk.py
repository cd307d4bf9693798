"""What Subdivision's bots say in whole games: they answer, never repeat themselves, and tell the truth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from games.api import Character
from games.kit.characters import CHARACTERS
from games.subdivision.bot.situation import PROPOSALS, WORDINGS, intent_of
from games.subdivision.rules.values import SubdivisionOptions
from tests.games.subdivision.facts import MAY_LIE, TRUE, check_truth
from tests.games.subdivision.talking import Scene, TalkingTable

GAMES: Final = 20
EXCHANGES: Final = 3


def seat_characters(number: int) -> list[Character]:
    """Four characters, other ones in every game."""
    return [CHARACTERS[(number + 2 * place) % len(CHARACTERS)] for place in range(4)]


@cache
def play_games() -> tuple[tuple[Scene, ...], ...]:
    games = []
    for number in range(GAMES):
        options = SubdivisionOptions(
            set="threeHouse" if number % 4 == 0 else "fullStash",
            private_parks=number % 3 == 0,
            stuck="anywhere" if number % 5 == 0 else "pass",
        )
        table = TalkingTable(seat_characters(number), f"talk {number}", options)
        table.play()
        games.append(tuple(table.scenes))
    return tuple(games)


def count_exchanges(scenes: Sequence[Scene]) -> int:
    """The proposals that were answered by the seat that they were made to."""
    return sum(
        any(
            answer.said.seat == scene.said.addressee and answer.said.addressee == scene.said.seat
            for answer in scenes[index + 1 :]
        )
        for index, scene in enumerate(scenes)
        if intent_of(scene.said.key) in PROPOSALS
    )


def test_at_least_three_proposals_are_answered_in_every_game() -> None:
    assert min(map(count_exchanges, play_games())) >= EXCHANGES


def test_no_line_is_repeated_in_a_game() -> None:
    for scenes in play_games():
        lines = [(scene.said.key, tuple(sorted(scene.said.args.items()))) for scene in scenes]
        assert len(set(lines)) == len(lines)


def test_every_line_is_true_of_the_state_it_was_said_in() -> None:
    assert TRUE.keys() == WORDINGS.keys() >= MAY_LIE
    for scenes in play_games():
        for scene in scenes:
            check_truth(scene)
