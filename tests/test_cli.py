"""The `parley` command: its output and its exit codes."""

from __future__ import annotations

import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typer.testing import CliRunner

from games import GAMES
from hub import cli
from hub.app import Ready
from hub.config import CannotStart, Config, Exit
from hub.table import records
from tests.whole_games import play, record_of

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key().public_bytes_raw().hex()
ENTRY = GAMES["almost"]
SETTING, LOG, OUTCOME = play(ENTRY, 4, ENTRY.game.Options(), bytes(32))


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith("PARLEY_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PARLEY_DATA", str(tmp_path / "data"))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.parley.jsonl"
    path.write_bytes(record_of(SETTING, LOG, GAMES, KEY))
    return path


def run(*words: str | Path) -> tuple[int, str, str]:
    """Runs the command and returns its exit code, standard output and standard error."""
    result = CliRunner().invoke(cli.app, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def sentence(code: int, *words: str | Path) -> str:
    """The one sentence that a command ending with this code writes to standard error."""
    exit, out, err = run(*words)
    assert (exit, out) == (code, "")
    assert err.startswith("parley: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    return err


# --- verify ---


def test_a_record_with_its_key(record: Path) -> None:
    exit, out, err = run("verify", record, "--key", PUBLIC)
    assert (exit, err) == (Exit.OK, "")
    assert out.startswith("Genuine: Almost, ")
    assert f"{len(LOG)} entries" in out
    assert PUBLIC in out
    assert "the one you asked for" in out
    for seat in range(4):
        assert f"Seat {seat}: {OUTCOME.scores[seat]}" in out
    assert out.count("winner") == len(OUTCOME.winners)


def test_a_record_without_a_name(record: Path) -> None:
    """V8"""
    record.write_bytes(records.without_names(record.read_bytes(), {2}))
    exit, out, _ = run("verify", record, "--key", PUBLIC)
    assert exit == Exit.OK
    assert f"seat 2  (removed): {OUTCOME.scores[2]}" in out
    assert f"Seat 1: {OUTCOME.scores[1]}" in out
    assert "Seat 2" not in out


def test_a_record_without_a_key_says_whose_it_is(record: Path) -> None:
    exit, out, _ = run("verify", record)
    assert exit == Exit.OK
    assert PUBLIC in out
    assert "anybody may own" in out


def test_a_packed_record(record: Path) -> None:
    record.write_bytes(gzip.compress(record.read_bytes()))
    assert run("verify", record, "--key", PUBLIC)[0] == Exit.OK


def test_another_key(record: Path) -> None:
    err = sentence(Exit.REFUSED, "verify", record, "--key", "ab" * 32)
    assert "signed with a different key" in err


@pytest.mark.parametrize("key", ["", "ab", "xy" * 32, "ab" * 33])
def test_invalid_keys(record: Path, key: str) -> None:
    assert "64 hexadecimal digits" in sentence(Exit.USAGE, "verify", record, "--key", key)


def test_a_changed_record(record: Path) -> None:
    data = record.read_bytes()
    record.write_bytes(data.replace(b'"number":', b'"numbeR":', 1) if b'"number":' in data else data[:-9])
    err = sentence(Exit.REFUSED, "verify", record)
    assert err.startswith("parley: not genuine: line ")


def test_unreadable_records(tmp_path: Path) -> None:
    assert "cannot be read" in sentence(Exit.USAGE, "verify", tmp_path / "none")
    assert "cannot be read" in sentence(Exit.USAGE, "verify", tmp_path)
    (tmp_path / "empty").write_bytes(b"")
    assert "not a Parley record" in sentence(Exit.REFUSED, "verify", tmp_path / "empty")


def test_a_huge_file_is_not_read_to_its_end() -> None:
    assert "at most" in sentence(Exit.REFUSED, "verify", "/dev/zero")


def test_a_record_cannot_drive_the_terminal(tmp_path: Path) -> None:
    names = ("\x1b[2Jgone", "\u202eAnn", "ok", "x")
    path = tmp_path / "r"
    path.write_bytes(record_of(SETTING, LOG, GAMES, KEY, names))
    exit, out, _ = run("verify", path)
    assert exit == Exit.OK
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "?[2Jgone" in out
    path.write_bytes(b'{"parley_record":1,"\x1b[2J":1,"chain":"' + b"0" * 64 + b'"}\n' * 3)
    assert "\x1b" not in sentence(Exit.REFUSED, "verify", path)


class KeyServer(BaseHTTPRequestHandler):
    answer = b""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/api/key" else 404)
        self.end_headers()
        self.wfile.write(self.answer)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), KeyServer) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_the_key_of_a_hub(record: Path, hub: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KeyServer, "answer", json.dumps({"algorithm": "Ed25519", "key": PUBLIC}).encode())
    exit, out, _ = run("verify", record, "--hub", hub)
    assert exit == Exit.OK
    assert "the one you asked for" in out
    monkeypatch.setattr(KeyServer, "answer", json.dumps({"key": "ab" * 32}).encode())
    assert "a different key" in sentence(Exit.REFUSED, "verify", record, "--hub", hub)


