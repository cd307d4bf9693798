"""What Subdivision's bots say in whole games: they answer, never repeat themselves, and tell the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final

import pytest
from msgspec.structs import replace

from games.api import Character
from games.kit.characters import CHARACTERS, unnamed
from games.subdivision.bot.bot import BOT
from games.subdivision.bot.situation import (
    ATTACKS,
    CLAIMS,
    MAX_USES,
    NAMED,
    ONCE,
    PROPOSALS,
    WAIVERS,
    intent_of,
)
from games.subdivision.bot.voices import TONES, WORDINGS, find_tone, read_tone
from games.subdivision.rules.values import SubdivisionOptions
from games.subdivision.texts import TEXTS
from tests.games.subdivision.facts import MAY_LIE, TRUE, Facts, check_truth
from tests.games.subdivision.talking import TalkingTable
from tests.games.talking_table import Saying

GAMES: Final = pytest.mark.parametrize("count", [10, pytest.param(20, marks=pytest.mark.at_length)])
"""The number of games that the tests below look at."""
EXCHANGES: Final = 3


def seat_characters(number: int) -> list[Character]:
    """Four characters, other ones in every game."""
    return [CHARACTERS[(number + 2 * place) % len(CHARACTERS)] for place in range(4)]


@cache
def play(number: int) -> tuple[Saying, ...]:
    options = SubdivisionOptions(
        set="threeHouse" if number % 4 == 0 else "fullStash",
        private_parks=number % 3 == 0,
        stuck="anywhere" if number % 5 == 0 else "pass",
    )
    table = TalkingTable(seat_characters(number), f"talk {number}", options)
    table.play()
    return tuple(table.sayings)


def play_games(count: int) -> list[tuple[Saying, ...]]:
    return [play(number) for number in range(count)]


def count_exchanges(sayings: Sequence[Saying]) -> int:
    """The proposals that were answered by the seat that they were made to."""
    return sum(
        any(
            answer.spoken.seat == saying.spoken.addressee and answer.spoken.addressee == saying.spoken.seat
            for answer in sayings[index + 1 :]
        )
        for index, saying in enumerate(sayings)
        if intent_of(saying.spoken.key) in PROPOSALS
    )


@GAMES
def test_at_least_three_proposals_are_answered_in_every_game(count: int) -> None:
    assert min(map(count_exchanges, play_games(count))) >= EXCHANGES


@GAMES
def test_no_line_is_repeated_in_a_game(count: int) -> None:
    for sayings in play_games(count):
        lines = [(saying.spoken.key, tuple(sorted(saying.spoken.args.items()))) for saying in sayings]
        assert len(set(lines)) == len(lines)


@GAMES
def test_every_line_is_true_of_the_state_it_was_said_in(count: int) -> None:
    assert TRUE.keys() == WORDINGS.keys() >= MAY_LIE
    for sayings in play_games(count):
        for saying in sayings:
            check_truth(saying)


# --- contradictions ---


def list_contradictions(sayings: Sequence[Saying]) -> list[Saying]:
    """What a bot has said against what it had said before, or against its own promise."""
    return [saying for index, saying in enumerate(sayings) if _contradicts(saying, sayings[:index])]


def _contradicts(saying: Saying, earlier: Sequence[Saying]) -> bool:
    facts, intent = Facts(saying), intent_of(saying.spoken.key)
    own = [one.spoken for one in earlier if one.spoken.seat == saying.spoken.seat]
    claimed = {said.args.get(CLAIMS.get(intent_of(said.key), "")) for said in own}
    waived = {said.args.get(WAIVERS.get(intent_of(said.key), "")) for said in own} - {None}
    args = saying.spoken.args
    claims, waives = args.get(CLAIMS.get(intent, "")), args.get(WAIVERS.get(intent, ""))
    if claims in waived or (waives is not None and waives in claimed):
        return True
    enemy = args.get("enemy")
    if intent in ATTACKS and isinstance(enemy, int):
        left_alone = any(intent_of(said.key) == "noHit" and said.args["enemy"] == enemy for said in own)
        at_peace = facts.promised(facts.by, enemy, "avoid_crowding", None)
        return at_peace or (left_alone and not facts.has_wronged(enemy))
    attacked = {said.args["enemy"] for said in own if intent_of(said.key) in ATTACKS}
    if intent == "noHit":
        return enemy in attacked
    return intent in ("truce", "yesSpare", "yesTruce", "deliverTruce") and saying.spoken.addressee in attacked


@GAMES
def test_no_bot_contradicts_itself(count: int) -> None:
    for sayings in play_games(count):
        assert list_contradictions(sayings) == []


@GAMES
def test_no_square_is_promised_to_two_seats(count: int) -> None:
    for sayings in play_games(count):
        for saying in sayings:
            given = [
                (promise.by, promise.terms["square"])
                for promise in saying.promises
                if promise.kind == "leave_square" and promise.judgement is None
            ]
            assert len(set(given)) == len(given)


def test_a_planted_contradiction_is_found() -> None:
    """The test above would notice if a bot gave away a square that it has asked for, and the reverse."""
    asked = next(
        saying for game in play_games(10) for saying in game if intent_of(saying.spoken.key) == "askLeave"
    )
    gave = asked._replace(spoken=replace(asked.spoken, key=WORDINGS["yesLeave"][0]))
    assert list_contradictions([asked, gave]) == [gave]
    assert list_contradictions([gave, asked]) == [asked]


# --- voices ---


def test_the_three_characters_of_a_level_sound_different() -> None:
    for level in BOT.levels:
        tones = [find_tone(character) for character in CHARACTERS if character.level == level]
        assert sorted(tones) == sorted(TONES)
    assert find_tone(unnamed("hard")) == ""


@pytest.mark.parametrize("intent", WORDINGS)
def test_there_are_words_for_everybody(intent: str) -> None:
    tones = {read_tone(key) for key in WORDINGS[intent]}
    assert tones == ({""} if intent == "substitute" else {"", *TONES})


@GAMES
def test_nobody_speaks_in_the_tone_of_another(count: int) -> None:
    for sayings in play_games(count):
        for saying in sayings:
            assert read_tone(saying.spoken.key) in ("", find_tone(saying.character))


@GAMES
def test_answers_right_below_the_question_name_hardly_anybody(count: int) -> None:
    """Nearly every line once named somebody, also between two who were talking to each other."""
    answers = [
        saying.spoken.key
        for sayings in play_games(count)
        for saying in sayings
        if saying.before
        and saying.before[-1].seat == saying.spoken.addressee
        and intent_of(saying.spoken.key) not in NAMED
    ]
    named = sum("to" in TEXTS.remarks[key] for key in answers)
    assert 5 * named <= len(answers) > 4 * count


@GAMES
def test_between_more_than_two_a_proposal_names_whom_it_is_for(count: int) -> None:
    for sayings in play_games(count):
        for saying in sayings:
            if intent_of(saying.spoken.key) in NAMED:
                assert "to" in TEXTS.remarks[saying.spoken.key]


@GAMES
def test_no_sentence_is_worn_out(count: int) -> None:
    for sayings in play_games(count):
        for key, times in Counter(saying.spoken.key for saying in sayings).items():
            assert times <= (1 if intent_of(key) in ONCE else MAX_USES)


@GAMES
def test_nobody_makes_two_proposals_of_one_kind(count: int) -> None:
    for sayings in play_games(count):
        made = Counter((saying.spoken.seat, intent_of(saying.spoken.key)) for saying in sayings)
        assert all(times == 1 for (_, intent), times in made.items() if intent in PROPOSALS - {"counter"})


@GAMES
def test_squares_are_talked_of_in_every_game(count: int) -> None:
    for sayings in play_games(count):
        assert {"askLeave", "swap"} & {intent_of(saying.spoken.key) for saying in sayings}
