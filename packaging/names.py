"""Refuse names that say nothing in changed lines: a reader has to look up what the value is.

Changed lines are those of gpuplanner/ and packaging/ that differ from the commit that introduced this check. Older
names stay until their line changes.

Exit status: 0 no such name in a changed line; 1 otherwise.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDERS: Final = ("gpuplanner", "packaging")
REFUSED: Final = frozenset(("one", "found", "said", "told", "mine", "there", "way", "it", "thing", "what"))
_FILE: Final = re.compile(r"\+\+\+ b/(.+)")
_LINES: Final = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")


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


def names_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield line number and name of each variable and parameter that a module binds to a refused name."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in REFUSED:
            yield node.lineno, node.id
        elif isinstance(node, ast.arg) and node.arg in REFUSED:
            yield node.lineno, node.arg


def refused(texts: Mapping[str, str], lines: Mapping[str, set[int]]) -> list[str]:
    """Return place and name of each refused name in a changed line."""
    return [
        f"{file}:{number}: {name!r} says nothing. Name the value: contract, row, match, rate."
        for file, text in texts.items()
        for number, name in sorted(names_in(text))
        if number in lines[file]
    ]


def git(*words: str) -> str:
    """Return what git answers; empty where it cannot, as outside of a clone."""
    answer = subprocess.run(("git", *words), cwd=ROOT, capture_output=True, text=True, check=False)
    return answer.stdout if answer.returncode == 0 else ""


def main() -> int:
    """Print each refused name in a changed line."""
    introduced = git("log", "--diff-filter=A", "--format=%H", "--", "packaging/names.py").split()
    if not introduced:
        print("names: not checked, since the commit that introduced this check is unknown here")
        return 0
    lines = changed_lines(git("diff", "--unified=0", "--no-ext-diff", introduced[-1], "--", *FOLDERS))
    files = [file for file in lines if file.endswith(".py") and (ROOT / file).exists()]
    broken = refused({file: (ROOT / file).read_text(encoding="utf-8") for file in files}, lines)
    print(f"names: {len(files)} changed files, {len(broken)} names that say nothing")
    print(*broken, sep="\n", end="\n" if broken else "")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
