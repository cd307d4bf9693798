"""The bot worker's program: tasks arrive on standard input, decisions are written to standard output.

It exits when its input is closed, by the hub or because the hub was killed; on Linux, even mid-task.
See hub/worker/bot_executor.py.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import signal
import sys
from typing import Final

NICE: Final = 5
"""If the hub and the worker share a processor, tables come first."""


def main() -> None:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # exit if the hub is gone
    with contextlib.suppress(OSError):
        os.nice(NICE)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            bot, observation, character, dice = pickle.load(requests)
        except (EOFError, pickle.UnpicklingError):
            return
        try:
            answer = pickle.dumps((True, bot.decide(observation, character, dice)))
        except Exception:  # noqa: BLE001 - the hub decides again, and logs the error
            answer = pickle.dumps((False, None))
        answers.write(len(answer).to_bytes(4, "big") + answer)
        answers.flush()


if __name__ == "__main__":
    main()
