"""Who pays, in the panel Cost: a table by each of four, the rule that is named and changed, budgets typed and read."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.domain.audit.costs.charge_words import ChargeBy
from gpuplanner.domain.model.business import month_of
from gpuplanner.domain.model.scenario.assumptions import IdleRule
from gpuplanner.ui.flows.panels import cost_flow
from gpuplanner.ui.panels.cost.cost import CostPanel
from gpuplanner.ui.window.main_window import MainWindow


@pytest.fixture
def panel(window: MainWindow, qtbot: QtBot) -> CostPanel:
    """The panel on who pays by team, worked out."""
    made = window.docks.cost
    window.docks.show_view("cost", "charges_team")
    qtbot.waitUntil(lambda: made.costs is not None and not made.costing.is_busy)
    return made


def rows_of(panel: CostPanel) -> dict[str, list[str]]:
    table = panel.table
    rows = [table.row_at(at) for at in range(table.model().rowCount())]
    return {row.key: [cell.text for cell in row.cells] for row in rows}


def settle(panel: CostPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not panel.costing.is_busy)


def test_every_way_to_share_it_out_has_a_table_that_adds_up(panel: CostPanel) -> None:
    for by in ChargeBy:
        panel.show_view(f"charges_{by}")
        rows = rows_of(panel)
        assert panel.costs is not None
        found = panel.costs.charges[by]
        assert list(rows)[-1] == "all" and len(rows) == len(found.rows) + 1
        assert "idle GPUs are shared by GPU-hours" in panel.caption.text()
        assert not panel.charge_controls.isHidden()
        assert panel.charge_controls.budget.isHidden() == (by is not ChargeBy.TEAM)
    panel.show_view("runs")
    assert panel.charge_controls.isHidden()


def test_the_rule_is_one_undo_step_and_is_named(window: MainWindow, panel: CostPanel, qtbot: QtBot) -> None:
    document, before = window.session.document, window.session.document.project
    controls = panel.charge_controls
    at = controls.rule.findData(IdleRule.PEAK.value)
    controls.rule.setCurrentIndex(at)
    controls.rule.activated.emit(at)
    assert document.project.assumptions.idle_shared_by == IdleRule.PEAK
    assert document.undo_stack.text(0) == "Change idle GPUs shared by to peak"
    document.undo_stack.undo()
    assert document.project is before
    settle(panel, qtbot)


def test_a_budget_is_typed_shown_and_taken_away(window: MainWindow, panel: CostPanel, qtbot: QtBot) -> None:
    document, controls = window.session.document, panel.charge_controls
    key = next(iter(rows_of(panel)))
    panel.choose(key)
    team = key.removeprefix("=")
    for text, budgets in (("60000", {team: 60_000.0}), ("", {})):
        controls.budget.setText(text)
        controls.budget.setModified(True)
        controls.budget.editingFinished.emit()
        assert dict(document.project.budgets) == budgets
        settle(panel, qtbot)
        qtbot.waitUntil(lambda: ("Left" in headings(panel)) == bool(document.project.budgets))
    while document.undo_stack.canUndo():
        document.undo_stack.undo()


def headings(panel: CostPanel) -> str:
    model = panel.table.model()
    return " ".join(str(model.headerData(at, panel.table.horizontalHeader().orientation()))
                    for at in range(model.columnCount()))  # fmt: skip


def test_budgets_are_read_from_a_file(window: MainWindow, panel: CostPanel, tmp_path: Path) -> None:
    document, path = window.session.document, tmp_path / "budgets.csv"
    path.write_text("team,usd_per_month\nhr,500\nops,1000\n", "utf-8")
    window.cost_flow.read_budgets([str(path)])
    assert dict(document.project.budgets) == {"hr": 500.0, "ops": 1000.0}
    assert document.project.intake[-1].kind == "budgets"
    assert document.undo_stack.text(0) == "Import 2 budgets"
    document.undo_stack.undo()


def test_business_figures_are_read_from_a_file(
    window: MainWindow, panel: CostPanel, tmp_path: Path, qtbot: QtBot
) -> None:
    document, path = window.session.document, tmp_path / "business.csv"
    month = month_of(document.project.window.end_s - 3600)
    path.write_text(f"month,figure,value\n{month},orders,1000\n1999-01,orders,5\n", "utf-8")
    panel.show_view("business")
    window.cost_flow.read_business([str(path)])
    assert document.undo_stack.text(0) == "Import 2 business figures"
    qtbot.waitUntil(lambda: panel.table.model().rowCount() >= 2)
    assert panel.costs is not None
    row = next(row for row in panel.costs.business if row.month == month)
    assert row.hours and (row.cost_each is None) is bool(
        row.unknown
    )  # without prices what overflows has no rate
    assert "1999-01: The log has no hour" in panel.caption.text()
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: not panel.table.isVisible() or not panel.table.model().rowCount())


def test_budgets_that_cannot_be_read_are_said(
    window: MainWindow, panel: CostPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(
        cost_flow, "Question", lambda _, title, text, __: said.append(f"{title}: {text}") or Said()
    )
    document, path = window.session.document, tmp_path / "budgets.csv"
    for rows, budgets in (("hr,lots\nops,1000\n", {"ops": 1000.0}), ("hr,lots\n", {})):
        path.write_text(f"team,usd_per_month\n{rows}", "utf-8")
        window.cost_flow.read_budgets([str(path)])
        assert dict(document.project.budgets) == budgets
        assert "budgets.csv, row 2" in said[-1] and "'lots'" in said[-1]
        document.undo_stack.undo()
    assert len(said) == 2


class Said:
    """A message that was closed."""

    def exec(self) -> int:
        return 0