@pytest.mark.parametrize("answer", [b"", b"{}", b"[]", b"null", b"<html>", b'{"key":7}', b"\xff"])
def test_a_hub_that_is_none(record: Path, hub: str, monkeypatch: pytest.MonkeyPatch, answer: bytes) -> None:
    monkeypatch.setattr(KeyServer, "answer", answer)
    assert "key" in sentence(Exit.USAGE, "verify", record, "--hub", hub)


def test_a_hub_that_cannot_be_reached(record: Path) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))  # bound, but nobody is listening
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        assert "did not answer" in sentence(Exit.USAGE, "verify", record, "--hub", url)
    for url in ("play.example.org", "file:///etc/passwd", "ftp://x"):
        assert "--hub must be an address" in sentence(Exit.USAGE, "verify", record, "--hub", url)
    assert "not both" in sentence(Exit.USAGE, "verify", record, "--hub", "http://x", "--key", PUBLIC)


# --- version ---


def test_version() -> None:
    project = tomllib.loads((Path(cli.__file__).parent.parent / "pyproject.toml").read_text())["project"]
    assert run("--version") == (Exit.OK, f"parley {project['version']}\n", "")


def test_help_says_what_it_is() -> None:
    exit, out, _ = run("--help")
    assert exit == Exit.OK
    assert "Live tabletop play in the browser" in out
    assert "--version" in out


# --- games ---


def test_games() -> None:
    exit, out, _ = run("games")
    assert exit == Exit.OK
    assert [line.split()[0] for line in out.splitlines()] == list(GAMES)
    assert "Almost: 3-10 seats" in out


# --- simulate ---

SIMULATE = ("simulate", "almost", "--games", "6", "--options", "discussion=none,target=12", "--workers", "1")


def test_simulate_prints_and_saves(tmp_path: Path) -> None:
    table, page = tmp_path / "out.csv", tmp_path / "out.html"
    exit, out, err = run(*SIMULATE, "--seed", "7", "--csv", table, "--html", page)
    assert (exit, err) == (Exit.OK, "")  # no progress bar without a terminal
    assert out.startswith("Almost: 6 games between bots, seed 7\n")
    assert out.endswith(f"Saved {table}.\nSaved {page}.\n")
    assert table.read_text().count("\n") == 7
    assert "parley simulate almost --games 6 --seats 4" in page.read_text()
    assert run(*SIMULATE, "--seed", "7")[1] == out.partition("Saved")[0]
    assert run(*SIMULATE, "--seed", "8")[1] != out.partition("Saved")[0]


