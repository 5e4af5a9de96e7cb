"""The file of costs: a row a test, reasons that stay, and a row for each file of the long run."""

from pathlib import Path

from tests import costs


def test_reasons_stay_and_files_of_the_long_run_have_a_row(tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    for name in ("test_a.py", "test_b.py", "test_c.py"):
        (tests / name).touch()
    path = tests / "costs.csv"
    path.write_text("test,processor_s,reason\ntests/test_a.py::test_x,9.000,a whole plan\n")
    costs.write({"tests/test_a.py::test_x": 0.5, "fixture tests/test_b.py::demo": 2.0}, path)
    assert [tuple(row.values()) for row in costs.read(path)] == [
        ("fixture tests/test_b.py::demo", "2.000", ""),
        ("tests/test_a.py::test_x", "0.500", "a whole plan"),
        ("tests/test_c.py", "0.000", ""),
    ]


def test_processor_seconds_never_fall() -> None:
    assert 0.0 < costs.processor_s() <= costs.processor_s()
