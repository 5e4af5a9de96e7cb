"""packaging/dev.py and packaging/system_packages.py: what they decide, without installing anything."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType

import pytest

from tests.packaging.scripts import PACKAGING, load_script


@pytest.fixture(scope="module")
def dev() -> ModuleType:
    """The script as a module. It is no part of the package, so it is loaded by its path."""
    return load_script("dev")


@pytest.fixture
def project(dev: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in the place of the project."""
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(dev, "PROGRAMS", tmp_path / ".venv" / "bin")
    monkeypatch.setattr(dev, "STAMP", tmp_path / ".venv" / "gpuplanner-setup.txt")
    monkeypatch.setattr(dev, "DEMO", tmp_path / ".demo")
    monkeypatch.setattr(dev, "DEMO_IS_WHOLE", tmp_path / ".demo" / "written")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    return tmp_path


@pytest.fixture
def calls(dev: ModuleType, project: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were called, by name; the calls leave behind what the real ones would."""
    made: list[list[str]] = []

    def call(command: list[str], _environment: dict[str, str], limit_s: float | None = None) -> int:
        made.append([Path(command[0]).name, *command[1:]])
        programs = project / ".venv" / "bin"
        if "venv" in command:
            programs.mkdir(parents=True)
            (programs / "python").symlink_to(sys.executable)
            executable = Path(sys.executable).resolve()
            (project / ".venv" / "pyvenv.cfg").write_text(f"version = 3.11.2\nexecutable = {executable}\n")
        if "pip" in command:
            (programs / "gpuplanner").touch()
            (project / ".venv" / "lib" / "python3" / "site-packages" / "pip").mkdir(
                parents=True, exist_ok=True
            )
        return 0

    monkeypatch.setattr(dev, "call", call)
    return made


def need(dev: ModuleType, name: str, *, is_there: bool = False, is_optional: bool = False) -> object:
    return dev.Need(
        name=name, deb=f"deb-{name}", rpm=f"rpm({name})", is_there=lambda: is_there, is_optional=is_optional
    )


def which(*programs: str) -> Callable[[str], str | None]:
    return lambda name: f"/usr/bin/{name}" if name in programs else None


# --- What was asked for


def test_arguments_after_test_go_to_pytest_untouched(dev: ModuleType) -> None:
    asked = dev.task(["test", "-k", "drag and not slow", "--long", "-x"])
    assert asked == dev.Task(command="test", takes_long=True, options=("-k", "drag and not slow", "-x"))


def test_a_part_of_the_long_run_is_named_by_its_number(dev: ModuleType) -> None:
    count = len(dev.long_parts.PARTS)
    asked = dev.task(["test", "--long", "--part", f"2/{count}", "-x"])
    assert asked == dev.Task(command="test", takes_long=True, part=dev.long_parts.PARTS[1], options=("-x",))
    assert dev.task(["test", "--long", "--list"]).lists_parts


@pytest.mark.parametrize("part", ["", "0/{count}", "3/2", "{more}/{count}", "x/{count}", "2"])
def test_a_part_that_is_none_is_a_usage_error(dev: ModuleType, part: str) -> None:
    count = len(dev.long_parts.PARTS)
    assert dev.main(["test", "--long", "--part", part.format(count=count, more=count + 1)]) == 2


def test_each_test_file_is_in_one_part_of_the_long_run(dev: ModuleType) -> None:
    """Parts that share the tests of one path count as one."""
    root, parts = (
        PACKAGING.parent,
        {part.paths: part for part in dev.long_parts.PARTS if not part.measures_coverage},
    )
    for file in sorted((root / "tests").rglob("test_*.py")):
        name, owners = str(file.relative_to(root)), []
        for part in parts.values():
            words = dev.long_parts.arguments(part)
            ignored = [word.removeprefix("--ignore=") for word in words if word.startswith("--ignore=")]
            if _is_below(name, part.paths) and not _is_below(name, ignored):
                owners.append(part.covers)
        assert len(owners) == 1, (name, owners)


def test_shares_of_a_part_are_whole(dev: ModuleType) -> None:
    by_paths: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for part in dev.long_parts.PARTS:
        if not part.measures_coverage:
            by_paths.setdefault(part.paths, []).append(part.share)
            assert all((PACKAGING.parent / path).exists() for path in part.paths)
    for shares in by_paths.values():
        assert shares == [(place, len(shares)) for place in range(1, len(shares) + 1)]


def _is_below(name: str, paths: Iterable[str]) -> bool:
    return any(name == path or name.startswith(f"{path}/") for path in paths)


DAY_S = 86_400


def test_a_build_runs_the_red_parts_and_then_the_part_of_the_day(dev: ModuleType) -> None:
    parts = dev.long_parts.PARTS
    text = f"# a comment\n\n{parts[7].covers}\n  {parts[2].covers}\n"
    red = dev.long_parts.red_parts(text)
    assert red == (parts[7], parts[2])
    assert dev.long_parts.due_parts(red, DAY_S * len(parts)) == (parts[7], parts[2], parts[0])
    assert dev.long_parts.due_parts(red, DAY_S * (len(parts) + 5) - 1) == (parts[7], parts[2], parts[4])
    assert dev.long_parts.due_parts(red, DAY_S * 2) == red  # the part of that day is red already


def test_each_line_of_the_red_parts_names_a_part(dev: ModuleType) -> None:
    dev.long_parts.red_parts((PACKAGING.parent / "tests" / "red_parts.txt").read_text("utf-8"))
    with pytest.raises(ValueError, match="no part of the long run"):
        dev.long_parts.red_parts("a part that was renamed")


@pytest.fixture
def due(dev: ModuleType, project: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Run the long parts of a build with an outcome for each; return its exit status."""

    def run(*outcomes: int | str) -> int:
        parts = dev.long_parts.PARTS[: len(outcomes)]
        monkeypatch.setattr(dev.long_parts, "due_parts", lambda _red, _time: parts)
        left = list(outcomes)

        def call(_command: tuple[str, ...], environment: dict[str, str], limit_s: float) -> int:
            assert 0 < limit_s <= dev.DUE_PARTS_S
            outcome = left.pop(0)
            if isinstance(outcome, int):
                return outcome
            if outcome == "stopped after a failure":
                Path(environment[dev.FAILURES_TO]).write_text("tests/test_a.py::test_b")
            raise subprocess.TimeoutExpired("pytest", limit_s)

        monkeypatch.setattr(dev, "set_up", lambda *_: None)
        monkeypatch.setattr(dev, "call", call)
        return dev.main(["test", "--long", "--due"])

    return run


@pytest.mark.parametrize(
    ("outcomes", "status", "words"),
    [
        ((0, 0), 0, ["green", "green"]),
        ((1, 0), 1, ["RED", "green"]),
        ((0, "stopped"), 0, ["green", "not finished"]),
        ((0, "stopped after a failure"), 1, ["green", "RED"]),
    ],
)
def test_a_red_long_part_fails_the_build(
    due: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    outcomes: tuple[int | str, ...],
    status: int,
    words: list[str],
) -> None:
    assert due(*outcomes) == status
    printed = capsys.readouterr().out
    assert printed.count("dev.py test --long --part") == len(outcomes)
    summary = printed.partition("--- long parts of this build\n")[2].splitlines()
    for line, word in zip(summary, words, strict=False):
        assert f" {word} " in line


def test_options_of_tables_go_to_their_modules(dev: ModuleType) -> None:
    assert dev.task(["bench", "--only", "log"]) == dev.Task(command="bench", options=("--only", "log"))
    assert dev.task(["faults", "--minutes", "60"]) == dev.Task(command="faults", options=("--minutes", "60"))
    for module in dev.TABLES.values():
        assert (PACKAGING.parent / f"{module.replace('.', '/')}.py").is_file()


@pytest.mark.parametrize("command", ["run", "lint", "test", "bench", "faults"])
def test_a_command_alone_is_enough(dev: ModuleType, command: str) -> None:
    assert dev.task([command]) == dev.Task(command=command)


@pytest.mark.parametrize("arguments", [[], ["walk"], ["run", "fast"], ["lint", "--fix"]])
def test_anything_else_is_a_usage_error_that_shows_the_usage(
    dev: ModuleType, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert dev.main(arguments) == 2
    assert "dev.py test --long" in capsys.readouterr().err


# --- When pip has to run


@pytest.mark.parametrize(
    ("stamp", "parts", "is_done"),
    [
        ("abc run", "run", True),
        ("abc dev", "run", True),
        ("abc dev", "dev", True),
        ("abc long", "dev", True),
        ("abc run", "dev", False),
        ("abc dev", "long", False),
        ("old dev", "run", False),
        ("", "run", False),
    ],
)
def test_the_stamp_says_what_has_been_installed(
    dev: ModuleType, stamp: str, parts: str, is_done: bool
) -> None:
    assert dev.is_set_up(stamp, "abc", parts) is is_done


def test_the_fingerprint_changes_with_each_thing_an_installation_depends_on(dev: ModuleType) -> None:
    as_it_was = (b"[project]", b"version = 3.11.2", Path("/here"))
    others = [
        (b"[project] ", *as_it_was[1:]),
        (as_it_was[0], b"version = 3.12.1", as_it_was[2]),
        (*as_it_was[:2], Path("/moved")),
    ]
    assert len({dev.fingerprint(*what) for what in [as_it_was, *others]}) == 4
    assert dev.fingerprint(*as_it_was) == dev.fingerprint(*as_it_was)


def test_the_second_set_up_calls_nothing(dev: ModuleType, calls: list[list[str]]) -> None:
    dev.set_up((), "dev")
    assert [command[2] for command in calls] == ["venv", "pip"]
    calls.clear()
    dev.set_up((), "dev")
    dev.set_up((), "run")
    assert calls == []


def test_tests_after_a_run_add_what_they_need_to_the_same_venv(
    dev: ModuleType, calls: list[list[str]]
) -> None:
    dev.set_up((), "run")
    dev.set_up((), "dev")
    assert [command[2] for command in calls] == ["venv", "pip", "pip"]
    assert calls[1][-1] == "."
    assert calls[2][-1] == ".[dev]"
    dev.set_up((), "long")
    assert calls[3][-1] == ".[dev,spark,long]"


def test_a_changed_project_file_is_installed_again(
    dev: ModuleType, project: Path, calls: list[list[str]]
) -> None:
    dev.set_up((), "run")
    (project / "pyproject.toml").write_text("[project]\ndependencies = []\n")
    calls.clear()
    dev.set_up((), "run")
    assert [command[2] for command in calls] == ["pip"]


def test_a_venv_whose_python_has_gone_is_made_anew(
    dev: ModuleType, project: Path, calls: list[list[str]]
) -> None:
    dev.set_up((), "run")
    python = project / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to(project / "gone")
    assert not dev.venv_works()


def test_a_set_up_that_was_interrupted_is_not_taken_for_done(
    dev: ModuleType, project: Path, calls: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    dev.set_up((), "run")
    (project / "pyproject.toml").write_text("[project]\ndependencies = ['more']\n")
    monkeypatch.setattr(dev, "call", lambda *_: 1)
    with pytest.raises(dev.DevError, match="Python packages") as failed:
        dev.set_up((), "run")
    assert failed.value.status == 3
    assert not (project / ".venv" / "gpuplanner-setup.txt").exists()


# --- System packages


def test_only_what_is_not_there_is_missing(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    needs = [need(dev, "here", is_there=True), need(dev, "absent")]
    monkeypatch.setattr(sys, "platform", "linux")
    assert dev.system_packages.missing(needs) == needs[1:]


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_off_linux_nothing_is_missing(
    dev: ModuleType, platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert dev.system_packages.missing([need(dev, "absent")]) == []


APT = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]


@pytest.mark.parametrize(
    ("user_id", "programs", "may_sudo", "way"),
    [
        (0, ("apt-get",), False, APT),
        (1000, ("apt-get", "sudo"), True, ["sudo", "-n", *APT]),
        (1000, ("apt-get", "sudo"), False, None),
        (1000, ("apt-get",), True, None),
        (0, ("dnf",), False, None),
    ],
)
def test_apt_is_used_by_root_or_with_sudo_that_asks_nothing(
    dev: ModuleType, user_id: int, programs: tuple[str, ...], may_sudo: bool, way: list[str] | None
) -> None:
    assert dev.system_packages.way_to_apt(user_id, which(*programs), lambda: may_sudo) == way


@pytest.mark.parametrize(
    ("programs", "command"),
    [
        (("apt-get",), "sudo apt-get update && sudo apt-get install --no-install-recommends deb-egl deb-xcb"),
        (("dnf",), "sudo dnf install 'rpm(egl)' 'rpm(xcb)'"),
        (("pacman",), "install with your package manager what brings: egl, xcb"),
    ],
)
def test_who_may_not_install_is_told_one_command(
    dev: ModuleType, programs: tuple[str, ...], command: str
) -> None:
    needs = [need(dev, "egl"), need(dev, "xcb")]
    assert dev.system_packages.command_to_type(needs, which(*programs)) == command


@pytest.mark.parametrize(
    ("is_optional", "ci", "goes_on"), [(False, "", False), (True, "", True), (True, "true", False)]
)
def test_only_tools_of_tests_may_be_missing_and_not_on_the_build_machine(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, is_optional: bool, ci: str, goes_on: bool
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(dev.system_packages, "install", lambda needs: needs)
    monkeypatch.setenv("CI", ci)
    needs = [need(dev, "tool", is_optional=is_optional)]
    if goes_on:
        dev.provide(needs)
        return
    with pytest.raises(dev.DevError, match=r"\btool\b") as missing:
        dev.provide(needs)
    assert missing.value.status == 4


# --- Running


@pytest.mark.parametrize(
    ("platform", "environment", "shown"),
    [
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {}, False),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_a_window_needs_a_display(
    dev: ModuleType, platform: str, environment: dict[str, str], shown: bool
) -> None:
    assert dev.has_display(platform, environment) is shown


@pytest.mark.parametrize(
    ("value", "is_one"), [("true", True), ("1", True), ("True", True), ("false", False), ("", False)]
)
def test_ci_says_whether_this_is_the_build_machine(dev: ModuleType, value: str, is_one: bool) -> None:
    assert dev.is_build_machine({"CI": value}) is is_one


def test_a_failed_check_fails_the_whole_but_the_others_run(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[str] = []

    def call(command: list[str], _environment: dict[str, str], limit_s: float | None = None) -> int:
        ran.append(Path(command[0]).name)
        return 1 if ran == ["ruff"] else 0

    monkeypatch.setattr(dev, "call", call)
    assert dev.check([("style", ("ruff", "check")), ("types", ("mypy",))], {}) == 1
    assert ran == ["ruff", "mypy"]
    said = capsys.readouterr().out
    assert "FAILED (1)" in said
    assert "passed" in said


@pytest.mark.skipif(os.name == "nt", reason="its tools are scripts")
@pytest.mark.parametrize(("status", "summary"), [(0, "types passed beside"), (3, "types FAILED (3) beside")])
def test_what_ran_beside_is_said_after_the_others_and_counts(
    dev: ModuleType, project: Path, capfd: pytest.CaptureFixture[str], status: int, summary: str
) -> None:
    tools = {
        "tests": "touch over",
        "types": f"until [ -e over ]; do sleep 0.01; done; echo found; exit {status}",
    }
    (project / ".venv" / "bin").mkdir(parents=True)
    for name, script in tools.items():
        tool = project / ".venv" / "bin" / name
        tool.write_text(f"#!/bin/sh\n{script}\n")
        tool.chmod(0o755)
    assert dev.check([("tests", ("tests",))], os.environ, beside=[("types", ("types",))]) == bool(status)
    said = capfd.readouterr().out
    assert said.index("--- tests") < said.index("--- types\nfound\n") < said.index("--- summary")
    assert " ".join(said.splitlines()[-1].split()) == summary


def test_a_run_of_tests_keeps_its_bytecode_whatever_the_machine_says(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, str]] = []
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(dev, "set_up", lambda *_, **__: None)
    monkeypatch.setattr(dev, "LINTERS", ())
    monkeypatch.setattr(dev, "call", lambda _, environment: told.append(environment) or 0)
    assert dev.main(["test"]) == 0
    assert [environment["PYTHONDONTWRITEBYTECODE"] for environment in told] == [""]


def test_a_demo_that_was_cut_off_is_written_again_and_a_whole_one_is_kept(
    dev: ModuleType, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def gpuplanner(*arguments: str, **_environment: str) -> int:
        ran.append(arguments[0])
        if arguments[0] == "demo":
            (project / ".demo").mkdir()
            (project / ".demo" / "demo.gpuplan").touch()
        return 0

    monkeypatch.setattr(dev, "set_up", lambda *_, **__: None)
    monkeypatch.setattr(dev, "has_display", lambda *_: True)
    monkeypatch.setattr(dev, "gpuplanner", gpuplanner)
    (project / ".demo").mkdir()
    (project / ".demo" / "demo.gpuplan").touch()  # no mark of the end beside it
    assert dev.run() == 0
    assert dev.run() == 0
    opened = str(project / ".demo" / "demo.gpuplan")
    assert ran == ["demo", opened, opened]


@pytest.mark.parametrize(
    ("age_days", "is_worked_on", "is_kept"), [(0, False, True), (8, False, False), (8, True, True)]
)
def test_a_demo_of_last_week_is_written_again_unless_it_was_worked_on(
    dev: ModuleType, project: Path, age_days: int, is_worked_on: bool, is_kept: bool
) -> None:
    demo, mark = project / ".demo" / "demo.gpuplan", project / ".demo" / "written"
    demo.parent.mkdir()
    written_s = time.time() - age_days * 86_400
    for path, at_s in ((demo, written_s - 1), (mark, written_s)):
        path.touch()
        os.utime(path, (at_s, at_s))
    if is_worked_on:
        os.utime(demo)
    assert dev.is_demo_kept(demo) is is_kept


@pytest.mark.parametrize(("failing", "status"), [(None, 0), ("plan", 1), ("export", 1), ("--screenshot", 1)])
def test_without_a_display_each_part_of_the_demo_has_to_work(
    dev: ModuleType, project: Path, monkeypatch: pytest.MonkeyPatch, failing: str | None, status: int
) -> None:
    platforms = []

    def gpuplanner(*arguments: str, **environment: str) -> int:
        if arguments[0] == "demo":
            (project / ".demo").mkdir()
            (project / ".demo" / "demo.gpuplan").touch()
        if "--screenshot" in arguments:
            platforms.append(environment["QT_QPA_PLATFORM"])
        if failing in arguments:
            return 3
        if "--out" in arguments or "--screenshot" in arguments:
            Path(arguments[-1]).touch()
        return 0

    monkeypatch.setattr(dev, "set_up", lambda *_, **__: None)
    monkeypatch.setattr(dev, "has_display", lambda *_: False)
    monkeypatch.setattr(dev, "gpuplanner", gpuplanner)
    assert dev.run() == status
    assert platforms == ["offscreen"]


@pytest.mark.skipif(os.name == "nt", reason="signals are sent as on Unix")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("call", ["call(child, {})", "check([], {}, beside=[('types', child)])"])
def test_a_command_that_is_stopped_leaves_no_child_behind(tmp_path: Path, number: int, call: str) -> None:
    started = tmp_path / "started"
    script = tmp_path / "stopped.py"
    script.write_text(
        textwrap.dedent(f"""
            import sys
            sys.path.insert(0, {str(PACKAGING)!r})
            import dev
            said = "import os, sys, time; print(os.getpid(), file=open(sys.argv[1], 'w')); time.sleep(60)"
            child = [sys.executable, "-c", said, {str(started)!r}]
            dev.lint = lambda: dev.{call}
            sys.exit(dev.main(["lint"]))
            """)
    )
    running = subprocess.Popen(
        [sys.executable, str(script)],
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_DFL
        ),  # a job in the background ignores Ctrl-C
    )
    with running:
        while not (started.exists() and started.read_text()):
            assert running.poll() is None, "it ended before its child had begun"
            time.sleep(0.01)
        os.killpg(running.pid, number)
        assert running.wait(20) == (130 if number == signal.SIGINT else 143)
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)
