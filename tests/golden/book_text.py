"""Every cell of a workbook as text: its value as written and its formula, a formula that is filled down only once.

A sheet is written column by column. `C6:C12 =A[6]*B$2` is the formula of the first of those cells; a row in brackets
goes down with the cell, others stay. The value of each cell follows. Of a long run stands there how many there are, the
first, the middle and the last one, their sum and their sum weighted by place: a changed or moved value changes them.
"""

import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Final

from tests.golden.store import number

LONG_RUN: Final = 60
REPEATS_OTHERS: Final = "Exported"
"""The sheet that has what others hold once more; that it does is a law with a test (test_exported_sheet.py)."""
_CELL: Final = re.compile(
    r'<c r="([A-Z]+)(\d+)"(?: s="\d+")?(?: t="(\w+)")?>'
    r"(?:<f(?: [^>]*)?>([^<]*)</f>)?(?:<v>([^<]*)</v>|<is>(.*?)</is>)?</c>",
    re.S,
)
_TEXT: Final = re.compile(r"<t(?: [^>]*)?>(.*?)</t>", re.S)
_REFERENCE: Final = re.compile(r"((?<![\w.$])\$?[A-Z]{1,3}\$?)(\d+)(?![\w(.])")
_PARTS: Final = re.compile(r"xl/(comments|charts/chart|tables/table)\d*\.xml")
_RULE: Final = re.compile(
    r"<(?:dataValidation|cfRule|mergeCell|autoFilter|oddHeader|oddFooter|hyperlink)\b[^>]*>"
    r"(?:[^<]|</?formula\d?>|</?f>)*"
)
_WORDS: Final = re.compile(
    r'<(?:a:t|c:f|t)(?: [^>]*)?>(.*?)</|<tableColumn [^>]*name="([^"]*)"|displayName="([^"]*)" ref="([^"]*)"',
    re.S,
)
_ORDER_OF_COLUMNS: Final = 26


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell: its row, the formula, the rows that it refers to and the text between them, and the value."""

    row: int
    formula: str
    between: tuple[str, ...]
    rows: tuple[int, ...]
    value: str

    def moves(self, above: "Cell") -> tuple[bool, ...] | None:
        """Which of its references are one row further than those above; None: it is another formula."""
        if self.row != above.row + 1 or self.between != above.between:
            return None
        steps = [mine - theirs for mine, theirs in zip(self.rows, above.rows, strict=True)]
        return tuple(step == 1 for step in steps) if all(step in (0, 1) for step in steps) else None


def book_text(path: Path) -> str:
    """All sheets in their order, then names, comments, what charts show, and what cells may hold."""
    lines = []
    with zipfile.ZipFile(path) as parts:
        names = parts.namelist()
        strings = _strings(parts)
        book = parts.read("xl/workbook.xml").decode()
        sheets = re.findall(r'<sheet name="([^"]*)" sheetId="(\d+)"([^>]*)', book)
        for number_of_sheet, (name, _, more) in enumerate(sheets, start=1):
            xml = parts.read(f"xl/worksheets/sheet{number_of_sheet}.xml").decode()
            hidden = " (hidden)" if "hidden" in more else ""
            if unescape(name) == REPEATS_OTHERS:
                lines += ["", f"== {REPEATS_OTHERS}: {xml.count('<row ')} rows", *_rules(xml)]
                continue
            lines += ["", f"== {unescape(name)}{hidden}", *_sheet(xml, strings), *_rules(xml)]
        lines += ["", "== names"]
        for name, refers in re.findall(r'<definedName name="([^"]*)"[^>]*>(.*?)</definedName>', book):
            lines.append(f"{name} = {unescape(refers)}")
        for part in sorted(
            filter(re.compile(r"xl/(comments|charts/chart|tables/table)\d*\.xml").match, names), key=_number
        ):
            lines += ["", f"== {part}", *_words(parts.read(part).decode())]
    return "\n".join(lines)


def _number(part: str) -> tuple[str, int]:
    digits = re.search(r"(\d*)\.xml", part)
    return re.sub(r"\d", "", part), int(digits[1] or 0) if digits else 0


def _strings(parts: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in parts.namelist():
        return []
    xml = parts.read("xl/sharedStrings.xml").decode()
    found = re.findall(r"<si>(.*?)</si>|<si/>", xml, re.S)
    return [unescape("".join(_TEXT.findall(one))) for one in found]


def _sheet(xml: str, strings: list[str]) -> Iterator[str]:
    columns: dict[str, list[Cell]] = defaultdict(list)
    cells = _CELL.findall(xml)
    filled = len(re.findall(r"<c [^>]*[^/]>", xml))
    assert len(cells) == filled, f"{filled - len(cells)} cells are written in a way that is not read here"
    for letters, digits, kind, formula, value, inline in cells:
        formula = unescape(formula)
        text = _value(kind, value, inline, strings)
        between, rows = _taken_apart(formula)
        columns[letters].append(
            Cell(row=int(digits), formula=formula, between=between, rows=rows, value=text)
        )
    for letters in sorted(columns, key=_place):
        yield from _column(letters, columns[letters])


def _taken_apart(formula: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Text between the rows that a formula refers to, and those rows."""
    if not formula:
        return (), ()
    parts = [*_REFERENCE.split(formula), ""]
    between = tuple(text + column for text, column in zip(parts[::3], parts[1::3], strict=True))
    return between, tuple(map(int, parts[2::3]))


