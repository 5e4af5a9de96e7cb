"""Columns of a table by the rows that ship: of the rows themselves, of what is given, and of a subject."""

import pytest

from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.files.workbook.kit.figure_cells import fields_of, figure_field
from gpuplanner.files.workbook.kit.looks import Field


def test_fields_of_rows_with_headings() -> None:
    fields = fields_of("checks")
    assert fields[0] == Field(key="group", heading="Check", style="text", width=34)


def test_fields_of_a_row_without_a_heading_is_the_figure_of_the_subject() -> None:
    by_key = {field.key: field for field in fields_of("commitment.model", of=LAYER)}
    assert by_key["mean_rate"] == figure_field(LAYER["mean_rate"])


def test_fields_of_a_row_without_a_heading_is_what_is_given() -> None:
    mean = Field(key="mean", heading="Mean GPUs", style="mean")
    fields = fields_of("summary.pool", mean)
    assert mean in fields and fields[0].key == "gpu_hours"


def test_fields_of_no_table() -> None:
    with pytest.raises(KeyError):
        fields_of("no such table")
