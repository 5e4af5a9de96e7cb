"""The processor time of each test: measured in every run, printed at its end, and kept in `tests/costs.csv`.

A test is charged for its own set-up, call and teardown, and for the processes that it waited for. A fixture of wider
scope is charged to itself, since which test needs it first depends on what else runs. No test fails for its time.
`packaging/test_costs.py` says what a test may cost in the normal run.
"""

import csv
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from tests.benchmarks.fixed_loop import LOOP_MS, loop_ms

COSTS: Final = Path(__file__).with_name("costs.csv")
HEADINGS: Final = ("test", "processor_s", "reason")
FIXTURE: Final = "fixture "
"""What the row of a fixture begins with."""
MOST_EXPENSIVE: Final = 10
WHOLE_RUN: Final = "processor_s"
OWN_COST: Final = "processor_s_of_phase"
OF_FIXTURES: Final = "processor_s_of_fixtures"


def processor_s() -> float:
    """Return the processor seconds of this process and of those that it waited for."""
    return sum(os.times()[:4])


class Costs:
    """Measure tests where they run, and add up what the processes that run them report."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._fixtures: Counter[str] = Counter()  # of wider scope, set up since the last report
        self._start_s = processor_s()
        self._workers_s = 0.0
        self.of_tests: Counter[str] = Counter()

    # --- Where tests run

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        """Charge a fixture that outlives its test to itself, less the fixtures that it asked for."""
        if fixturedef.scope == "function":
            return (yield)
        start_s, nested_s = processor_s(), sum(self._fixtures.values())
        try:
            return (yield)
        finally:
            own_s = processor_s() - start_s - (sum(self._fixtures.values()) - nested_s)
            self._fixtures[f"{FIXTURE}{fixturedef.baseid}::{fixturedef.argname}"] += own_s

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        """Begin to count before anything of a test is set up."""
        self._phase_start_s = processor_s()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Iterator[None]:
        """Give each report what its phase cost; reports of workers carry it to the process that adds up."""
        report: Any = yield
        now_s = processor_s()
        setattr(report, OWN_COST, now_s - self._phase_start_s - sum(self._fixtures.values()))
        setattr(report, OF_FIXTURES, dict(self._fixtures))
        self._fixtures.clear()
        self._phase_start_s = now_s
        return report

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Tell the process that adds up what this worker cost in all, collection included."""
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[WHOLE_RUN] = processor_s() - self._start_s

    # --- Where they are added up

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Add a phase to its test."""
        self.of_tests[report.nodeid] += getattr(report, OWN_COST, 0.0)
        self.of_tests.update(getattr(report, OF_FIXTURES, {}))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add a worker that is done."""
        self._workers_s += getattr(node, "workeroutput", {}).get(WHOLE_RUN, 0.0)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the processor time and the most expensive tests; write the file where --costs asks for it."""
        if hasattr(self._config, "workerinput"):
            return  # the process that adds up prints and writes
        is_shared = bool(
            self._config.getoption("numprocesses", None)
        )  # workers are children, and report themselves
        total_s = self._workers_s + time.process_time() if is_shared else processor_s() - self._start_s
        factor = LOOP_MS / loop_ms()
        terminalreporter.section("processor time")
        terminalreporter.write_line(
            f"{total_s:,.0f} s here, {total_s * factor:,.0f} s where the numpy loop takes {LOOP_MS} ms; tests and "
            f"fixtures alone {sum(self.of_tests.values()) * factor:,.0f} s"
        )
        for test, cost_s in self.of_tests.most_common(MOST_EXPENSIVE):
            terminalreporter.write_line(f"{cost_s * factor:8.2f} s  {test}")
        if self._config.getoption("costs"):
            write({test: cost_s * factor for test, cost_s in self.of_tests.items()}, COSTS)
            terminalreporter.write_line(f"written: {COSTS.relative_to(self._config.rootpath)}")


def write(costs_s: Mapping[str, float], path: Path) -> None:
    """Write a row a test, in the order of their ids; a reason that a test had stays.

    A test file whose tests are all of the long run has one row of its own, without a cost.
    """
    reasons = {row["test"]: row["reason"] for row in read(path)} if path.exists() else {}
    measured = {test.removeprefix(FIXTURE).partition("::")[0] for test in costs_s}
    root = path.parent.parent
    files = (file.relative_to(root).as_posix() for file in path.parent.rglob("test_*.py"))
    costs_s = {**costs_s, **{file: 0.0 for file in files if file not in measured}}
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(HEADINGS)
        rows.writerows((test, f"{costs_s[test]:.3f}", reasons.get(test, "")) for test in sorted(costs_s))


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows of such a file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