def test_simulate_compares() -> None:
    exit, out, _ = run(*SIMULATE, "--compare", "target=10", "--levels", "hard,normal", "--seats", "3")
    assert exit == Exit.OK
    assert "Almost: 12 games" in out
    assert "B - A" in out


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("simulate", "chess"), "no game chess"),
        ((*SIMULATE, "--levels", "brutal"), "no level brutal"),
        ((*SIMULATE, "--options", "nothing=1"), "no option nothing"),
        ((*SIMULATE, "--seats", "11"), "3 to 10 seats"),
        ((*SIMULATE, "--compare", "target=x"), "target must be"),
        ((*SIMULATE, "--bot", "no_such_module:BOT"), "no module no_such_module"),
        ((*SIMULATE, "--games", "0"), "at least one game"),
        ((*SIMULATE, "--workers", "0"), "--workers must be 1 to 256"),
        ((*SIMULATE, "--csv", "/nowhere/out.csv"), "/nowhere/out.csv cannot be written"),
        ((*SIMULATE, "--workers", "100000"), "--workers must be 1 to 256"),
        ((*SIMULATE, "--csv", "out", "--html", "./out"), "--csv and --html name the same file"),
        ((*SIMULATE, "--html", "/"), "/ cannot be written"),
    ],
)
def test_simulations_that_cannot_be_run(words: tuple[str, ...], fault: str) -> None:
    assert fault in sentence(Exit.USAGE, *words)


def test_a_page_that_could_be_written_is_not_there_before_the_games(tmp_path: Path) -> None:
    cli._must_be_writable(tmp_path / "new.html")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "old.html").write_text("old")
    cli._must_be_writable(tmp_path / "old.html")
    assert (tmp_path / "old.html").read_text() == "old"


