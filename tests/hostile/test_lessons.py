"""Lessons over the wire: each to its end, who may not, what is refused, and after a crash (R29)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from games import GAMES
from games.api import LEARNER, PROMISE, Lesson, LessonStep
from games.testing.lessons import play_lesson
from tests.harness.processes import HubProcess
from tests.hostile.live_hub import LiveHub, Person, Socket
from tests.hostile.live_hub import table as sit_down

pytestmark = pytest.mark.asyncio
SETTINGS: Final = {"rate": "100000"}
GAME: Final = "almost"


def lesson_of(game: str) -> Lesson:
    lesson: Lesson | None = GAMES[game].game.lesson
    assert lesson is not None
    return lesson


class Learner:
    """A person in a lesson."""

    def __init__(self, game: str, person: Person, place: dict[str, Any], socket: Socket) -> None:
        self.lesson = lesson_of(game)
        self.person = person
        self.place = place
        self.socket = socket

    @classmethod
    async def begin(cls, hub: LiveHub, http: httpx.AsyncClient, game: str = GAME) -> Learner:
        person = await Person.come(hub, http, "Ann")
        place = await person.place("/api/lessons", game=game)
        return cls(game, person, place, await Socket.sit(hub, place))

    @property
    def room(self) -> str:
        return str(self.place["room"])

    @property
    def done(self) -> int:
        return int(self.socket.sections["table"]["lesson"])

    async def act(self, **act: Any) -> str | None:
        code: str | None = (await self.socket.command("manage", act=act)).get("code")
        return code

    async def do(self, step: LessonStep, **changed: Any) -> str | None:
        """Makes a step's move, or a similar one, for the learner's seat."""
        prompts = self.socket.sections["prompts"]["prompts"]
        prompt = next(each["id"] for each in prompts if each["kind"] == step.prompt and 0 in each["seats"])
        move = {**step.move, **changed}
        code: str | None = (await self.socket.command("do", prompt=prompt, move=move)).get("code")
        return code

    async def go(self, most: int | None = None) -> None:
        """Plays on up to this step, or to the end."""
        for number, step in enumerate(self.lesson.steps[:most]):
            if number < self.done:
                continue
            goes_on = step.task is None or step.prompt == PROMISE
            answer = await (self.act(do="go_on", step=number) if goes_on else self.do(step))
            assert answer is None, (number, answer)
            await self.socket.until(lambda number=number: self.done == number + 1)  # type: ignore[misc]


@pytest.mark.parametrize("game", GAMES)
async def test_a_lesson_is_played_to_its_end(live_hub: LiveHub, game: str) -> None:
    """R29: it ends as the rules alone say; it is not listed, and has no record and no next table."""
    async with live_hub.http() as http:
        learner = await Learner.begin(live_hub, http, game)
        await learner.go()
        await learner.socket.until(lambda: "result" in learner.socket.sections)
        outcome = play_lesson(GAMES[game].game)
        result = learner.socket.sections["result"]["outcome"]
        assert (result["winners"], result["scores"]) == (list(outcome.winners), list(outcome.scores))
        for path, status in (("record", 404), ("rematch", 409)):
            method = "GET" if path == "record" else "POST"
            bearer = {"authorization": f"Bearer {learner.person.token}"}
            answer = await http.request(
                method,
                f"/api/rooms/{learner.room}/{path}",
                headers=bearer,
                json=None if method == "GET" else {},
            )
            assert answer.status_code == status, answer.text
        lobby = (await http.get("/api/rooms")).json()["rooms"]
        assert all(room["room"] != learner.room for room in lobby)
        await learner.socket.cut()


async def test_nobody_else_comes_in(live_hub: LiveHub) -> None:
    """R29: not to watch or to sit down, nor by anything that the host of another table could do."""
    async with live_hub.http() as http:
        learner = await Learner.begin(live_hub, http)
        eve = await Person.come(live_hub, http, "Eve")
        for path in ("enter", "seats/1", "seats/0", "rematch"):
            body: dict[str, Any] = {"rotated": False} if path == "rematch" else {}
            answer = await eve.prompt(f"/api/rooms/{learner.room}/{path}", **body)
            assert answer.status_code in (404, 409), (path, answer.text)
        for act in (
            {"do": "close_watching", "closed": False},
            {"do": "take_latecomers", "on": True},
            {"do": "free_seat", "seat": 1},
            {"do": "stand_in"},
            {"do": "offer_seat", "on": True},
            {"do": "call_vote", "kind": "end", "seat": None},
            {"do": "hand_over", "seat": 1},
            {"do": "skip_to_end"},
            {"do": "start"},
        ):
            assert await learner.act(**act) == "NOT_IN_LESSON", act
        assert (await eve.prompt(f"/api/rooms/{learner.room}/enter")).json()["code"] == "WATCHING_CLOSED"
        assert learner.done == 0
        await learner.socket.cut()


async def test_other_moves_are_refused(live_hub: LiveHub) -> None:
    """R29: a step is made once, by whoever has to make it; and only a lesson has steps."""
    async with live_hub.http() as http:
        learner = await Learner.begin(live_hub, http)
        assert await learner.act(do="go_on", step=1) == "NOT_NOW"
        own = next(step for step in learner.lesson.steps if step.seat == LEARNER)
        assert await learner.do(learner.lesson.steps[8]) == "NOT_IN_LESSON"  # it is a bot's turn
        assert [await learner.act(do="go_on", step=0) for _ in range(2)] == [None, "NOT_NOW"]
        await learner.go(learner.lesson.steps.index(own))
        assert await learner.act(do="go_on", step=learner.done) == "NOT_IN_LESSON"
        assert await learner.do(own, plan=99) not in (None, "NOT_IN_LESSON"), "the rules say why"
        assert await learner.do(learner.lesson.steps[8]) == "NOT_IN_LESSON"
        number = next(i for i, step in enumerate(learner.lesson.steps) if step.move.get("move") == "lock")
        await learner.go(number + 1)
        lock = learner.lesson.steps[number + 1]
        assert lock.seat == LEARNER
        bid = LessonStep(seat=LEARNER, prompt=lock.prompt, move={"move": "bid", "number": 7})
        assert await learner.do(bid) is None, "a draft is free"
        assert await learner.do(lock, number=7) == "NOT_IN_LESSON"
        assert learner.done == number + 1
        assert await learner.do(lock) is None
        assert await learner.act(do="free_seat", seat=0) is None
        await learner.socket.until_closed()
        await learner.socket.cut()

        sitting = await sit_down(live_hub, http)
        answer = await sitting.sockets[0].command("manage", act={"do": "go_on", "step": 0})
        assert answer["code"] == "NOT_NOW"
        assert sitting.sockets[0].sections["table"]["lesson"] is None
        await sitting.leave()


async def test_what_cannot_be_learnt(live_hub: LiveHub) -> None:
    """H8: an unknown game, or no person."""
    async with live_hub.http() as http:
        person = await Person.come(live_hub, http, "Ann")
        answer = await person.prompt("/api/lessons", game="chess")
        assert (answer.status_code, answer.json()["code"]) == (422, "NO_LESSON")
        assert GAME in answer.json()["advice"]
        assert (await http.post("/api/lessons", json={"game": GAME})).status_code == 401


async def test_only_lessons_have_fixed_dice(live_hub: LiveHub) -> None:
    """R29, G7: two lessons have the same seed, and no other table has it."""
    async with live_hub.http() as http:
        learners = [await Learner.begin(live_hub, http) for _ in range(2)]
        hashes = [learner.socket.sections["table"]["seed_hash"] for learner in learners]
        sitting = await sit_down(live_hub, http)
        assert hashes[0] == hashes[1] != sitting.sockets[0].sections["table"]["seed_hash"]
        await sitting.leave()
        for learner in learners:
            await learner.socket.cut()


async def test_a_lesson_survives_a_crash(tmp_path: Path) -> None:
    """R29, G6.1: kill -9 in the middle, and twice while a step is made; it goes on where it was.

    A step that was under way may have been made or not, so bots make the two that follow each other.
    """
    reached = 14
    assert all(step.seat != LEARNER for step in lesson_of(GAME).steps[reached : reached + 2])
    with HubProcess(tmp_path) as process:
        hub = LiveHub(process.url, process.pid, tmp_path)
        async with hub.http() as http:
            learner = await Learner.begin(hub, http)
            await learner.go(reached)
            await learner.socket.cut()
        process.kill()
        process.start()
        for _ in range(2):
            hub = LiveHub(process.url, process.pid, tmp_path)
            async with hub.http() as http:
                learner.person.http = http
                place = await learner.person.place(f"/api/rooms/{learner.room}/enter")
                learner.socket = await Socket.sit(hub, place)
                assert learner.done in range(reached, reached + 2)
                reached = learner.done
                assert learner.lesson.steps[reached].seat != LEARNER
                session = learner.socket.welcome["session"]
                await learner.socket.say(
                    t="manage", session=session, n=1, act={"do": "go_on", "step": reached}
                )
                process.kill()
                await learner.socket.cut()
            process.start()
        hub = LiveHub(process.url, process.pid, tmp_path)
        async with hub.http() as http:
            learner.person.http = http
            place = await learner.person.place(f"/api/rooms/{learner.room}/enter")
            learner.socket = await Socket.sit(hub, place)
            async with asyncio.timeout(60):
                await learner.go()
            await learner.socket.until(lambda: "result" in learner.socket.sections)
            await learner.socket.cut()
