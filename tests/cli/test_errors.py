"""Errors are one line each on standard error, with its exit status (docs/commands/README.md, Errors)."""

import sys
from datetime import datetime, tzinfo
from pathlib import Path

import pytest

import gpuplanner.__main__
from tests.some_of import one_in

HEADER = "job_id,name,gpu_model,gpus,start,end\n"
GOOD = "1,train,H100,8,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n"


def test_rejected_rows_are_one_line_each_whatever_stands_in_them(call, put) -> None:
    log = (
        HEADER + GOOD + '2,"a\nb",H100,"1\n2",2026-01-01,2026-01-02\n3,c,H100,1,"20\x1b[31m\n26",2026-01-02\n'
    )
    path = put("jobs.csv", log)
    assert not call("reduce", "--jobs", path).err, "the document has their count"
    said = call("reduce", "--jobs", path, text=True)
    lines = [line for line in said.out.splitlines() if line.startswith(f"{path}:")]
    assert said.status == 0 and len(lines) == 2
    assert [line.split(": ")[1] for line in lines] == ["bad_number", "bad_time"]
    assert lines[0].partition(": ")[0].endswith("jobs.csv:3")
    assert lines[1].partition(": ")[0].endswith("jobs.csv:6")
    assert "\x1b" not in said.out


def test_ten_rejected_rows_a_code_are_shown_then_the_count(call, put) -> None:
    rows = (
        "".join(f"{n},x,H100,1,soon,later\n" for n in range(2, 15)) + "99,x,H100,-1,2026-01-01,2026-01-02\n"
    )
    path = put("jobs.csv", HEADER + GOOD + rows)
    text = call("reduce", "--jobs", path, text=True).out
    lines = [line for line in text.splitlines() if line.startswith(f"{path}:")]
    assert [": bad_time: " in line for line in lines] == [True] * 10 + [False, True]
    assert ": negative_gpus: " in lines[10]
    assert ": bad_time: 3 more rows" in lines[11]


@pytest.mark.long
@pytest.mark.parametrize("command", one_in(2, ["reduce", "demo"]))
def test_a_place_that_cannot_be_written_is_one_line_and_status_3(call, put, command: str) -> None:
    in_the_way = put("a file", "")
    words = (
        [in_the_way] if command == "demo" else ["--jobs", put("jobs.csv", HEADER + GOOD), "--out", in_the_way]
    )
    said = call(command, *words)
    assert (said.status, said.out) == (3, "")
    assert said.err.startswith(f"{in_the_way}: file_unreadable: ") and said.err.count("\n") == 1


def test_a_folder_in_place_of_a_file_is_status_3(call, tmp_path: Path) -> None:
    said = call("reduce", "--jobs", str(tmp_path))
    assert (said.status, said.out) == (3, "")
    assert said.err.startswith(f"{tmp_path}: file_unreadable: ") and said.err.count("\n") == 1


@pytest.mark.parametrize("option", ["--prices", "--contracts"])
def test_a_list_of_no_use_is_named_and_ends_the_call_with_1(call, put, option: str) -> None:
    """The plan is made all the same: who reads the status knows that it lacks what was given."""
    of_no_use = put("list.csv", "a,b\n1,2\n")
    said = call("plan", "--jobs", put("jobs.csv", HEADER + GOOD), option, of_no_use)
    assert said.status == 1 and said.document["jobs"]["count"] == 1
    assert f"{of_no_use}:1: missing_column: " in said.err


def test_clusters_that_do_not_fit_each_other_are_said_in_one_line(call, put) -> None:
    contracts = "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start\nC,{},H100,8,2.5,2025-01-01\n"
    log = put("jobs.csv", HEADER.replace("gpu_model", "cluster,gpu_model") + GOOD.replace(",H100", ",a,H100"))
    apart, alike = (call("check", log, put(f"{name}.csv", contracts.format(name))).err for name in "ba")
    assert "--same cluster:a=b" in apart and apart.count("\n") == 1
    assert not alike


def test_the_table_shows_nothing_that_steers_a_terminal(call, put) -> None:
    name = "x" * 5000 + "\x1b[2J\x07"
    log = HEADER + f"1,{name},H100,8,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n"
    contracts = f"contract_id,gpu_model,gpus,rate_usd_per_gpu_hour,start\n{name},H100,8,2.5,2025-01-01\n"
    said = call(
        "audit", "--jobs", put("jobs.csv", log), "--contracts", put("contracts.csv", contracts), text=True
    )
    assert said.status == 0
    assert not set(map(chr, range(32))) - {"\n"} & set(said.out)
    assert max(map(len, said.out.splitlines())) < 1000


def test_ctrl_c_while_the_parts_are_loaded_is_one_line_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Pressed:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "gpuplanner.cli.arguments":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "gpuplanner.cli.arguments")
    monkeypatch.setattr(sys, "meta_path", [Pressed(), *sys.meta_path])
    monkeypatch.setattr(sys, "argv", ["gpuplanner", "reduce"])
    assert gpuplanner.__main__.main() == 130
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1) and err.startswith("gpuplanner: interrupted")


@pytest.mark.parametrize("words", [("check",), ("reduce", "--jobs"), ("plan", "--jobs")])
def test_without_standard_error_a_call_works(
    put, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setattr(sys, "argv", ["gpuplanner", *words, put("jobs.csv", HEADER + GOOD)])
    assert gpuplanner.__main__.main() == 0


def test_a_clock_past_all_plans_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Late(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return datetime(9999, 12, 31, tzinfo=tz)

    monkeypatch.setattr(gpuplanner.__main__, "datetime", Late)
    assert gpuplanner.__main__.main() == 3
    assert "past 9900" in capsys.readouterr().err
