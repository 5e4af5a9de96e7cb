"""A document as tables: each list is a file of its name, replaced only where we wrote it."""

import csv
import errno
import json
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

import pandas as pd
import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.export import document_tables
from gpuplanner.files.export.document_tables import LISTED, frame_of, tables_of, write_tables

DOCUMENT = {
    "command": "plan",
    "totals": {"usd": 2.5, "sign": [{"pool": "burst", "gpus": 4}]},
    "rate": None,
    "out": ["a.csv", "b.csv"],
    "grid": [[1, 2], [3, 4]],
    "none": [],
    "pools": [
        {"pool": "burst", "layers": [], "reasons": [], "cost": {"low": 1, "high": None}},
        {"pool": "=x", "layers": [{"gpus": 1, "of": ["c1"]}, {"gpus": 2, "of": []}], "reasons": ["why", 1]},
    ],
    "needs": [{"is": True, "value": 1}, {"is": None, "value": "ten"}],
}
TABLES = {
    "plan": [{"command": "plan", "totals.usd": 2.5, "rate": None}],
    "totals.sign": [{"pool": "burst", "gpus": 4}],
    "out": [{"out": "a.csv"}, {"out": "b.csv"}],
    "grid": [{0: 1, 1: 2}, {0: 3, 1: 4}],
    "none": [],
    "pools": [
        {"pool": "burst", "reasons": "[]", "cost.low": 1, "cost.high": None},
        {"pool": "=x", "reasons": '["why", 1]'},
    ],
    "pools.layers": [{"pools": 1, "gpus": 1, "of": '["c1"]'}, {"pools": 1, "gpus": 2, "of": "[]"}],
    "needs": [{"is": True, "value": 1}, {"is": None, "value": "ten"}],
}


def test_each_list_is_a_table_of_its_name_and_the_rest_is_one_row() -> None:
    assert tables_of(DOCUMENT) == TABLES


def test_a_frame_has_a_column_a_field() -> None:
    frame = frame_of("pools", DOCUMENT["pools"])
    assert list(frame.columns) == ["pool", "layers", "reasons", "cost.low", "cost.high"]
    assert frame["layers"].tolist() == [[], DOCUMENT["pools"][1]["layers"]] and pd.isna(frame["cost.low"][1])
    assert frame_of("out", ["a.csv"]).to_dict("list") == {"out": ["a.csv"]}
    assert frame_of("grid", [[1, 2], [3, 4]]).to_numpy().tolist() == [[1, 2], [3, 4]]
    assert frame_of("none", []).empty


def read_csv(path: Path) -> list[list[str]]:
    return list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()))


def test_csv_files_hold_what_the_tables_hold(tmp_path: Path) -> None:
    paths = write_tables(DOCUMENT, tmp_path / "new", ".csv")
    assert [path.name for path in paths] == [f"{name}.csv" for name in TABLES]
    assert read_csv(tmp_path / "new" / "pools.csv") == [
        ["pool", "reasons", "cost.low", "cost.high"],
        ["burst", "[]", "1", ""],  # unknown is empty, never 0
        ["'=x", '["why", 1]', "", ""],  # text is no formula
    ]
    assert read_csv(tmp_path / "new" / "needs.csv")[1:] == [["true", "1"], ["", "ten"]]
    assert (tmp_path / "new" / "none.csv").read_bytes() == b""


def test_parquet_files_hold_what_the_tables_hold(tmp_path: Path) -> None:
    write_tables(DOCUMENT, tmp_path, ".parquet")
    pools = pd.read_parquet(tmp_path / "pools.parquet")
    assert pools["pool"].tolist() == ["burst", "=x"] and pd.isna(pools["cost.low"][1])
    assert pd.read_parquet(tmp_path / "needs.parquet")["value"].tolist() == ["1", "ten"]
    assert pd.read_parquet(tmp_path / "grid.parquet").columns.tolist() == ["0", "1"]
    assert pd.read_parquet(tmp_path / "none.parquet").empty


def test_what_we_wrote_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    write_tables(DOCUMENT, tmp_path, ".csv")
    write_tables(DOCUMENT, tmp_path, ".parquet")
    write_tables(DOCUMENT | {"out": ["c.csv"]}, tmp_path, ".csv")
    assert read_csv(tmp_path / "out.csv") == [["out"], ["c.csv"]]
    listed = set(json.loads((tmp_path / LISTED).read_text())["tables"])
    assert listed == {f"{name}{suffix}" for name in TABLES for suffix in (".csv", ".parquet")}

    (tmp_path / "pools.csv").write_text("mine")
    before = (tmp_path / "out.csv").read_bytes()
    with pytest.raises(PlannerError, match=r"pools\.csv: file_unreadable: .* has changed"):
        write_tables(DOCUMENT, tmp_path, ".csv")
    assert (tmp_path / "pools.csv").read_text() == "mine"
    assert (tmp_path / "out.csv").read_bytes() == before  # nothing was written


def test_a_write_that_stops_anywhere_leaves_all_tables_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    write_tables(DOCUMENT, tmp_path, ".csv")
    before, real = held(), document_tables.output_file
    other = DOCUMENT | {"out": ["d.csv"], "more": [{"a": 1}]}
    for stop in range(len(TABLES) + 1):
        left = [stop]

        def some(*words: object, left: list[int] = left) -> AbstractContextManager[BinaryIO]:
            left[0] -= 1
            if left[0] < 0:
                raise OSError(errno.ENOSPC, "no room")
            return real(*words)

        monkeypatch.setattr(document_tables, "output_file", some)
        with pytest.raises((OSError, PlannerError)):
            write_tables(other, tmp_path, ".csv")
        assert held() == before
    monkeypatch.setattr(document_tables, "output_file", real)
    write_tables(other, tmp_path, ".csv")
    assert held() != before and set(held()) == set(before) | {"more.csv"}


def test_a_list_of_a_version_before_is_read(tmp_path: Path) -> None:
    write_tables(DOCUMENT, tmp_path, ".csv")
    path = tmp_path / LISTED
    held = {name: one for name, (one,) in json.loads(path.read_text())["tables"].items()}
    path.write_text(json.dumps({"tables": held}))
    write_tables(DOCUMENT, tmp_path, ".csv")


@pytest.mark.parametrize("there", ["no JSON", "[]", '{"tables": 1}'])
def test_a_list_that_is_none_of_ours_is_left_alone(tmp_path: Path, there: str) -> None:
    (tmp_path / LISTED).write_text(there)
    with pytest.raises(PlannerError, match=LISTED):
        write_tables(DOCUMENT, tmp_path, ".csv")
    assert (tmp_path / LISTED).read_text() == there


def test_files_that_are_read_are_never_written_to(tmp_path: Path) -> None:
    write_tables(DOCUMENT, tmp_path, ".csv")
    with pytest.raises(PlannerError, match=r"pools\.csv"):
        write_tables(DOCUMENT, tmp_path, ".csv", [tmp_path / "pools.csv"])
