"""The other engine: a Spark session, an extra that needs Java."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.files.system.resources import plain_table
from gpuplanner.lazy_re import lazy_re

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


# What Spark's processes say on standard error: errors are passed on, warnings and greetings are left out.
_STANDARD_ERROR: Final = 2
_LEVEL: Final = lazy_re(rb"^\d\d(?:\d\d)?[/-]\d\d[/-]\d\d[ T][\d:.,]+ (\w+)\b")
_GREETINGS: Final = (
    b"WARNING: Using incubator modules",
    b"Using Spark's default log4j profile",
    b"Setting default log level to",
    b"To adjust logging level use",
)
_QUIET: Final = (b"WARN", b"INFO", b"DEBUG", b"TRACE")


def is_worth_saying(line: bytes) -> bool:
    """Whether a line is neither a warning nor less of Spark's log, nor how it says hello.

    >>> is_worth_saying(b"26/11/20 15:52:35 WARN Utils: Your hostname"), is_worth_saying(b"java.io.IOException: full")
    (False, True)
    """
    found = _LEVEL.match(line)
    return not line.startswith(_GREETINGS) and not (found and found[1] in _QUIET)


@contextmanager
def errors_only() -> Iterator[None]:
    """Processes that are started within, and live on after it, say no more than errors on standard error."""
    try:
        kept = os.dup(_STANDARD_ERROR)
    except OSError:  # there is none
        yield
        return
    from_processes, to_processes = os.pipe()
    os.dup2(to_processes, _STANDARD_ERROR)
    os.close(to_processes)
    Thread(target=_pass_on, args=(from_processes, kept), daemon=True).start()
    try:
        yield
    finally:
        os.dup2(kept, _STANDARD_ERROR)


def _pass_on(source: int, target: int) -> None:
    """Copies what Java writes to the terminal, line by line, and leaves out what is not worth it.

    Runs in a thread.
    """
    with os.fdopen(source, "rb") as lines, suppress(OSError):
        for line in lines:
            if is_worth_saying(line):
                os.write(target, line)


OLDEST_JAVA: Final = 17

_SETTINGS: Final = plain_table("spark_setting")
"""What the figures need to be the same everywhere; where to run and with how much is the site's to say."""

_JAVA_ANSWERS_WITHIN_S: Final = 30


@contextmanager
def open_spark() -> Iterator["SparkSession"]:
    """A session where Spark's own settings point (PYSPARK_SUBMIT_ARGS, SPARK_CONF_DIR); without any, on this machine.

    Errors: PlannerError missing_part where the extra or Java is not there; file_unreadable where no session comes up.
    """
    check_parts(os.environ)
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder
    for name, value in _SETTINGS.items():
        builder = builder.config(name, value)
    try:
        with errors_only():
            session = builder.getOrCreate()
    except Exception as fault:  # whatever the cluster has to say
        what = worded("no session: {value}", value=str(fault).splitlines()[0][:200])
        raise unreadable("--engine spark", what, worded("check where PYSPARK_SUBMIT_ARGS points")) from fault
    session.sparkContext.setLogLevel("ERROR")
    # Spark's own defaults are made for many machines.
    if str(session.sparkContext.master).startswith("local"):
        session.conf.set("spark.sql.shuffle.partitions", str(2 * session.sparkContext.defaultParallelism))
        session.conf.set("spark.sql.inMemoryColumnarStorage.compressed", "false")  # rows kept for minutes
    try:
        yield session
    finally:
        with suppress(Exception):  # what has gone needs no end, and hides neither Ctrl-C nor what went wrong
            session.stop()


def check_parts(environment: Mapping[str, str]) -> None:
    """Errors: PlannerError missing_part, which says what to install."""
    if importlib.util.find_spec("pyspark") is None:
        raise _missing(
            worded("Spark is not installed"), worded("install it with: pip install 'gpuplanner[spark]'")
        )
    java = _java(environment)
    remedy = worded(
        "install Java {oldest_java} (Debian: openjdk-{oldest_java}-jre-headless), or set JAVA_HOME",
        oldest_java=str(OLDEST_JAVA),
    )
    if java is None:
        raise _missing(worded("Spark needs Java"), remedy)
    version = _java_version(java)
    if version is not None and version < OLDEST_JAVA:
        raise _missing(
            worded(
                "Spark needs Java {oldest_java}, and {java} is Java {version}",
                oldest_java=str(OLDEST_JAVA),
                java=java,
                version=str(version),
            ),
            remedy,
        )


def _missing(what: Message, remedy: Message) -> PlannerError:
    """The error `missing_part` for what Spark lacks here."""
    return PlannerError("--engine spark", "missing_part", what, remedy)


def _java(environment: Mapping[str, str]) -> str | None:
    """Where Java is: in JAVA_HOME if that is set, else on the path; None if it is not there."""
    home = environment.get("JAVA_HOME")
    path = str(Path(home) / "bin") if home else environment.get("PATH")
    return shutil.which("java", path=path)


def _java_version(java: str) -> int | None:
    """Java's major version, 8 also for 1.8; None if it does not answer."""
    try:
        said = subprocess.run(
            [java, "-version"], check=False, capture_output=True, text=True, timeout=_JAVA_ANSWERS_WITHIN_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r'version "(?:1\.)?(\d+)', said.stderr + said.stdout)
    return int(found[1]) if found else None
