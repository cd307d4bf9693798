"""The `parley` command; its parts `admin`, `drain` and `verify` are in admin_cli.py and verify_cli.py.

Exit codes are `hub.config.Exit` (docs/OPERATIONS.md).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final

import segno
import structlog
import typer

from games import GAMES
from hub import admin_cli, config, verify_cli
from hub.config import CannotStart, Exit
from hub.telemetry import log
from hub.terminal import printable, stop

MAX_WORKERS: Final = 256
"""Each worker is a process that takes about 50 MB."""
NOBODY: Final = "Nothing is known of this person."
TRUST: Final = (
    "Browsers warn that they do not know this hub's certificate: accept it once on each device to play. "
    "To end the warning, open {url}/certificate.crt there and install the file as a trusted certificate "
    "authority in the device's settings."
)

app = typer.Typer(
    help="Live tabletop play in the browser: games of negotiation, secrets and timed windows.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # they print variables, which may hold secrets
)
app.add_typer(admin_cli.app, name="admin")


def main() -> None:
    """The entry point of `parley`."""
    log.configure("error")  # structlog's own setting prints variables, which may hold secrets
    try:
        app()
    except Exception:  # noqa: BLE001 - the last resort: log it and set the exit code
        structlog.get_logger("parley.cli").exception("stopped by a defect")
        sys.exit(Exit.DEFECT)


def _print_version(requested: bool) -> None:
    if requested:
        print(f"parley {version('parley')}")
        raise typer.Exit


@app.callback()
def parley(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    pass


# --- serve ---


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on (PARLEY_HOST, 127.0.0.1).")] = None,
    port: Annotated[int | None, typer.Option(help="Port; 0: any free one (PARLEY_PORT, 8420).")] = None,
    lan: Annotated[bool, typer.Option("--lan", help="Let other devices on this network connect.")] = False,
    https: Annotated[
        bool, typer.Option("--https", help="Serve https with a certificate of the hub's own (PARLEY_HTTPS).")
    ] = False,
    data: Annotated[Path | None, typer.Option(help="Folder for games and keys (PARLEY_DATA).")] = None,
) -> None:
    """Run a hub until it is stopped; print its addresses when it is ready."""
    if lan and host is not None:
        stop("--lan listens on every address: omit --host.", Exit.USAGE)
    try:
        settings = config.load(host="0.0.0.0" if lan else host, port=port, https=https or None, data=data)
        log.configure(settings.log_level)
        from hub.app import serve as run  # importing the server takes a second, and `verify` does not need it

        run(settings, lambda url, others: _print_addresses(url, others if lan else [], https=settings.https))
    except CannotStart as problem:
        stop(problem.advice, problem.exit)


def _print_addresses(url: str, others: Sequence[str], *, https: bool) -> None:
    """Prints the addresses for other devices first, each with its QR code, then the one for this machine."""
    for other in others:
        print(f"For phones and others on this network: {other}", flush=True)
        segno.make(other).terminal(compact=True)
    if https:
        print(TRUST.format(url=(*others, url)[0]), flush=True)
    print(f"Parley is ready: {url}", flush=True)


@app.command()
def doctor(
    data: Annotated[Path | None, typer.Option(help="The hub's data folder (PARLEY_DATA).")] = None,
) -> None:
    """Check this installation: machine, data folder, store, running hub, proxy. Use the hub's settings."""
    from hub.doctor import PRINT, examine

    log.configure("error")
    problems = 0
    try:
        for finding in examine(config.load(data=data)):
            problems += finding.result == "problem"
            print(printable(PRINT[finding.result](finding.text)), flush=True)
    except CannotStart as problem:
        stop(problem.advice, problem.exit)
    if problems:
        raise typer.Exit(Exit.REFUSED)


# --- games ---


@app.command()
def games() -> None:
    """List the games this hub can play."""
    for key, entry in GAMES.items():
        game = entry.game
        seats = f"{game.seats[0]}-{game.seats[-1]} seats"
        minutes = f"{game.minutes[0]}-{game.minutes[1]} minutes"
        print(f"{key:<16} {game.title}: {seats}, {minutes}; bots: {', '.join(entry.bot.levels)}")


# --- forget and export ---


@app.command()
def forget(
    room: Annotated[str | None, typer.Option(help="A table's id or code.")] = None,
    person: Annotated[str | None, typer.Option(help="A person's id.")] = None,
    data: Annotated[Path | None, typer.Option(help="The hub's folder (PARLEY_DATA).")] = None,
) -> None:
    """Remove a table, or everything a person has left at tables, from the store; the hub may be running."""
    from hub import operator

    if (room is None) == (person is None):
        stop("Give --room or --person.", Exit.USAGE)
    with _settings(data) as settings:
        if room is not None:
            forgotten = operator.forget_room(settings, room)
        else:
            assert person is not None
            forgotten = operator.forget_person(settings, person)
    count = forgotten.tables
    if forgotten.leftover is not None:
        print(printable(f"parley: {forgotten.leftover}"), file=sys.stderr)
    if count == 0:
        stop("There is no such table." if room is not None else NOBODY, Exit.USAGE)
    if room is not None:
        print("The table is forgotten.")
    else:
        print(f"The person is forgotten at {count} {'table' if count == 1 else 'tables'}.")


