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
from gpuplanner.ui.glossary import WORDS
from gpuplanner.ui.panel_docks import SHORT, TITLES
from gpuplanner.ui.said import CONTEXT

SOURCES = Path(__file__).resolve().parent.parent / "gpuplanner" / "ui"


def texts() -> list[str]:
    """Every text that `said` is asked for, in the order of the window, each once."""
    found = [*MENUS]
    for spec in ACTIONS:
        found += [*spec.title.split("/"), spec.tip]
    found += [*TITLES.values(), *SHORT.values(), *WORDS, *WORDS.values(), *words_in_calls()]
    return [text for text in dict.fromkeys(found) if text]


NAMES_OF_SAID = ("said", "translated")
"""What `said` is called, also in modules that have another thing of this name."""
TOLD_FIRST = ("Column",)
"""What translates its first argument itself: headings of columns."""
ASKING = ("ask", "ask_text", "Question")
"""What translates the answers that it is told."""


def words_in_calls() -> Iterator[str]:
    """The words that are written out, or named by a constant of the module, where they are translated."""
    for path in sorted(SOURCES.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = constants_of(tree)
        for node in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args):
            called = node.func.id if isinstance(node.func, ast.Name) else ""
            if called in (*NAMES_OF_SAID, *TOLD_FIRST):
                yield from _words(node.args[0], named)
            elif called in ASKING:
                for one in node.args[1:]:
                    yield from (word for each in ast.walk(one) for word in _words(each, named))


def constants_of(tree: ast.Module) -> dict[str, str]:
    """Texts that a module names at its top."""
    found = {}
    for line in tree.body:
        if isinstance(line, ast.Assign | ast.AnnAssign) and isinstance(line.value, ast.Constant):
            targets = line.targets if isinstance(line, ast.Assign) else [line.target]
            if isinstance(line.value.value, str):
                found |= {one.id: line.value.value for one in targets if isinstance(one, ast.Name)}
    return found


def _words(node: ast.AST, named: dict[str, str]) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Name) and node.id in named:
        yield named[node.id]


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
