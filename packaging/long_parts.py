"""Divide the long run into parts: what each covers, and the arguments of pytest that run it.

A part is to take at most 15 minutes on two cores. Where one path takes longer, several parts share its tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

SECONDS_PER_DAY = 86_400


@dataclass(frozen=True)
class Part:
    """A part of the long run: the test paths that it runs, less those that other parts name below them."""

    covers: str
    paths: tuple[str, ...]
    share: tuple[int, int] = (1, 1)
    """Which of how many equal shares of the tests."""
    measures_coverage: bool = field(default=False, kw_only=True)


def shares(covers: str, count: int, *paths: str) -> tuple[Part, ...]:
    """Return parts that divide the same tests."""
    return tuple(
        Part(f"{covers}, {place} of {count}", paths, (place, count)) for place in range(1, count + 1)
    )


PARTS = (
    Part("figures, model, demand: values, formulas, edits, fit, serving, training", ("tests/domain",)),
    *shares("commitment engine: plan, verdicts, uncertainty, backtest", 2, "tests/domain/commitment"),
    Part("engine against plain references", ("tests/oracle", "tests/test_known_answers.py")),
    Part(
        "audit, evidence, queue, award, track",
        ("tests/domain/audit", "tests/domain/queue", "tests/domain/award", "tests/domain/track"),
    ),
    *shares(
        "job logs: dialects, judging, reduction, Spark",
        2,
        "tests/files/job_logs",
        "tests/files/export/test_cube_file.py",
    ),
    Part("import, tables, values, sources", ("tests/files",)),
    *shares("workbook, recalculated by LibreOffice", 2, "tests/files/workbook"),
    Part(
        "contracts, prices, project files, requests, brief",
        (
            "tests/files/contracts",
            "tests/files/prices",
            "tests/files/project",
            "tests/files/request",
            "tests/files/brief",
        ),
    ),
    *shares("damaged files of every kind", 4, "tests/faults/test_damaged_files.py"),
    Part("hostile JSON", ("tests/files/test_hostile_json.py",)),
    *shares("faults of writing, odd outputs, what may be removed", 2, "tests/faults"),
    Part("terminal, API, docs, packaging", ("tests",)),
    Part("services: document, evaluator, journal, saving", ("tests/app", "tests/charts")),
    Part("window: panels, board, flows, dialogs", ("tests/ui/panels", "tests/ui/flows", "tests/ui/board")),
    Part("window: everything else, real mouse, languages, people", ("tests/ui", "tests/meeting")),
    *shares("every text and figure as accepted", 2, "tests/golden"),
    *shares("mutations of every formula", 4, "tests/golden/test_mutations.py"),
    Part(
        "coverage of domain, files, terminal and services",
        ("tests/domain", "tests/files", "tests/cli", "tests/app"),
        measures_coverage=True,
    ),
)


def arguments(part: Part) -> tuple[str, ...]:
    """Return what pytest is called with to run a part."""
    below = {path for other in PARTS for path in other.paths if not other.measures_coverage}
    left_out = [
        f"--ignore={path}"
        for path in sorted(below - set(part.paths))
        if any(path.startswith(f"{own}/") for own in part.paths)
    ]
    place, count = part.share
    return (*part.paths, *left_out, *((f"--share={place}/{count}",) if count > 1 else ()))


def number_of(part: Part) -> str:
    """Return the number that names a part on the command line, such as "2/8"."""
    return f"{PARTS.index(part) + 1}/{len(PARTS)}"


def red_parts(text: str) -> tuple[Part, ...]:
    """Return the parts that a list of red parts names, by what they cover, a line each.

    Empty lines and lines that start with # are skipped.
    Errors: ValueError, with the remedy, for a line that names no part.
    """
    by_name = {part.covers: part for part in PARTS}
    parts = []
    for line in text.splitlines():
        name = line.strip()
        if not name or name.startswith("#"):
            continue
        if name not in by_name:
            raise ValueError(
                f"tests/red_parts.txt: {name!r} is no part of the long run; "
                "`dev.py test --long --list` lists what each part covers"
            )
        parts.append(by_name[name])
    return tuple(parts)


def due_parts(red: Iterable[Part], epoch_s: float) -> tuple[Part, ...]:
    """Return the parts that a build runs: the red ones, then the part of the day, each once.

    red: parts that were red and are not green again. epoch_s: the time, whose day in UTC chooses the last part.
    """
    of_day = PARTS[int(epoch_s // SECONDS_PER_DAY) % len(PARTS)]
    return tuple(dict.fromkeys((*red, of_day)))


def listing() -> str:
    """Return a line per part: its number, what it covers, and where its tests are."""
    return "\n".join(
        f"{number:>2}/{len(PARTS)}  {part.covers}: {' '.join(part.paths)}"
        for number, part in enumerate(PARTS, 1)
    )


def part_of(words: str) -> Part:
    """Return the part that "2/8" names. Errors: ValueError, with the remedy."""
    number, _, count = words.partition("/")
    if not (number.isdigit() and 1 <= int(number) <= len(PARTS) and count == str(len(PARTS))):
        raise ValueError(
            f"--part: {words!r} is not one of 1/{len(PARTS)} to {len(PARTS)}/{len(PARTS)}; "
            "`dev.py test --long --list` lists what each part covers"
        )
    return PARTS[int(number) - 1]