@app.command()
def export(
    person: Annotated[str, typer.Option(help="A person's id.")],
    output: Annotated[Path | None, typer.Option(help="The file to write (default: standard output).")] = None,
    data: Annotated[Path | None, typer.Option(help="The hub's folder (PARLEY_DATA).")] = None,
) -> None:
    """Write everything a person has left at tables, as JSON; the hub may be running."""
    from hub import operator

    _must_be_writable(output)
    with _settings(data) as settings:
        exported = operator.export_person(settings, person)
    if exported is None:
        stop(NOBODY, Exit.USAGE)
    if output is None:
        print(exported, end="")
    else:
        _save(output, exported)


@contextmanager
def _settings(data: Path | None) -> Iterator[config.Config]:
    """The hubs' settings; stops with one sentence if they or the store cannot be used."""
    try:
        settings = config.load(data=data)
        log.configure("warning")
        yield settings
    except CannotStart as problem:
        stop(problem.advice, problem.exit)


# --- simulate ---


@app.command()
def simulate(
    game: Annotated[str, typer.Argument(help="A game on this hub, or module:ATTRIBUTE for another.")],
    games: Annotated[int, typer.Option(help="How many games (on each side of a comparison).")] = 1000,
    seats: Annotated[
        int | None, typer.Option(help="Seats at the table (default: 4, or the nearest the game allows).")
    ] = None,
    levels: Annotated[
        str | None, typer.Option(help="Bot levels, such as hard,normal (default: all).")
    ] = None,
    options: Annotated[
        list[str] | None,
        typer.Option(help="Options, such as discussion=none,target=12; several values: target=8/10/12."),
    ] = None,
    compare: Annotated[
        str | None, typer.Option(help="Also play a side B with these options, seats=5 or levels=hard.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 1,
    bot: Annotated[str | None, typer.Option(help="Another bot: module:ATTRIBUTE, or random.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes (default: one per core).")] = None,
    limit: Annotated[int, typer.Option(help="Number of events after which a game is abandoned.")] = 10_000,
    csv: Annotated[Path | None, typer.Option(help="File to save one line per game to.")] = None,
    html: Annotated[Path | None, typer.Option(help="File to save a page with charts to.")] = None,
) -> None:
    """Let bots play many games against one another, and report statistics for a designer.

    Ctrl-C stops it and reports the games finished so far.
    """
    if workers is not None and not 1 <= workers <= MAX_WORKERS:
        stop(f"--workers must be 1 to {MAX_WORKERS}.", Exit.USAGE)
    if csv is not None and html is not None and csv.resolve() == html.resolve():
        stop("--csv and --html name the same file: give two different names.", Exit.USAGE)
    from games.simulate import (
        figures,
        playing,
        pool,
        report,
        table,
        terminal,
    )  # not needed to serve
    from games.simulate import plan as planning

    try:
        plan = planning.plan(
            game,
            bot,
            games=games,
            seats=seats,
            levels=levels,
            options=options or (),
            compare=compare,
            seed=seed,
            limit=limit,
        )
        entry = planning.load(game, bot)
        for path in (csv, html):
            _must_be_writable(path)
        with _progress(plan.total) as advance:
            played = pool.play_all(plan, entry, workers or pool.cores(), advance)
    except planning.Unusable as problem:
        stop(str(problem), Exit.USAGE)
    except playing.Broke as problem:
        stop(str(problem), Exit.DEFECT)
    if not played.rows:
        stop("Stopped before the first game was over.", Exit.STOPPED)
    statistics = figures.report(plan, entry, played.rows)
    print(terminal.text(statistics), end="")
    if csv is not None:
        _save(csv, table.text(plan, entry, played.rows))
    if html is not None:
        _save(html, report.page(statistics, version("parley")))
    if played.stopped:
        stop(f"Stopped after {len(played.rows):,} of {plan.total:,} games.", Exit.STOPPED)


def _save(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        stop(f"{path} cannot be written ({error.strerror}).", Exit.USAGE)
    print(f"Saved {path}.")


def _must_be_writable(path: Path | None) -> None:
    """Stops if the file cannot be written, before the games are played rather than after."""
    if path is None:
        return
    try:
        existed = path.exists()
        path.open("ab").close()
        if not existed:
            path.unlink()
    except OSError as error:
        stop(f"{path} cannot be written ({error.strerror}).", Exit.USAGE)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error, if that is a terminal; yields the function that advances it."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=total)
        yield lambda count: bar.advance(task, count)


# --- verify ---


app.command()(verify_cli.verify)


# --- drain ---


app.command()(admin_cli.drain)
