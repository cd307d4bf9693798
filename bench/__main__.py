"""``python -m bench [MODE] [--json FILE]``: measures the server and reports; see --help for the modes."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Final

from bench.compare import FIGURES, compare
from bench.machine import BUILD, CannotMeasure, compile_program, cores, description, interpreter
from bench.measure import Bench, Pace, Repeat
from bench.report import as_json, lateness, report, table

FULL: Final = Pace(seconds=3.0, repeats=3, windows=1000)
QUICK: Final = Pace(seconds=1.5, repeats=1, windows=100)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="Measure the server's CPU per command and per frame, alongside floors from the same run.",
    )
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--quick", action="store_true", help="one short run of a minute or two; rough figures")
    modes.add_argument("--windows", action="store_true", help="only how late windows end: a minute or two")
    modes.add_argument(
        "--against",
        type=Path,
        metavar="FOLDER",
        help="compare with another version that is set up in FOLDER: one minute per pair",
    )
    parser.add_argument("--pairs", type=int, default=10, help="how many pairs --against measures (10)")
    parser.add_argument(
        "--figure", choices=FIGURES, help="measure only this figure with --against: pairs take half as long"
    )
    parser.add_argument("--json", type=Path, default=BUILD / "bench.json", help="where to write all figures")
    options = parser.parse_args(arguments)
    pace = QUICK if options.quick else FULL
    repeats: list[Repeat] = []
    try:
        if options.against is not None:
            print(interpreter())
            compared = [options.figure] if options.figure else list(FIGURES)
            print(compare(options.against.resolve(), options.pairs, compared))
            return 0
        server_core, load_core = cores()
        bench = Bench(compile_program("load"), compile_program("floor"), server_core, load_core, pace)
        late = bench.late()
        if options.windows:
            print(lateness(late))
            return 0
        for number in range(pace.repeats):
            start = time.monotonic()
            repeats.append(bench.repeat())
            print(f"run {number + 1} of {pace.repeats}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    except CannotMeasure as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 1
    figures = report(description(), repeats, late)
    print(table(figures))
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_bytes(as_json(figures, repeats) + b"\n")
    print(f"\nall figures: {options.json}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
