"""Lists the texts of the window that can be translated, as a .ts file for Qt Linguist.

    python docs/list_texts.py FILE.ts [LANGUAGE]      then, translated:  pyside6-lrelease FILE.ts -qm
    resources/translations/gpuplanner_LANGUAGE.qm

Which texts these are, and which not yet: docs/decisions/0012-texts-for-translation.md.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gpuplanner.ui.actions import ACTIONS, MENUS
from gpuplanner.ui.panel_docks import SHORT, TITLES
from gpuplanner.ui.said import CONTEXT

SOURCES = Path(__file__).resolve().parent.parent / "gpuplanner" / "ui"


def texts() -> list[str]:
    """Every text that `said` is asked for, in the order of the window, each once."""
    found = [*MENUS]
    for spec in ACTIONS:
        found += [*spec.title.split("/"), spec.tip]
    found += [*TITLES.values(), *SHORT.values(), *headings()]
    return [text for text in dict.fromkeys(found) if text]


def headings() -> Iterator[str]:
    """The headings of all tables: the first argument of Column, where it is written out."""
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_column = (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Column"
            )
            if is_column and node.args and isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value)


def ts(language: str) -> str:
    """The file, with nothing translated yet."""
    messages = "\n".join(
        f'  <message><source>{escape(text)}</source><translation type="unfinished"></translation></message>'
        for text in texts()
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
        f'<TS version="2.1" language="{language}" sourcelanguage="en_US">\n<context>\n  <name>{CONTEXT}</name>\n'
        f"{messages}\n</context>\n</TS>\n"
    )


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    Path(sys.argv[1]).write_text(ts(sys.argv[2] if len(sys.argv) == 3 else "de_DE"), encoding="utf-8")
    print(f"{len(texts())} texts")
