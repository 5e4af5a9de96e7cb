"""Hold the tests to their budget and to values: `tests/costs.csv`, and test functions that quote a sentence.

The budget is for the normal run, in processor seconds where the numpy loop of the benchmarks takes 13.5 ms
(`tests/costs.py` measures it). A sentence is a string of four English words or more that an assertion compares with.

Exit status: 0 all rules hold; 1 a rule is broken.
"""

from __future__ import annotations

import ast
import csv
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
TESTS: Final = ROOT / "tests"
COSTS: Final = TESTS / "costs.csv"
TOTAL_S: Final = 600.0
PER_TEST_S: Final = 0.34
EXPENSIVE_TESTS: Final = 150
QUOTING_TESTS: Final = 200
SENTENCE_WORDS: Final = 4
FIXTURE: Final = "fixture "

Row = Mapping[str, str]


# --- Costs ---------------------------------------------------------------------------------------


def broken_budget(rows: Sequence[Row], files: Iterable[str]) -> list[str]:
    """Return a line for each rule of the budget that the rows of costs.csv break.

    rows: test, processor_s and reason each; files: the test files of the tree, as node ids begin.
    """
    lines = []
    measured = {row["test"].removeprefix(FIXTURE).partition("::")[0] for row in rows}
    if missing := sorted(set(files) - measured):
        lines.append(
            f"tests/costs.csv has no row for {len(missing)} test files, such as {missing[0]}. "
            "Measure on an idle machine: python3 packaging/dev.py test --costs"
        )
    total_s = sum(float(row["processor_s"]) for row in rows)
    if total_s > TOTAL_S:
        lines.append(
            f"The normal run costs {total_s:,.0f} s, its budget is {TOTAL_S:,.0f} s. Make the most expensive tests "
            "cheaper, or mark them `long`."
        )
    expensive = [
        row for row in rows if not row["test"].startswith(FIXTURE) and float(row["processor_s"]) > PER_TEST_S
    ]
    if len(expensive) > EXPENSIVE_TESTS:
        lines.append(f"{len(expensive)} tests cost more than {PER_TEST_S} s. At most {EXPENSIVE_TESTS} may.")
    lines += [
        f"{row['test']} costs {row['processor_s']} s, more than {PER_TEST_S} s. Give the reason in tests/costs.csv, or "
        "mark it `long`."
        for row in expensive
        if not row["reason"]
    ]
    return lines


# --- Sentences -----------------------------------------------------------------------------------

_WORD: Final = re.compile(r"(?<![\w./-])[A-Za-z][a-z']+(?![\w/-])")
_COMPARES: Final = frozenset(
    ("startswith", "endswith", "count", "index", "find", "match", "search", "fullmatch")
)
"""Methods whose argument is what a text is compared with; the arguments of other calls are inputs."""


def is_sentence(text: str) -> bool:
    """Return whether a line of the text has four English words or more."""
    return any(len(_WORD.findall(line)) >= SENTENCE_WORDS for line in text.splitlines())


def quoting_tests(module: ast.Module) -> list[str]:
    """Return the names of the test functions of a module that compare with a sentence."""
    constants = _sentences_by_name(module.body)
    names = []
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            known = constants | _sentences_by_name(ast.walk(node))
            if any(_quotes(part, known) for part in _compared(node)):
                names.append(node.name)
    return names


def _sentences_by_name(statements: Iterable[ast.AST]) -> set[str]:
    """Return the names that are assigned a literal with a sentence."""
    return {
        target.id
        for statement in statements
        if isinstance(statement, ast.Assign) and _quotes(statement.value, set())
        for target in statement.targets
        if isinstance(target, ast.Name)
    }


def _compared(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yield what a test asserts, and what it expects an error to match."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            yield node.test
        elif isinstance(node, ast.Call):
            yield from (keyword.value for keyword in node.keywords if keyword.arg == "match")


def _quotes(node: ast.AST, names: set[str]) -> bool:
    """Return whether an expression holds a sentence, or a name that stands for one, outside of inputs."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and is_sentence(node.value)
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Call):
        is_compared = isinstance(node.func, ast.Attribute) and node.func.attr in _COMPARES
        return _quotes(node.func, names) or (is_compared and any(_quotes(part, names) for part in node.args))
    if isinstance(node, ast.Subscript):
        return _quotes(node.value, names)
    return any(_quotes(part, names) for part in ast.iter_child_nodes(node))


def too_many_sentences(names: Sequence[str]) -> list[str]:
    """Return a line where more tests quote a sentence than may."""
    if len(names) <= QUOTING_TESTS:
        return []
    return [
        f"{len(names)} test functions quote a sentence of {SENTENCE_WORDS} words or more, {QUOTING_TESTS} may. "
        "Assert codes, values and message ids; the golden files hold the texts."
    ]


def main() -> int:
    """Print what the tests cost and quote, and each broken rule."""
    files = [path.relative_to(ROOT) for path in sorted(TESTS.rglob("test_*.py"))]
    with COSTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    quoting = [
        f"{file}::{name}"
        for file in files
        for name in quoting_tests(ast.parse((ROOT / file).read_text("utf-8")))
    ]
    if sys.argv[1:] == ["--list"]:
        print(*quoting, sep="\n")
    broken = broken_budget(rows, map(Path.as_posix, files)) + too_many_sentences(quoting)
    total_s = sum(float(row["processor_s"]) for row in rows)
    print(f"tests: {total_s:,.0f} s of {TOTAL_S:,.0f}, {len(quoting)} of {QUOTING_TESTS} quote a sentence")
    print(*broken, sep="\n", end="\n" if broken else "")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