INTERRUPTING = """
import os, pathlib, signal
from games.almost.bot.bot import AlmostBot

class Interrupting(AlmostBot):
    def decide(self, observation, level, dice):
        self.decided = getattr(self, "decided", 0) + 1
        if self.decided == 600 and WHERE == "the bot's own process":
            os.kill(os.getpid(), signal.SIGINT)
        if self.decided == 600 and WHERE != "the bot's own process":
            os.kill(os.getppid(), signal.SIGINT)
        return super().decide(observation, level, dice)

BOT = Interrupting()
"""


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """Handles Ctrl-C as in a terminal: a shell's background jobs, and everything they start, ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hears_ctrl_c")
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_saves_the_finished_games(tmp_path: Path, workers: int) -> None:
    """A bot outside the tree is found in the current folder; it presses Ctrl-C partway through the run."""
    place = "the bot's own process" if workers == 1 else "a worker"
    (tmp_path / "interrupting.py").write_text(f"WHERE = {place!r}\n{INTERRUPTING}")
    words = ["simulate", "games.almost.rules.game:ALMOST", "--bot", "interrupting:BOT", "--games", "20000"]
    done = subprocess.run(
        [*(sys.executable, "-m", "hub"), *words, "--workers", str(workers), "--csv", "out.csv"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(cli.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == Exit.STOPPED, done.stderr
    rows = (tmp_path / "out.csv").read_text().splitlines()[1:]
    assert 1 <= len(rows) < 20_000
    assert done.stderr == f"parley: Stopped after {len(rows):,} of 20,000 games.\n"
    assert f"Almost: {len(rows):,} games between bots" in done.stdout


def test_a_game_that_breaks_off_is_reported_with_its_number(tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(
        "class BOT:\n    levels = ('a',)\n    def decide(*_):\n        1 / 0\n"
    )
    done = subprocess.run(
        [*(sys.executable, "-m", "hub", "simulate", "almost"), "--bot", "faulty:BOT", "--workers", "1"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(cli.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (Exit.DEFECT, "")
    assert "parley: Game 0 broke off with ZeroDivisionError: division by zero in " in done.stderr
    assert "faulty.py, line 4." in done.stderr


# --- serve ---


def test_a_taken_port() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        err = sentence(Exit.PORT, "serve", "--port", str(port))
        assert f"port {port}" in err
        assert "--port" in err


def test_bad_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "--port must be a whole number" in sentence(Exit.USAGE, "serve", "--port", "70000")
    assert "omit --host" in sentence(Exit.USAGE, "serve", "--lan", "--host", "x")
    monkeypatch.setenv("PARLEY_ACK", "perhaps")
    assert "PARLEY_ACK must be everysec" in sentence(Exit.USAGE, "serve")
    monkeypatch.delenv("PARLEY_ACK")
    monkeypatch.setenv("PARLEY_PROT", "1")
    assert "did you mean PARLEY_PORT?" in sentence(Exit.USAGE, "serve")


def test_no_secret_for_many_hubs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_REDIS_URL", "redis://127.0.0.1:1")
    assert "PARLEY_SECRET" in sentence(Exit.USAGE, "serve", "--port", "0")


def test_a_data_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    err = sentence(Exit.DATA, "serve", "--port", "0", "--data", tmp_path / "file")
    assert str(tmp_path / "file") in err


@pytest.mark.parametrize(
    ("words", "host", "lines"),
    [
        ((), "127.0.0.1", ["Parley is ready: http://127.0.0.1:8420"]),
        (
            ("--lan",),
            "0.0.0.0",
            [
                "For phones and others on this network: http://192.168.7.7:8420",
                "Parley is ready: http://127.0.0.1:8420",
            ],
        ),
    ],
)
def test_serve_prints_the_phones_address_first(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], host: str, lines: list[str]
) -> None:
    import hub.app

    seen = []

    def serve(config: Config, ready: Ready) -> None:
        seen.append(config.host)
        ready("http://127.0.0.1:8420", ["http://192.168.7.7:8420"])

    monkeypatch.setattr(hub.app, "serve", serve)
    exit, out, _ = run("serve", *words)
    assert exit == Exit.OK
    said = out.splitlines()
    assert (said[0], said[-1]) == (lines[0], lines[-1])
    assert (len(said) > 10) == ("--lan" in words), "a QR code for phones, if they can reach the hub"
    assert seen == [host]


def test_serve_says_how_to_trust_its_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    import hub.app

    def serve(config: Config, ready: Ready) -> None:
        assert config.https
        ready("https://127.0.0.1:8420", ["https://192.168.7.7:8420"])

    monkeypatch.setattr(hub.app, "serve", serve)
    _, out, _ = run("serve", "--lan", "--https")
    assert "https://192.168.7.7:8420/certificate.crt" in out
    assert "https://192.168.7.7:8420/certificate.crt" not in run("serve", "--https")[1]


def test_a_hub_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    import hub.app

    def serve(config: Config, ready: Ready) -> None:
        raise CannotStart("The store evicts.", Exit.STORE)

    monkeypatch.setattr(hub.app, "serve", serve)
    assert sentence(Exit.STORE, "serve") == "parley: The store evicts.\n"


# --- as a program ---


def test_as_a_program(record: Path) -> None:
    for start in (["-m", "hub"], ["-c", "from hub.cli import main; main()"]):
        done = subprocess.run(
            [sys.executable, *start, "verify", str(record)], capture_output=True, text=True, timeout=60
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("Genuine")


def test_a_defect_has_its_own_exit_code(record: Path) -> None:
    program = "import hub.cli as c; c.verify_cli.records.verify = None; c.main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "verify", str(record)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == Exit.DEFECT
    assert "stopped by a defect" in done.stderr + done.stdout


def test_a_defect_prints_no_secret() -> None:
    """L1: a traceback has no variables, among which may be the operators' token."""
    program = "import hub.cli as c; c.admin_cli.json = None; c.main()"
    token = "the-operators-own-token"
    done = subprocess.run(
        [sys.executable, "-c", program, "admin", "ban", "--person", "p"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PARLEY_ADMIN_TOKEN": token},
    )
    assert done.returncode == Exit.DEFECT
    assert "stopped by a defect" in done.stderr
    assert token not in done.stderr + done.stdout
