"""The time of day as a process sees it, which a test may step: libfaketime, never the machine's own clock.

Only the time of day steps, as when somebody sets a clock; what measures durations (CLOCK_MONOTONIC) runs on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

PLACES: Final = (
    "/usr/lib/*/faketime/libfaketimeMT.so.1",  # Debian, Ubuntu
    "/usr/lib*/faketime/libfaketimeMT.so.1",
    "/usr/local/lib/faketime/libfaketimeMT.so.1",
)
ADVICE: Final = (
    "libfaketime is not installed, so no clock is stepped: on Debian, 'apt install faketime' adds it"
)


def find_library() -> Path | None:
    """The library that a process must load; None if it is not installed."""
    root = Path("/")
    return next((path for place in PLACES for path in sorted(root.glob(place.lstrip("/")))), None)


class WallClock:
    """The clock of the processes that are started with its `environment`."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.set_offset(0.0)

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to have this clock; empty without libfaketime."""
        library = find_library()
        if library is None:
            return {}
        return {
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def set_offset(self, seconds: float) -> None:
        """Have it differ by this much from the machine's; the processes see the step within a second."""
        draft = self.file.with_suffix(".new")
        draft.write_text(f"{seconds:+f}\n")
        draft.rename(self.file)
