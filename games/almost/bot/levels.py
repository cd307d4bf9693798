"""The parameters of the Almost bot's levels."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Level = Literal["easy", "normal", "hard"]
LEVELS: Final[tuple[Level, ...]] = ("easy", "normal", "hard")


class SkillLevel(NamedTuple):
    """The parameters of a level; all but the last two are percentages."""

    propose: int
    """How often it proposes a plan without waiting for others to."""
    selfish: int
    """How often it proposes itself as the one who scores."""
    counter: int
    """How often it answers a plan that pays another seat with one of its own."""
    agree: int
    """How often it agrees to a plan that pays another seat, where it gains by that."""
    loyal: int
    """How often it follows a plan that pays a partner."""
    defect: int
    """How often it breaks a plan that shuts it out for good."""
    sharp: bool
    """Whether it draws bids from the mix as it is, not from a blunted one."""
    evaluates: bool
    """Whether it computes what each bid is worth instead of drawing from the fixed mix."""


SKILL_LEVELS: Final[dict[str, SkillLevel]] = {
    "easy": SkillLevel(15, 40, 0, 85, 92, 30, False, False),
    "normal": SkillLevel(45, 80, 30, 90, 97, 60, True, False),
    "hard": SkillLevel(75, 100, 60, 95, 100, 90, True, True),
}
