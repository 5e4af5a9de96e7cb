"""Answers in any order, with anything in their cells: every row ends once, what is still there is read the same."""

import warnings
from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.request.request_form import COLUMNS
from tests.files.flips import flipped
from tests.files.open_document_files import Value
from tests.files.request.answered_files import HEADING, asked, sheet_of, write_text, write_xlsx

VENDORS_OWN = [column.key for column in COLUMNS if column.who == "vendor" and column.key in HEADING]
ROWS = [
    asked("R1", rate=1.95, most=48, lead=14, sla=99.95, earliest="2026-12-15"),
    asked("R2", term="36 months", rate=1.5, upfront=100),
    asked("R3", rate="€2.10"),
    asked("R4", rate="1,760 per GPU-month", valid_until="2026-11-20"),
    asked("R5", bid="no bid"),
]
GRID = sheet_of(ROWS)
TABLE = len(GRID) - len(ROWS) - 1
"""Where the table's headings stand."""
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30),
    st.sampled_from(
        ["2.10", "€2", "1,760", "n/a", "TBD", "no bid", "bid", "2 weeks", "99.9%", "01/12/2026", "#REF!", "8"]
    ),
    st.from_regex(r"\A[$€]?\d{1,4}[.,]\d{1,3}( ?(USD|/h|per month|per GPU-month|k))?\Z"),
)


def read(grid: list[list[Value]], delimiter: str = ",") -> PricesRead:
    """What is read of these cells as a text file."""
    with TemporaryDirectory() as folder:
        return import_prices([str(write_text(Path(folder) / "a.csv", grid, delimiter))])


def check_law(found: PricesRead) -> None:
    """Every row ends in exactly one way, and every rejected one says where and why."""
    for file in found.intake:
        ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
        assert file.rows_read == sum(ends) and len(found.offers) == file.rows_accepted
        assert len(file.rejected) == file.rows_rejected and all(str(row.message) for row in file.rejected)


@given(st.permutations(range(len(GRID))), st.permutations(range(len(HEADING))), st.sets(st.integers(1, 5)))
def test_rows_and_columns_in_any_order_are_the_same_answers(
    rows: list[int], columns: list[int], left_out: set[int]
) -> None:
    grid = [line if at < TABLE else [line[place] for place in columns] for at, line in enumerate(GRID)]
    kept = [grid[at] for at in rows if at - TABLE not in left_out]
    if left_out == {1, 2, 3, 4, 5}:
        return  # no row of the request is left to know it by
    found = read(kept)
    check_law(found)
    names = {f"R{number}" for number in range(1, 5) if number not in left_out}
    assert found.offers == tuple(one for one in read(GRID).offers if one.offer_id.split()[-1] in names)


@given(st.dictionaries(st.tuples(st.integers(0, 4), st.sampled_from(VENDORS_OWN)), TEXTS, max_size=12))
def test_whatever_is_written_into_the_cells_every_row_ends_once(cells: dict[tuple[int, str], str]) -> None:
    rows = [dict(row) for row in ROWS]
    for (at, key), text in cells.items():
        rows[at][key] = text
    found = read(sheet_of(rows))
    check_law(found)
    (file,) = found.intake
    assert file.rows_read == len(rows)
    for offer in found.offers:
        assert offer.rate_usd_per_gpu_hour is None or offer.rate_usd_per_gpu_hour > 0
        assert offer.min_gpus is None or offer.max_gpus is None or offer.min_gpus <= offer.max_gpus


@given(st.dictionaries(st.tuples(st.integers(0, len(GRID) - 1), st.integers(0, 21)), TEXTS, max_size=20))
def test_whatever_stands_anywhere_it_is_read_or_refused_in_words(cells: dict[tuple[int, int], str]) -> None:
    grid: list[list[Value]] = [[*line, *[None] * (22 - len(line))] for line in GRID]
    for (row, place), text in cells.items():
        grid[row][place] = text
    with suppress(PlannerError):
        check_law(read(grid))


@pytest.mark.parametrize("flips", [60, pytest.param(2_000, marks=pytest.mark.long)])
def test_no_flipped_bit_of_an_answer_gives_another_quote(
    tmp_path: Path, flips: int, tally: Counter[str]
) -> None:
    path = write_xlsx(tmp_path / "a.xlsx", {"Request for quote": GRID})
    offers = import_prices([str(path)]).offers
    assert len(offers) == 4
    for content in flipped(path.read_bytes(), flips):
        path.write_bytes(content)
        with warnings.catch_warnings(action="ignore"):
            try:
                found = import_prices([str(path)])
            except PlannerError:
                tally["refused"] += 1
                continue
        if found.offers == offers:
            tally["survived"] += 1
        else:  # a part of the book is not found by its name: all of it is refused
            assert not found.offers and any(file.issues for file in found.intake)
            tally["refused"] += 1
