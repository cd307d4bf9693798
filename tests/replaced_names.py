"""Names that have been replaced, with the kinds of names that may not use them again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from tests.source_names import GENERATED, PROTOCOL

ANY: Final = frozenset(
    {"class", "function", "argument", "field", "variable", "constant", "tag", "section", "module"}
)
"""Every kind except codes and metrics, which are searched for by their own names."""
BORDER: Final = frozenset({"class", "field", "argument", "tag", "section", "metric"})
"""Names that cross a boundary: those of the wire, the contract, the store and the metrics."""
WIRE: Final = ("hub/wire/messages.py", GENERATED, PROTOCOL)
"""The protocol's files: a word may be wrong there and right elsewhere."""
CONTRACT: Final = ("games/api.py",)
TESTS: Final = ("tests/", "client-js/tests/")


class Gone(NamedTuple):
    """A replaced name, the kinds of names that may not use it again, and where (default: everywhere)."""

    old: str
    new: str
    kinds: frozenset[str]
    where: tuple[str, ...] = ("",)


def gone(pairs: Mapping[str, str], *kinds: str, where: tuple[str, ...] = ("",)) -> list[Gone]:
    return [Gone(old, new, frozenset(kinds) or ANY, where) for old, new in pairs.items()]


GONE: Final = (
    # terms that cross a boundary
    *gone({"Ask": "Prompt", "ask": "prompt", "asks": "prompts"}, *BORDER),
    *gone({"asks": "prompts"}, "function"),
    *gone({"STALE_ASK": "STALE_PROMPT"}, "code"),
    *gone({"Manners": "TalkPolicy", "manners": "talk_policy"}),
    *gone({"looks": "peeks", "Look": "Peek"}, "module", "class", "metric"),
    *gone({"look": "peek"}, "field", "section", where=(*CONTRACT, *WIRE)),
    *gone(
        {"Sight": "Observation", "sight": "observation"},
        *ANY - {"module"},
        where=("hub/", "games/", "tests/"),
    ),
    *gone({"touched": "affected_seats"}, "field", "argument"),
    *gone({"shows": "sections"}, "field", where=(*CONTRACT, "hub/", PROTOCOL)),
    *gone({"Pick": "OneOf", "Each": "PerSeat", "Bag": "Multiset"}, "class", where=CONTRACT),
    *gone({"pick": "one_of", "each": "per_seat", "bag": "multiset"}, "tag", where=CONTRACT),
    *gone(
        {"Line": "LogLine", "Entry": "Registration"}, "class", where=("hub/", "games/", "tests/", GENERATED)
    ),
    *gone({"Pace": "TimeControl", "pace": "time_control"}, *BORDER, "module", where=("games/", *WIRE)),
    *gone(
        {"autos": "missed_in_a_row", "LEAST": "MIN_TIMER", "AUTOS": "MISSES_BEFORE_AWAY"}, where=("games/",)
    ),
    *gone({"attach": "session", "attaches": "sessions"}, *BORDER - {"argument"}),
    *gone({"run": "epoch"}, "field", where=WIRE),
    *gone({"keeper": "substitute", "grant": "seat_generation"}, *BORDER),
    *gone(
        {"here": "connected", "said": "message"},
        "field",
        where=("hub/", "games/", "client-js/src/", PROTOCOL),
    ),
    *gone({"Lights": "Readiness", "lights": "readiness"}),
    # terms inside the hub
    *gone({"Asker": "Responder"}, "class"),
    *gone({"asker": "responder"}, "argument", "field"),
    *gone({"lost": "abandoned"}, "function", where=("hub/runtime/ports.py", "hub/net/")),
    *gone({"Deed": "InternalCommand, TableAction"}, "class", "constant", where=("hub/", "tests/")),
    *gone(
        {"Taken": "RoomCheckout, Ownership", "Kept": "TalkHistory", "Told": "NumberedLine"},
        "class",
        where=("hub/",),
    ),
    *gone(
        {"Doorway": "ConnectionContext", "Wires": "KeepaliveWheel", "_Careful": "_GeneralProtocol"}, "class"
    ),
    *gone({"SPOKES": "SLOTS", "TOGETHER": "MAX_COALESCED_BYTES"}, "constant"),
    *gone({"Minds": "BotExecutor", "Thought": "BotTask"}, "class"),
    *gone({"Moment": "PendingDecision", "Thinker": "BotScheduler"}, "class", where=("hub/",)),
    *gone({"stands": "is_frozen", "prove": "verify_ownership"}, "function", where=("hub/", "tests/")),
    *gone(
        {"SHARE": "MAX_PENDING_PER_SEAT", "ABSENT": "ABSENCE_TIMEOUT_MS", "EMPTY": "EMPTY_TIMEOUT_MS"},
        "constant",
        where=("hub/",),
    ),
    *gone({"Front": "SecurityHeadersMiddleware"}, "class"),
    *gone({"FIGURES_CLOSED": "METRICS_CLOSED"}, "code"),
    *gone(
        {"Guest": "ClientSocket", "Problem": "ExclusionReason", "turn_out": "exclude"},
        "class",
        "function",
        "variable",
        where=("hub/net/",),
    ),
    *gone(
        {"Setting": "ReplayConfig", "Played": "ReplayedEntry", "Unplayable": "ReplayError"},
        "class",
        where=("hub/",),
    ),
    # terms inside the games
    *gone(
        {
            "openings": "prompts",
            "habits": "policy",
            "scene": "search_state",
            "course": "turn_flow",
            "survey": "features",
            "judging": "evaluation",
            "outlook": "evaluation",
            "reading": "observation",
            "unseen": "determinization",
            "minds": "bot_executor",
            "tabletime": "table_time",
        },
        "module",
    ),
    *gone({"Heart": "Allegiance", "Taste": "EvaluationWeights"}, "class"),
    *gone({"Scales": "TradeEvaluator", "Idea": "Proposal"}, "class"),
    *gone({"Lens": "EvaluationOptions", "Mind": "BotContext"}, "class"),
    # the client and the tests
    *gone({"said": "format", "sight": "selectors", "picking": "selection"}, "module", where=("client-js/",)),
    *gone({"Picking": "Selection"}, "class"),
    *gone({"PENANCE": "RATE_LIMIT_BACKOFF"}, "constant"),
    *gone(
        {"rig": "in_process_hub", "house": "live_hub", "hand_clock": "manual_clock"}, "module", where=TESTS
    ),
    *gone({"HandClock": "ManualClock", "HandTime": "ManualClock"}, "class"),
)

GONE_PREFIXES: Final = (
    ("slow_", "reference_", "module"),
    ("test_slow", "test_reference", "module"),
    ("MOST_", "MAX_", "constant"),
)
"""(prefix of the old name, prefix of the new one, kind)"""
