"""Books whose sheets of hardware, inference and placement have much to say."""

import pytest

from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.answers.crafted_books import PLACES, crafted_endpoints, crafted_fits, placed_with


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    evaluation, book = crafted_fits(), tmp_path_factory.mktemp("hardware") / "hardware.xlsx"
    write_workbook(evaluation, book, 0)
    return evaluation, book


@pytest.fixture(scope="module")
def sized(tmp_path_factory):
    evaluation, book = crafted_endpoints(), tmp_path_factory.mktemp("inference") / "inference.xlsx"
    write_workbook(evaluation, book, 0)
    return evaluation, book


@pytest.fixture(scope="module")
def placed(tmp_path_factory):
    book = tmp_path_factory.mktemp("placement") / "placement.xlsx"
    evaluation = placed_with(PLACES, media_gb_per_month=50_000, egress_usd_per_gb=0.09)
    write_workbook(evaluation, book, 0)
    return evaluation, book
