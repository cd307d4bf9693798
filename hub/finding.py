"""What `parley doctor` finds out."""

from __future__ import annotations

from typing import Literal, NamedTuple

Result = Literal["ok", "warning", "problem"]


class Finding(NamedTuple):
    """The result of one check; `text` describes it and, unless it is ok, says what to do."""

    result: Result
    text: str
