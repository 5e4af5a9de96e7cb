"""The logs of decisions as files: every line once, safe in a spreadsheet, whole or not at all."""

import csv
import io

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.scenario.plan_inputs import Decision, Scenario
from gpuplanner.files.export.decision_log import decisions_csv, decisions_text, write_decisions

PLANS = (
    Scenario("Plan A", decisions=(Decision(0, "Move a to burst", "it is, cheaper"), Decision(3600, "Pin b"))),
    Scenario("=Plan", decisions=(Decision(7200, "=1+1", "@x"),)),
    Scenario("Plan C"),
)


def test_a_table_has_a_row_for_every_decision() -> None:
    rows = list(csv.reader(io.StringIO(decisions_csv(PLANS))))
    assert rows[:3] == [
        ["plan", "at", "decision", "reason"],
        ["Plan A", "1970-01-01T00:00:00Z", "Move a to burst", "it is, cheaper"],
        ["Plan A", "1970-01-01T01:00:00Z", "Pin b", ""],
    ]
    assert len(rows) == 4
    assert not any(cell.startswith(("=", "@", "+", "-")) for row in rows for cell in row)


def test_a_text_is_for_people() -> None:
    assert decisions_text(PLANS[:1]) == (
        "Plan A\n\n1970-01-01T00:00:00Z  Move a to burst\n    Why: it is, cheaper\n1970-01-01T01:00:00Z  Pin b\n"
    )
    assert decisions_text(PLANS[2:]) == "\n"


def test_a_file_is_of_the_kind_of_its_name(tmp_path) -> None:  # type: ignore[no-untyped-def]
    write_decisions(PLANS, tmp_path / "log.csv")
    assert (tmp_path / "log.csv").read_text("utf-8-sig").startswith("plan,at,decision,reason")
    write_decisions(PLANS, tmp_path / "log.txt")
    assert "Why: it is, cheaper" in (tmp_path / "log.txt").read_text("utf-8-sig")
    with pytest.raises(PlannerError, match="its folder is not there"):
        write_decisions(PLANS, tmp_path / "no" / "log.csv")