def _value(kind: str, value: str, inline: str, strings: list[str]) -> str:
    if kind == "inlineStr":
        return "'" + unescape("".join(_TEXT.findall(inline)))
    if kind == "s":
        return "'" + strings[int(value)]
    if kind in ("str", "b", "e"):
        return "'" + unescape(value)
    return number(float(value)) if value else ""


def _column(letters: str, cells: list[Cell]) -> Iterator[str]:
    for part, moves in _runs(cells):
        first = part[0]
        place = f"{letters}{first.row}"
        where = place if len(part) == 1 else f"{place}:{letters}{part[-1].row}"
        if len(part) == 1:
            yield f"{place} {_line(first.value)}" + (f" ={first.formula}" if first.formula else "")
            continue
        if first.formula:
            yield f"{where} ={_filled_down(first, moves)}"
        if len(part) > LONG_RUN:
            yield f"{' ' if first.formula else where + ' '}{_long(part)}"
        else:
            for cell in part:
                yield f" {_line(cell.value)}" if first.formula else f"{letters}{cell.row} {_line(cell.value)}"


def _runs(cells: list[Cell]) -> Iterator[tuple[list[Cell], tuple[bool, ...]]]:
    """Cells one below the other whose formulas are one that was filled down, and which of its rows go along."""
    run: list[Cell] = []
    moves: tuple[bool, ...] | None = None
    for cell in cells:
        step = cell.moves(run[-1]) if run else None
        if run and (step is None or (len(run) > 1 and step != moves)):
            yield run, moves or ()
            run = []
        moves = step if run else None
        run.append(cell)
    if run:
        yield run, moves or ()


def _filled_down(cell: Cell, moves: tuple[bool, ...]) -> str:
    rows = [f"[{row}]" if moving else str(row) for row, moving in zip(cell.rows, moves, strict=True)]
    return "".join(text + row for text, row in zip(cell.between, [*rows, ""], strict=True))


def _line(value: str) -> str:
    return value.replace("\n", " / ")


def _long(part: list[Cell]) -> str:
    values = [0.0 if cell.value.startswith("'") else float(cell.value or 0) for cell in part]
    texts = [cell.value for cell in part]
    weighted = sum(place * value for place, value in enumerate(values, start=1))
    sums = f"sum {sum(values):.9g}, by place {weighted:.9g}"
    words = sum(
        place * ord(letter) for place, text in enumerate(texts, 1) if text[:1] == "'" for letter in text
    )
    return (
        f"{len(part)} values {texts[0]} ... {texts[len(texts) // 2]} ... {texts[-1]}; {sums}; letters {words}"
    )


def _place(letters: str) -> int:
    place = 0
    for letter in letters:
        place = place * _ORDER_OF_COLUMNS + ord(letter) - 64
    return place


def _rules(xml: str) -> Iterator[str]:
    """What stands after the cells: rules of what may be entered, of colours, merged cells, head and foot."""
    _, _, after = xml.partition("</sheetData>")
    for element in _RULE.findall(after):
        yield "rule " + unescape(re.sub(r"\s+", " ", element)).strip()


def _words(xml: str) -> Iterator[str]:
    """Texts, references and names in a part that is no sheet."""
    for found in _WORDS.findall(xml):
        yield unescape(" ".join(filter(None, found))).replace("\n", " / ")
