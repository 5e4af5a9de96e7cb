"""Every line that is no header and not blank is a row, in every reader: of too few cells, of too many, of none."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.log_choices import ReadOptions
from tests.files.row_shapes import ROW_SHAPES, RowShape

SOUND: Final = "sound"
DAMAGES: Final = ("short", "long", "trailing", "emptied", "blank", "white", SOUND)
ALL_AT_ONCE: Final = (*DAMAGES, "short", "long", "trailing", "short")


@dataclass(frozen=True, slots=True)
class Damaged:
    """A file and the numbers of its lines that have too few or too many cells; rows: as a plain reader counts them."""

    text: str
    rows: int
    short: tuple[int, ...]
    long: tuple[int, ...]


def damaged(shape: RowShape, kinds: Sequence[str], amount: int, newline: str, bom: str) -> Damaged:
    """A sound file with more rows below it, each damaged in one way."""
    cycle = [shape.rows[place % len(shape.rows)] for place in range(max(shape.sound, len(shape.rows)))]
    lines = [*shape.head, *map(shape.line, cycle)]
    short, long = [], []
    width = max(map(len, shape.rows))
    for place, kind in enumerate(kinds):
        cells = shape.rows[place % len(shape.rows)]
        number = len(lines) + 1
        if kind == "short":
            cells = cells[: max(1, len(cells) - amount)]
            if len(cells) < width:
                short.append(number)
        elif kind == "long":
            cells = (*cells, *[""] * (width - len(cells)), *["more"] * amount)
            long.append(number)
        elif kind == "trailing":
            cells = (*cells, *[""] * (width - len(cells)), *[""] * amount)
        elif kind == "emptied":
            cells = ("",) * width
        blank = {"blank": "", "white": " \t  "[:amount]}.get(kind)
        lines.append(shape.line(cells) if blank is None else blank)
    rows = sum(bool(line.strip()) for line in lines[len(shape.head) :])
    return Damaged(bom + newline.join(lines) + newline, rows, tuple(short), tuple(long))


def check_rows(shape: RowShape, made: Damaged, file: FileIntake) -> None:
    """The law: every row is counted once, and what is short or long is said where it is."""
    ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
    assert (file.rows_read, sum(ends)) == (made.rows, made.rows), (file.kind, file.format)
    assert file.kind != "unknown" or file.format
    said = {issue.code: issue for issue in file.issues}
    rejected = {row.row: row.code for row in file.rejected}
    long = [row for row, code in rejected.items() if code == "long_row"]
    assert set(long) <= set(made.long)
    if not shape.takes_delimiters:
        remarks = file.rows_ignored if shape.has_remarks else 0
        assert len(set(made.long) - set(long)) <= remarks, "nothing is taken whose cells cannot be told apart"
    if long:
        assert (said["long_row"].count, said["long_row"].first_row) == (len(long), min(long))
    else:
        assert "long_row" not in said
    taken = [row for row in made.short if row not in rejected]
    issue = said.get("short_row")
    count = 0 if issue is None else issue.count
    assert len(taken) - file.rows_duplicate - file.rows_ignored <= count <= len(taken)
    assert issue is None or issue.first_row in taken


def _checked(
    folder: Path, shape: RowShape, kinds: Sequence[str], amount: int, newline: str, bom: str
) -> None:
    made = damaged(shape, kinds, amount, newline, bom)
    path = folder / shape.name
    path.write_bytes(made.text.encode())
    (file,) = check_file(str(path), options=ReadOptions(mapping=shape.mapping))
    check_rows(shape, made, file)


QUICK: Final = (
    *("own", "focus_1_2.csv", "table of allocation", "sacct", "prometheus", "nvidia_smi dmon", "contracts"),
    *(
        *("contracts of people", "commitments", "users", "residency", "rules", "requests"),
        *("rates of a week", "nodes"),
    ),
)
"""One of each way to read; the others are for the long run."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.long) for name in ROW_SHAPES]
)
def test_every_line_is_a_row_however_many_cells_it_has(tmp_path: Path, name: str) -> None:
    _checked(tmp_path, ROW_SHAPES[name], ALL_AT_ONCE, 1, "\n", "")


@pytest.mark.long
@pytest.mark.parametrize("name", ROW_SHAPES)
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kinds=st.lists(st.sampled_from(DAMAGES), max_size=12),
    amount=st.integers(1, 4),
    newline=st.sampled_from(["\n", "\r\n"]),
    bom=st.sampled_from(["", "\ufeff"]),
)
def test_every_line_is_a_row_whatever_becomes_of_it(
    tmp_path: Path, name: str, kinds: list[str], amount: int, newline: str, bom: str
) -> None:
    _checked(tmp_path, ROW_SHAPES[name], kinds, amount, newline, bom)
