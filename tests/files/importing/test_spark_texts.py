"""What Spark is not made for is refused in words, before Java is asked for anything."""

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.spark_reduce import layout_of
from gpuplanner.files.tables.column_mapping import parse_mapping

COLUMNS = ("ID", "n", "\ufeffbegun", "took")


def test_a_mapping_finds_its_columns_without_case_and_past_a_byte_order_mark() -> None:
    layout = layout_of(
        "log.csv", COLUMNS, parse_mapping("job_id=id,gpus=n:milli,start=begun:epoch_s,duration=took:h")
    )
    assert layout.format == "mapped"
    assert layout.column_of["start"] == "\ufeffbegun"
    assert layout.read_gpus("500").milli_gpus == 500
    assert (layout.units.start, layout.units.elapsed, layout.units.end_is_elapsed) == ("epoch_s", "h", True)


@pytest.mark.parametrize(
    ("mapping", "code"),
    [
        ("gpus=n,start=begun:dmy,duration=took", "usage"),
        ("gpus=n,start=begun,duration=took:ms", "usage"),
        ("gpus=n,start=nowhere,duration=took", "missing_column"),
        (None, "missing_column"),
    ],
)
def test_what_it_cannot_read_is_said(mapping: str | None, code: str) -> None:
    with pytest.raises(PlannerError) as caught:
        layout_of("log.csv", COLUMNS, None if mapping is None else parse_mapping(mapping))
    assert caught.value.code == code
    assert caught.value.remedy
