"""Hold the size of gpuplanner/ to its ration: code lines and files, by `[tool.ration]` of pyproject.toml.

The ration is the start plus the numbers of the issues that are in work or done. It is a limit, not a record: only an
issue changes it. A code line has code on it: no blank, no comment, no docstring. Tests are counted, and not limited.

Exit status: 0 within the ration; 1 over it.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
NO_CODE = frozenset(
    (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


OPEN: Final = "open"
STATES: Final = frozenset((OPEN, "in work", "done"))


class Size(NamedTuple):
    """How large a folder of Python is."""

    code_lines: int
    files: int


def code_lines(text: str) -> int:
    """Lines of a module that have code on them."""
    documented: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            documented.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    coded: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            coded.update(range(token.start[0], token.end[0] + 1))
    return len(coded - documented)


def size_of(folder: Path) -> Size:
    """Of all modules below a folder."""
    modules = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
    return Size(sum(map(code_lines, modules)), len(modules))


def allowed_by(ration: Mapping[str, Any]) -> Size:
    """Return what the table allows. Errors: ValueError for a state that is none of STATES."""
    states = [issue["state"] for issue in ration["issues"]]
    if not STATES.issuperset(states):
        raise ValueError(f"[tool.ration]: a state is one of {', '.join(sorted(STATES))}, not {states}")
    begun = [issue for issue in ration["issues"] if issue["state"] != OPEN]
    first, after_all = ration["files"]
    return Size(
        ration["start_code_lines"] + sum(issue["code_lines"] for issue in begun),
        first if len(begun) <= 1 else after_all,
    )


def excess(allowed: Size, size: Size) -> list[str]:
    """Return a line for each number over the ration, with what to do."""
    return [
        f"gpuplanner has {count:,} {name.replace('_', ' ')}, {count - limit:,} over its ration of {limit:,}. "
        "Remove code that is not needed. Only an issue changes [tool.ration]."
        for (name, count), limit in zip(size._asdict().items(), allowed, strict=True)
        if count > limit
    ]


def main() -> int:
    """Print the sizes and what is over."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ration"]
    allowed, size, tests = allowed_by(table), size_of(ROOT / "gpuplanner"), size_of(ROOT / "tests")
    print(
        f"gpuplanner: {size.code_lines:,} code lines of {allowed.code_lines:,}, {size.files} files of {allowed.files}"
    )
    print(f"tests: {tests.code_lines:,} code lines, {tests.files} files")
    over = excess(allowed, size)
    print(*over, sep="\n", end="\n" if over else "")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
