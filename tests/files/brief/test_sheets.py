"""Columns of a brief's tables: as wide as what stands in them needs, and words that are wider are broken, not cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.brief.pages import Column, TableBlock
from gpuplanner.files.brief.sheets import broken, column_widths, table_widths, width_in_points

NAME = "atlas-core-framework-agreement-2026-amendment-no-14"
TABLE = TableBlock(
    title="Existing contracts",
    columns=(
        Column("Contract", False, 1.5),
        Column("Ends", False),
        Column("Advice", False, 1.8),
        Column("$ per month"),
    ),
    rows=(
        (
            NAME,
            "31 May 2027",
            "renew for less time: 12 \u2192 10 GPUs, 12 \u2192 mostly 6 months",
            "1,123,456",
        ),
    ),
)


def letters(text: str) -> float:
    return float(len(text))


@given(st.text(max_size=80), st.integers(1, 30))
def test_lines_have_room_and_lose_no_letter(text: str, room: int) -> None:
    lines = broken(text, room, letters)
    assert all(len(line) <= room for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_a_name_is_broken_after_its_separators() -> None:
    assert broken(NAME, 22, letters) == ["atlas-core-framework-", "agreement-2026-", "amendment-no-14"]


@pytest.mark.parametrize("width", [70, 90, 130, 300])
def test_widths_make_up_the_whole_and_leave_dates_and_numbers_on_one_line(width: int) -> None:
    widths = column_widths(TABLE, width, 2, letters)
    assert sum(widths) == pytest.approx(width)
    for place in (1, 3):
        assert widths[place] - 2 >= len(TABLE.rows[0][place])


def test_tables_beside_each_other_keep_their_numbers() -> None:
    small = TableBlock(
        title="To order",
        columns=(Column("Order by", False), Column("$ per month")),
        rows=(("3 Dec 2026", "36,610"),) * 3,
    )
    for width in (70, 100, 200):
        left, right = table_widths((small, TABLE), width, 2, letters)
        assert left + right == pytest.approx(width)
        assert left >= len("3 Dec 2026") + len("36,610") + 4


def test_the_guess_of_a_width_is_about_that_of_the_font() -> None:
    """Helvetica's own advances (AFM, thousandths of an em): 'Order by' 3,780 + and '36,610' 3,058."""
    for text, thousandths in (("Order by", 3_892), ("36,610", 3_058), ("mostly 36 months", 7_726)):
        assert 1.0 <= width_in_points(text, 10) / (thousandths / 100) <= 1.2
