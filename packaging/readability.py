"""Refuse in changed lines what makes a reader stop: unnamed arguments, nested conditionals, kept layout, empty names.

Changed lines are those of gpuplanner/, packaging/ and docs/ that differ from the commit that introduced this check.
Older lines stay as they are until somebody changes them.

Exit status: 0 nothing refused in a changed line; 1 otherwise.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDERS: Final = ("gpuplanner", "packaging", "docs")
POSITIONS: Final = 4
"""Positional arguments that a call of a class may have."""
WITHOUT_NAMES: Final = frozenset(("Signal", "TypeVar"))
"""Classes that take no names for their arguments."""
EMPTY_NAMES: Final = frozenset(
    (
        *("one", "found", "said", "told", "mine", "there", "way", "it", "thing", "what"),
        *("at", "of", "some", "that"),
    )
)
_CLASS: Final = re.compile(r"_?[A-Z][a-z]")
_FILE: Final = re.compile(r"\+\+\+ b/(.+)")
_LINES: Final = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")


class Fault(NamedTuple):
    """A place that a reader stops at: its first and last line, and what to do."""

    first_line: int
    last_line: int
    advice: str

    def touches(self, lines: set[int]) -> bool:
        """Return whether a line of the place is among these."""
        return not lines.isdisjoint(range(self.first_line, self.last_line + 1))


# --- Rules ---------------------------------------------------------------------------------------


def unnamed_arguments(text: str) -> Iterator[Fault]:
    """Yield each call of a class with more than POSITIONS positional arguments."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = _called_class(node)
        positions = sum(not isinstance(argument, ast.Starred) for argument in node.args)
        if name and name not in WITHOUT_NAMES and positions > POSITIONS:
            advice = f"{name} has {positions} positional arguments. Name them."
            yield Fault(node.lineno, node.end_lineno or node.lineno, advice)


def _called_class(call: ast.Call) -> str:
    """Return the name of the class that is called; "" for a function."""
    if isinstance(call.func, ast.Name):
        name = call.func.id
    elif isinstance(call.func, ast.Attribute):
        name = call.func.attr
    else:
        return ""
    return name if _CLASS.match(name) else ""


def nested_conditionals(text: str) -> Iterator[Fault]:
    """Yield each conditional expression that is a branch or the condition of another one."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.IfExp):
            continue
        if any(isinstance(part, ast.IfExp) for part in (node.test, node.body, node.orelse)):
            advice = "A conditional expression inside another. Use if statements or a named step."
            yield Fault(node.lineno, node.end_lineno or node.lineno, advice)


def kept_from_formatter(text: str) -> Iterator[Fault]:
    """Yield each comment that keeps lines from the formatter."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and re.match(r"#\s*fmt:\s*(?:skip|off)", token.string):
            advice = "The formatter must not be switched off. Remove the comment."
            yield Fault(token.start[0], token.start[0], advice)


def empty_names(text: str) -> Iterator[Fault]:
    """Yield each variable and parameter with one of EMPTY_NAMES."""
    for node in ast.walk(ast.parse(text)):
        name = _bound_name(node)
        if name in EMPTY_NAMES:
            line: int = getattr(node, "lineno", 0)
            yield Fault(line, line, f"{name!r} says nothing. Name the value: contract, row, match, rate.")


def _bound_name(node: ast.AST) -> str:
    """Return the name that a node binds as a variable or parameter; "" if it binds none."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    if isinstance(node, ast.arg):
        return node.arg
    return ""


RULES: Final[tuple[Callable[[str], Iterator[Fault]], ...]] = (
    unnamed_arguments,
    nested_conditionals,
    kept_from_formatter,
    empty_names,
)


def refused(texts: Mapping[str, str], lines: Mapping[str, set[int]]) -> list[str]:
    """Return place and advice of each fault that touches a changed line, in the order of the files.

    texts: Python code by file; lines: numbers of changed lines by file.
    """
    places = []
    for file, text in texts.items():
        faults = sorted(fault for rule in RULES for fault in rule(text))
        places += [
            f"{file}:{fault.first_line}: {fault.advice}" for fault in faults if fault.touches(lines[file])
        ]
    return places


# --- Changed lines -------------------------------------------------------------------------------


def changed_lines(diff: str) -> dict[str, set[int]]:
    """Return the numbers of new lines by file, of a diff without context."""
    lines: dict[str, set[int]] = defaultdict(set)
    file = ""
    for line in diff.splitlines():
        if match := _FILE.fullmatch(line):
            file = match[1]
        elif match := _LINES.match(line):
            start, count = int(match[1]), int(match[2] or 1)
            lines[file].update(range(start, start + count))
    return lines


def git(*words: str) -> str:
    """Return what git answers; empty where it cannot, as outside of a clone."""
    answer = subprocess.run(("git", *words), cwd=ROOT, capture_output=True, text=True, check=False)
    return answer.stdout if answer.returncode == 0 else ""


def main() -> int:
    """Print each fault in a changed line."""
    file_of_rule = Path(__file__).resolve().relative_to(ROOT).as_posix()
    introduced = git("log", "--diff-filter=A", "--no-renames", "--format=%H", "--", file_of_rule).split()
    if not introduced:
        print("readability: not checked, since the commit that introduced this check is unknown here")
        return 0
    lines = changed_lines(git("diff", "--unified=0", "--no-ext-diff", introduced[-1], "--", *FOLDERS))
    files = [file for file in lines if file.endswith(".py") and (ROOT / file).exists()]
    broken = refused({file: (ROOT / file).read_text(encoding="utf-8") for file in files}, lines)
    print(f"readability: {len(files)} changed files, {len(broken)} places to mend")
    print(*broken, sep="\n", end="\n" if broken else "")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
