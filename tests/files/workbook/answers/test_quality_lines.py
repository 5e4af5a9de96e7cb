"""The workbook says how good the log is, in lines of the Method sheet."""

from gpuplanner.domain.model.log.data_quality import DataQuality, LogGap, SuspiciousValue
from gpuplanner.files.workbook.answers.method_sheet import quality_lines

QUALITY = DataQuality(
    12_000, 2160, 1080, (LogGap(1_786_514_400, 1_786_651_200),), with_id=12_000, with_name=6_000, with_user=3_000,
    naive=0, zero_length=0, long_running=2, suspicious=(SuspiciousValue("any column", "18446744073709551614", 3),),
)  # fmt: skip


def test_every_figure_stands_in_a_line_and_unknown_is_a_dash() -> None:
    text = "\n".join(quality_lines(QUALITY))
    for words in (
        "12,000 jobs; 50.0% of the 2,160 hours",
        "\u2014 have a GPU model, \u2014 an activity",
        "Gap of 38 hours: 2026-08-12T06:00:00Z to 2026-08-13T20:00:00Z.",
        "any column: 18446744073709551614, in 3 rows",
        "running for over two months: 2.",
    ):
        assert words in text
    assert "before they start" not in text


def test_where_it_was_never_counted_the_book_says_so() -> None:
    (line,) = quality_lines(None)
    assert line.startswith("Not known")
