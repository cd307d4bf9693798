"""How many commands and questions a turn answers, and how many questions a person may ask."""

from __future__ import annotations

from hub.net.command_budget import COMMANDS_PER_TURN, QUESTIONS, QUESTIONS_PER_TURN, CommandBudget
from tests.harness.manual_clock import ManualClock


def test_a_turn_answers_so_many_commands_and_so_many_questions() -> None:
    """G8.22: neither uses up what the other may."""
    clock = ManualClock()
    budget = CommandBudget(clock)
    for _ in range(2):
        for number in range(QUESTIONS_PER_TURN):
            assert budget.answers_questions()
            assert budget.ask(f"p-{number}")
        assert not budget.answers_questions()
        spent = [budget.spend() for _ in range(COMMANDS_PER_TURN + 1)]
        assert spent == [True] * COMMANDS_PER_TURN + [False]
        clock.run_soon()


def test_a_person_may_ask_so_many_questions_over_all_sockets() -> None:
    """G8.24: others ask as before, even in the same turn."""
    clock = ManualClock()
    budget = CommandBudget(clock)

    def ask(times: int) -> int:
        """How many of Ann's questions are answered."""
        return sum(budget.ask("p-ann") for _ in range(times))

    assert ask(2 * int(QUESTIONS.burst)) == QUESTIONS.burst < QUESTIONS_PER_TURN / 2
    assert budget.answers_questions()
    assert budget.ask("p-bea")
    clock.advance(1.0)
    assert ask(2 * int(QUESTIONS.rate)) == QUESTIONS.rate
