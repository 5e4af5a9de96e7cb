"""Golden tables: every file belongs to a table of a room, and a case that differs is named."""

from datetime import date
from pathlib import Path

import pytest

from tests.golden import store, tables
from tests.golden.tables import Table

DAY = date(2026, 11, 30)
ROOM = "tables_room"


@pytest.fixture
def rates(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, float]:
    """Rates by case: what the only table of a room prints."""
    rates = {"H100": 2.0, "A100": 1.0}
    table = Table(text_of=lambda case: f"rate\n  {rates[case]}")
    monkeypatch.setattr(tables, "tables_of", lambda _: {"rates.txt": table})
    monkeypatch.setattr(store, "FILES", tmp_path)
    (tmp_path / ROOM).mkdir()
    (tmp_path / ROOM / "rates.txt").write_text("H100\n  rate\n    2.0\n\nA100\n  rate\n    1.0\n")
    tables.accepted_cases.cache_clear()
    return rates


def test_a_table_that_is_made_as_accepted_does_not_differ(rates: dict[str, float]) -> None:
    assert tables.table_cases(ROOM) == [("rates.txt", "H100"), ("rates.txt", "A100")]
    tables.check_case(ROOM, "rates.txt", "H100")
    assert store.differences("tests.golden.tables", ROOM) == {}


def test_a_case_that_differs_is_named_and_the_others_pass(rates: dict[str, float]) -> None:
    rates["A100"] = 1.5
    tables.check_case(ROOM, "rates.txt", "H100")
    with pytest.raises(AssertionError) as failure:
        tables.check_case(ROOM, "rates.txt", "A100")
    lines = str(failure.value).splitlines()
    assert lines[0] == "tables_room/rates.txt differs in A100"
    assert lines[-3:-1] == ["-  1.0", "+  1.5"]
    assert "tables_room/rates.txt" in lines[-1]


def test_a_heading_that_is_written_into_a_file_is_a_case(rates: dict[str, float]) -> None:
    rates["B200"] = 4.0
    with (store.FILES / ROOM / "rates.txt").open("a") as file:
        file.write("B200\n")
    assert tables.outputs(ROOM)["rates.txt"].endswith("\n\nB200\n  rate\n    4.0")


def test_a_case_that_cannot_be_made_is_named(rates: dict[str, float]) -> None:
    with pytest.raises(KeyError) as failure:
        tables.check_case(ROOM, "rates.txt", "V100")
    assert failure.value.__notes__ == ["in tables_room/rates.txt, case V100"]


def test_two_cases_have_two_names() -> None:
    with pytest.raises(ValueError, match="H100"):
        tables.blocks("H100\n  2\nH100\n  3\n")


def test_every_folder_of_tables_is_of_a_room() -> None:
    kept = {path.name for path in store.FILES.glob(f"{tables.PREFIX}_*")}
    assert kept == set(tables.FOLDERS)


@pytest.mark.parametrize("folder", tables.FOLDERS)
def test_every_file_of_tables_is_of_a_table_and_has_its_cases(folder: str) -> None:
    of_room = tables.tables_of(folder)
    assert {path.name for path in (store.FILES / folder).iterdir()} == set(of_room)
    for file, table in of_room.items():
        accepted = [*tables.blocks(tables.accepted_text(folder, file))]
        assert accepted and accepted == [*(table.cases or accepted)], file
