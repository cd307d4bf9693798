"""Every key Under the Hammer may ever send."""

from __future__ import annotations

from typing import Final

from games.api import Texts
from games.kit import time_control

TEXTS: Final = Texts(
    lines={
        **time_control.LINES,
        "hammer.lot": ("number", "lots", "kind", "worth"),
        "hammer.auto": ("seats",),
        "hammer.sold": ("seat", "coins", "kind", "worth"),
        "hammer.returned": ("kind", "worth"),
    },
    refusals={"OTHER_PROMPT": (), "LOCKED": (), "NOT_LOCKED": (), "NO_DRAFT": (), "TOO_MUCH": ("coins",)},
    phrases=frozenset(),
    prompts=time_control.PROMPTS | {"bid"},
    windows=time_control.WINDOWS | {"bidding"},
    moves=time_control.MOVES | {"draft", "lock", "unlock"},
)
