"""Mappings in words: one grammar for logs, contracts and prices, read back as it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.tables.column_mapping import (
    ColumnMapping,
    mapping_text,
    parse_mapping,
    parse_table_columns,
    parse_table_mapping,
)
from gpuplanner.files.tables.fields import FIELDS
from gpuplanner.files.tables.known_shapes import find_shape, header_key

PRICES = tuple(field.name for field in FIELDS["prices"])
UNITS = st.sampled_from(("", "month", "month:comma", "gpu_hour:EUR", "hour:point:cents", "EUR"))


def test_what_stands_behind_a_column_is_told_in_any_order():
    said = [
        parse_table_columns(f"rate_usd_per_gpu_hour=Price:{behind}", PRICES)
        for behind in ("month:comma:EUR", "EUR:month:comma", "comma:EUR:month")
    ]
    (column,) = said[0]
    assert (column.column, column.unit, column.style, column.currency) == ("Price", "month", "comma", "EUR")
    assert said[0] == said[1] == said[2]


def test_what_is_no_unit_is_a_part_of_the_heading():
    mapping = parse_table_mapping("gpu_model=GPU: type,rate_12m=Reserved:1y:year", PRICES)
    assert mapping == ColumnMapping(
        {"gpu_model": "GPU: type", "rate_12m": "Reserved:1y"}, {"rate_12m": "year"}
    )


@pytest.mark.parametrize("parse", [parse_mapping, lambda text: parse_table_mapping(text, ("gpus",))])
def test_what_cannot_be_meant_is_said(parse):
    faults = {
        "gpus": "not of the form FIELD=COLUMN",
        "gpu=a": r"no field gpu; did you mean gpus\?",
        "zz=a": "no field zz; fields are ",
        "gpus=a,gpus=b": "mapped twice",
        " ": "not of the form",
    }
    for text, what in faults.items():
        with pytest.raises(PlannerError, match=what):
            parse(text)


@given(
    st.dictionaries(
        st.sampled_from(PRICES), st.tuples(st.sampled_from(("A", "b, c", 'd "e"', "f: g")), UNITS), min_size=1
    )
)
def test_a_mapping_is_read_back_as_it_was_written(columns):
    mapping = ColumnMapping(
        {name: column for name, (column, _) in columns.items()},
        {name: unit for name, (_, unit) in columns.items() if unit},
    )
    assert parse_table_mapping(mapping_text(mapping), PRICES) == mapping


def test_what_is_said_of_every_row_changes_no_shape() -> None:
    plain, mapped = header_key(["Job", "N"]), header_key(["Job", "N", "=atlas"])
    assert plain == mapped
    found = find_shape(header_key(["N", "Job"]), {mapped: ("Job", "=atlas")})
    assert found is not None
    assert found.header == mapped
