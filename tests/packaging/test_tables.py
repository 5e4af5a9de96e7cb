"""The tables of `dev.py bench` and `dev.py faults`, made from measurements that nobody took."""

from collections import Counter
from pathlib import Path

import pytest

from gpuplanner.files.system import output_file
from tests.benchmarks import every
from tests.benchmarks.every import Bar, Sample, bar_line, page
from tests.faults import table

DRAG = (20_000, 8760)


def test_a_bar_says_what_was_measured_the_spread_of_its_ratios_and_whether_it_is_kept() -> None:
    bar = Bar(
        job="drag",
        name="drag",
        what="a card moved",
        other="pandas groupby",
        of="times as fast",
        limit=100.0,
        reason="a reason",
    )
    found = {"drag": [Sample(2, 300), Sample(1, 200), Sample(4, 400)]}
    assert bar_line(bar, DRAG, found) == (
        "| a card moved | 20,000 x 8,760 | 2.0 ms | pandas groupby | 150.00 (100.00 to 200.00) "
        "| at least 100 times as fast | kept |"
    )
    assert bar_line(bar, DRAG, {"drag": [Sample(2, 100)]}).endswith("| over: a reason |")
    assert bar_line(bar, DRAG, {"drag": [Sample(2, 100), Sample(2, 201), Sample(2, 90)]}).endswith(
        "its best round kept it |"
    )
    assert bar_line(bar, (500, 730), found).endswith("| another size than the bar's |")
    assert bar_line(bar, DRAG, "failed: no room").endswith("| failed: no room |")
    assert bar_line(bar, DRAG, None).endswith("| not measured in this run |")


def test_a_bar_of_time_or_memory_is_a_most() -> None:
    of_time = Bar(job="log", name="import", what="an import", other="a scan", of="of it", limit=8.0)
    of_memory = Bar(job="log", name="import", what="an import", other="a scan", of="MB", limit=1500.0)
    found = {"import": [Sample(900, 100, 1200, 300)]}
    assert bar_line(of_time, (every.ROWS,), found).endswith(
        "| 9.00 (9.00 to 9.00) | at most 8 times the other | over: reason not known |"
    )
    assert "| 1,200 MB | a scan | 4.00 (4.00 to 4.00) | at most 1,500 MB | kept |" in bar_line(
        of_memory, (every.ROWS,), found
    )


def test_memory_beside_what_has_none_measured_has_no_ratio() -> None:
    bar = Bar(job="a long queue", name="queue", what="a long log", other=every.LOOP, of="MB", limit=1500.0)
    line = bar_line(bar, every.SIZES["a long queue"], {"queue": [Sample(900, 25, 1000)]})
    assert "| 1,000 MB | a fixed numpy loop | - | at most 1,500 MB | kept |" in line


def test_a_bar_in_ms_beside_the_fixed_loop_is_of_the_machine_where_it_was_set() -> None:
    """A machine at half its speed takes twice as long, and keeps what that one keeps."""
    bar = Bar(job="advice", name="advice", what="advice", other=every.LOOP, of="ms", limit=100.0)
    size, kept, over = every.SIZES["advice"], Sample(180, 2 * every.LOOP_MS), Sample(210, 2 * every.LOOP_MS)
    line = bar_line(bar, size, {"advice": [kept]})
    assert "| 180.0 ms, there 90.0 ms |" in line
    assert line.endswith("| kept |")
    assert "| over: " in bar_line(bar, size, {"advice": [over]})


def test_growth_is_a_power_of_the_size() -> None:
    """Ten times the rows at a hundred times the cost is n^2."""
    measured = {
        ("log", (rows,)): {"import": [Sample(ms, ms / 4, 300)]}
        for rows, ms in ((10_000, 50), (100_000, 5000))
    }
    text = page(measured, every.SIZES, "2 rounds.")
    assert "| import | 10,000 | 50.0 | 12.5 | 4.00 (4.00 to 4.00) | 300 | - |" in text
    assert "| import | 100,000 | 5,000.0 | 1,250.0 | 4.00 (4.00 to 4.00) | 300 | n^2.00 |" in text
    assert text.count("not measured in this run") == len(every.BARS)


def test_every_bar_and_growth_is_of_a_job_with_a_size() -> None:
    jobs = {bar.job for bar in every.BARS} | {job for job, _ in every.GROWTH.values()}
    assert jobs == set(every.JOBS) == set(every.SIZES) == set(every.QUICK)


def test_what_was_measured_is_kept_for_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(every, "STORE", tmp_path / "store")
    measured: every.Measured = {
        ("drag", DRAG): {"drag": [Sample(2, 300, 1, 2)]},
        ("start", ()): "failed: why",
    }
    every.store(measured)
    assert every.stored() == measured


REPORT = """<testsuites><testsuite>
<testcase name="one"><properties>
<property name="survived" value="7"/><property name="refused" value="3"/></properties></testcase>
<testcase name="plain"/><testcase name="left"><skipped/></testcase>{more}
</testsuite></testsuites>"""


def test_faults_are_added_up_and_a_failed_test_is_silent(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(REPORT.format(more=""))
    ends = table.counted(report)
    assert ends == {"survived": 8, "refused": 3, "skipped": 1}
    assert table.line("a fault", ends) == "| a fault | 11 | 8 | 3 | 0 | 0 | 1 |"
    assert table.is_well("a fault", ends)
    report.write_text(REPORT.format(more='<testcase name="bad"><failure/></testcase>'))
    assert not table.is_well("a fault", table.counted(report))


def test_the_control_must_lose_and_nothing_else_may() -> None:
    assert table.is_well(table.CONTROL, Counter(lost=5, survived=1))
    assert not table.is_well(table.CONTROL, Counter(survived=6))
    assert not table.is_well("a save", Counter(lost=1, survived=5))
    assert not table.is_well("a save", Counter())


def test_what_was_kept_is_whole_where_a_run_is_killed_as_it_keeps_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its file was emptied first: hours of measuring were gone."""

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(every, "STORE", tmp_path / ".benchmarks.json")
    before = {("drag", DRAG): {"drag": [Sample(2, 300)]}, ("log", (1,)): "failed: no room"}
    every.store(before)
    monkeypatch.setattr(output_file, "_pour", killed)
    with pytest.raises(KeyboardInterrupt):
        every.store({})
    assert str(every.stored()) == str(before)
