"""OpenDocument spreadsheets are read as Excel's are: values, empty rows, repeats, and nothing that fills the memory."""

import datetime
from pathlib import Path

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.import_tables import import_contracts
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.sources.spreadsheet import WITHOUT_VALUE, sheet_heads, sheet_rows, sheet_values
from tests.files.open_document_files import HEAD, TAIL, write_content, write_ods


def texts_of(path: Path, sheet: str = "") -> list[tuple[int, list[str]]]:
    with sheet_rows(path, path.name, sheet) as rows:
        return list(rows)


def table(rows: str, title: str = "A") -> str:
    return f'{HEAD}<table:table table:name="{title}">{rows}</table:table>{TAIL}'


def test_values_of_every_kind_are_kept_with_their_rows_and_sheets(tmp_path: Path) -> None:
    day = datetime.date(2026, 12, 1)
    first = [["a", None, 2.5, True], [None], [" ", day, 8]]
    path = write_ods(tmp_path / "book.ods", {"One & two": first, "Empty": [], "Three": [[None, "x"]]})
    with sheet_values(path, "book") as sheets:
        found = [(title, list(rows)) for title, rows in sheets]
    assert found == [
        ("One & two", [(1, ["a", None, 2.5, True]), (3, [" ", datetime.datetime(2026, 12, 1), 8.0])]),
        ("Empty", []),
        ("Three", [(1, [None, "x"])]),
    ]
    assert texts_of(path) == [(1, ["a", "", "2.5", "true"]), (3, [" ", "2026-12-01T00:00:00", "8"])]
    assert texts_of(path, "Three") == [(1, ["", "x"])]
    heads = {"One & two": [["a", "", "2.5", "true"]], "Empty": [], "Three": []}
    assert list(sheet_heads(path, "book", 1, 1)) == [*heads.items()]


def test_repeats_spaces_remarks_and_formulas(tmp_path: Path) -> None:
    rows = (
        '<table:table-header-rows><table:table-row><table:table-cell table:number-columns-repeated="2"'
        ' office:value-type="float" office:value="7"/></table:table-row></table:table-header-rows>'
        '<table:table-row table:number-rows-repeated="1000"><table:table-cell'
        ' table:number-columns-repeated="16384"/></table:table-row>'
        '<table:table-row table:number-rows-repeated="2"><table:covered-table-cell/><table:table-cell'
        ' office:value-type="string"><office:annotation><text:p>remark</text:p></office:annotation>'
        '<text:p>a<text:s text:c="3"/><text:span>b</text:span></text:p><text:p>c</text:p></table:table-cell>'
        '<table:table-cell table:formula="of:=1+1"/></table:table-row>'
    )
    again = ["", "a   b\nc", WITHOUT_VALUE]
    found = texts_of(write_content(tmp_path / "a.ods", table(rows)))
    assert found == [(1, ["7", "7"]), (1002, again), (1003, again)]


def test_a_cell_over_several_rows_is_in_each_row_of_data(tmp_path: Path) -> None:
    cell = '<table:table-cell office:value-type="string"{more}><text:p>{text}</text:p></table:table-cell>'
    price = '<table:table-cell office:value-type="float" office:value="{number}"/>'
    over = cell.format(more=' table:number-rows-spanned="3"', text="H100") + price.format(number=2)
    below = "<table:covered-table-cell/>" + price.format(number=1)
    remark = "<table:covered-table-cell/>" + cell.format(more="", text="a remark")
    rows = "".join(f"<table:table-row>{cells}</table:table-row>" for cells in (over, below, remark, below))
    found = texts_of(write_content(tmp_path / "a.ods", table(rows)))
    assert found == [(1, ["H100", "2"]), (2, ["H100", "1"]), (3, ["", "a remark"]), (4, ["", "1"])]


def test_a_list_of_contracts_is_read_from_it(tmp_path: Path) -> None:
    rows = [["contract_id", "gpu_model", "gpus", "start"], ["k", "H100", 8, datetime.date(2026, 1, 1)]]
    path = write_ods(tmp_path / "contracts.ods", {"Notes": [["hello"]], "List": rows})
    assert recognise(str(path)).kind == "contracts"
    (contract,) = import_contracts([str(path)]).contracts
    assert (contract.gpus, contract.start_s) == (8, 1_767_225_600)


@pytest.mark.parametrize(
    "content",
    [
        table(
            '<table:table-row table:number-rows-repeated="1048576"><table:table-cell'
            ' table:number-columns-repeated="1000" office:value-type="float" office:value="1"/></table:table-row>'
        ),
        table(
            '<table:table-row><table:table-cell table:number-columns-repeated="16384"'
            ' office:value-type="float" office:value="1"/></table:table-row>'
        ),
        '<!DOCTYPE d [<!ENTITY e "x">]>' + table("<table:table-row>&e;</table:table-row>"),
        table(
            '<table:table-row><table:table-cell office:value-type="float" office:value="x"/></table:table-row>'
        ),
        table("<table:table-row>")[:-40],
    ],
)
def test_what_is_damaged_or_made_to_fill_the_memory_is_refused_in_words(content: str, tmp_path: Path) -> None:
    with pytest.raises(PlannerError) as refused:
        texts_of(write_content(tmp_path / "a.ods", content))
    assert refused.value.code == "file_unreadable"
