"""The playthroughs of Almost cover its options, and show that bids stay secret."""

from __future__ import annotations

import re

from games.testing import playthroughs

TEXTS = [path.read_text() for entry, path in playthroughs.files() if entry.game.key == "almost"]


def test_there_is_one_of_each_mode_with_and_without_talk_and_clock() -> None:
    options = " ".join(re.findall(r"options (\{.*\})", " ".join(TEXTS)))
    for value in ('"almost"', '"banbury"', '"sumOfEntries"', '"untilReady"', '"none"', '"off"', '"fast"'):
        assert value in options
    assert sum("outcome" in text for text in TEXTS) == len(TEXTS)  # each reaches the end


def test_4c_between_two_moments_of_bidding_all_see_only_lights_and_clocks() -> None:
    seen: set[str] = set()
    for text in TEXTS:
        phase = ""
        for block in text.split("\n  -- ")[1:]:
            match = re.search(r'all +stage .*"phase":"(\w+)"', block)
            before, phase = phase, match[1] if match else phase
            if (before, phase) == ("bid", "bid"):
                seen |= {" ".join(line.split()[1:3]) for line in block.splitlines() if line[2:5] == "all"}
    names = {re.sub(r":.*| {.*", "", one) for one in seen}
    assert names == {
        "readiness",
        "time_control",
        "log timeControl.extended",
        "log timeControl.lastCall",
        "log timeControl.back",
    } | {f"{what} {name}" for what, name in (("prompt", "extend"), ("prompt", "lastCall"), ("window", "bid"))}
