"""The panel Cost: worked out once it is seen, a table for each thing, what stands behind a row, the way to its jobs."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from gpuplanner.app.past.backtesting import months_from
from gpuplanner.charts.kit.translation import sentence, spoken
from gpuplanner.domain.audit.variance import NO_CONTRACTS, NO_RATE
from gpuplanner.domain.edits.endpoints import set_traffic
from gpuplanner.domain.evaluation import evaluate, evaluate_audit
from gpuplanner.domain.model.places import Traffic
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.job_logs.reduce.job_rows import jobs_of_workloads, rows_path
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.kit.palettes import DARK
from gpuplanner.ui.panels.cost.cost import CostPanel
from gpuplanner.ui.panels.cost.period_pickers import choices_of
from gpuplanner.ui.panels.cost.rows import OF_PLAN, TOTAL_KEY, VIEWS
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.words import numbers
from tests.files.job_logs.dialects.test_bill_kinds import HIDDEN, bill
from tests.some_of import some_of
from tests.ui.fake_app import recoloured

JOBS = """job_id,cluster,name,gpu_model,gpus,start,end,model
1,atlas,pretrain,H100,4,2026-01-01T00:00:00Z,2026-01-03T06:30:00Z,aurora
2,atlas,pretrain,H100,4,2026-01-03T08:00:00Z,2026-01-04T00:00:00Z,aurora
3,atlas,pretrain,H100,2,2026-01-20T00:00:00Z,2026-01-21T00:20:00Z,aurora-s
4,atlas,vllm-chat,H100,2,2026-01-01T00:00:00Z,2026-02-10T00:00:00Z,
5,atlas,lr-sweep,H100,1,2026-01-05T00:00:00Z,2026-01-05T04:00:00Z,
"""
CONTRACTS = """contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,term_months
c1,atlas,H100,8,2.75,2025-12-01,2026-05-01,12
"""
CHAT = "atlas//vllm-chat"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files of the project, and its job rows."""
    made = tmp_path_factory.mktemp("cost")
    for name, text in (("jobs", JOBS), ("contracts", CONTRACTS)):
        (made / f"{name}.csv").write_text(text, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def project(folder):
    paths = [str(folder / f"{name}.csv") for name in ("jobs", "contracts")]
    return read_inputs(paths[:1], paths[1:], rows_dir=folder / "rows").project()


def view_state_of(project):
    return next_view_state(None, evaluate_audit(project, "Plan A", read_tables()))


@pytest.fixture
def panel(qtbot, project):
    made = CostPanel()
    qtbot.addWidget(made)
    made.resize(420, 700)
    made.show_state(view_state_of(project))
    yield made
    made.costing.close()


def see(qtbot, panel):
    with qtbot.waitSignal(panel.costing.answered):
        panel.show()


def texts(table):
    return [[cell.text for cell in table.row_at(at).cells] for at in range(table.model().rowCount())]


def test_nothing_is_worked_out_before_the_panel_is_seen(qtbot, panel):
    assert not panel.costing.is_busy
    assert panel.table.model().rowCount() == 0
    see(qtbot, panel)
    assert panel.table.model().rowCount() == 2


def test_views_of_a_plan_stay_while_a_gesture_is_worked_out(qtbot, panel, project):
    known = evaluate(project, "Plan A", read_tables())
    before = next_view_state(None, known)
    panel.show_state(before)
    see(qtbot, panel)
    shown = {}
    for name in sorted(OF_PLAN):
        panel.show_view(name)
        shown[name] = texts(panel.table)
    assert any(shown.values())
    panel.show_state(next_view_state(before, replace(known, advice=None, outlook=None)))
    for name, rows in shown.items():
        panel.show_view(name)
        assert texts(panel.table) == rows


def test_every_table_has_its_rows(qtbot, panel):
    see(qtbot, panel)
    first = {}
    for view in VIEWS:
        panel.show_view(view.name)
        assert panel.import_business.isVisible() is (view.name == "business")
        # of a plan, of activity, of contracts or of bills: here is none
        if view.name in (
            *OF_PLAN,
            "expensive_workloads",
            "contended_runs",
            "hidden_share",
            "model_premiums",
            "price_gaps",
            "flat_rates",
        ):
            assert panel.caption.text() == spoken(view.empty)
            continue
        if view.name == "months":  # read when they are looked at
            continue
        if view.name == "business":  # nobody gave any
            assert panel.caption.text() == str(view.empty) and not panel.table.isVisible()
            continue
        first[view.name] = texts(panel.table)[0][0]
        assert panel.caption.text() != view.empty
        assert panel.behind.isVisible() is not view.name.startswith(
            (
                *("energy", "idle_", "long_runs", "published", "h100", "cluster", "runs_by_kind", "hours_of"),
                "quarter",
            )
        )
    assert first.pop("published_figures").startswith("Inference, ")
    assert first == {
        "runs": "pretrain",
        "models": "Unknown model",
        "endpoints": "vllm-chat",
        "experiments": "lr-sweep",
        "energy": "c1",
        "retraining": "pretrain",
        "energy_of_teams": "nobody",
        "energy_of_workloads": "vllm-chat",
        "idle_nights": "nobody",
        "idle_tails": "pretrain",
        "long_runs": "pretrain",
        "h100_equivalents": "H100",
        "cluster_classes": "atlas",
        "runs_by_kind": "aurora",
        "quarter": "Audit by class",
        "hours_of_week_by": "Inference",
        "changes": "atlas",
        "charges_team": "Nobody",
        "charges_workload": "atlas//vllm-chat",
        "charges_model": "Unknown model",
        "charges_endpoint": "atlas//vllm-chat",
    }


@pytest.mark.long
def test_bills_have_their_share_on_top_of_gpus(qtbot, panel, tmp_path):
    """27,000 beside 100,000 of GPUs; the next table has fewer columns, and a bar no more."""
    (tmp_path / "bill.csv").write_text(bill(*HIDDEN), encoding="utf-8")
    panel.show_state(view_state_of(read_inputs([str(tmp_path / "bill.csv")], []).project()))
    see(qtbot, panel)
    panel.show_view("hidden_share")
    assert texts(panel.table)[0][:6] == ["100,000", "12,000", "6,000", "5,000", "4,000", "27.0%"]
    panel.show_view("published_figures")
    assert [row[2] for row in texts(panel.table)] == ["\u2014", "\u2014", "\u2014", "27.0%"]


def test_a_run_leads_to_the_job_rows_that_add_up_to_it(qtbot, panel, project, folder):
    see(qtbot, panel)
    run = panel.costs.unit.runs[0]
    panel.choose(run.subject)
    with qtbot.waitSignal(panel.jobs_asked) as asked:
        panel.behind.jobs.click()
    assert asked.args == [run.key, run.start_s, run.end_s]
    window = replace(project.window, start_s=run.start_s, hours=(run.end_s - run.start_s) // 3600)
    page = jobs_of_workloads(rows_path(folder / "rows", project.jobs.rows_sha256), (run.key,), window=window)
    assert page.total == 2
    assert page.gpu_hours == run.gpu_hours == 4 * (54.5 + 16)


def test_of_very_many_runs_the_dearest_are_listed_and_the_sum_is_of_all(qtbot, panel):
    see(qtbot, panel)
    few = panel.costs
    panel.show_costs(replace(few, unit=replace(few.unit, runs=few.unit.runs * 600)))
    assert panel.table.model().rowCount() == 500
    assert " 500 " in panel.caption.text()
    usd = sum(run.cost for run in few.unit.runs) * 600
    assert numbers.dollars(usd) in panel.caption.text()


def test_a_model_shows_its_workloads_and_they_lead_to_their_jobs(qtbot, panel):
    see(qtbot, panel)
    panel.show_view("models")
    panel.choose("log\taurora")
    (table,) = [table for table in panel.behind.tables if table.isVisible()]
    assert texts(table)[0][0] == "atlas//pretrain"
    with qtbot.waitSignal(panel.jobs_asked) as asked:
        table.row_opened.emit(table.row_at(0).key)
    assert asked.args == ["atlas//pretrain", None, None]


def test_an_endpoint_is_drawn_and_asks_for_its_traffic(qtbot, panel, project):
    see(qtbot, panel)
    panel.show_view("endpoints")
    assert "unknown" in panel.behind.lines.text()
    assert not panel.behind.hours.plot.isHidden()
    with qtbot.waitSignal(panel.traffic_asked) as asked:
        panel.behind.traffic.click()
    assert asked.args == [CHAT]
    start_s = project.window.start_s
    traffic = Traffic(start_s=start_s, end_s=start_s + 3600, hours=((start_s, 1_000_000, 100_000),))
    with qtbot.waitSignal(panel.costing.answered):
        panel.show_state(view_state_of(set_traffic(project, CHAT, traffic)))
    assert texts(panel.table)[0][2] == "5.00"  # 2 GPUs at 2.75 $ for 1.1 million tokens


def test_other_periods_change_the_change(qtbot, panel):
    see(qtbot, panel)
    panel.show_view("changes")
    halves = texts(panel.table)
    assert panel.choices["changes"] == TOTAL_KEY
    names = [name for name, _ in choices_of(panel.shown.evaluation.project.window)]
    with qtbot.waitSignal(panel.costing.answered):
        panel.periods.before.setCurrentIndex(len(names) - 2)
    assert texts(panel.table) != halves
    assert panel.behind.steps_chart.plot.steps[0].name == "Before"
    tables = [table for table in panel.behind.tables if table.isVisible()]
    with qtbot.waitSignal(panel.contract_asked) as asked:
        tables[-1].row_opened.emit(tables[-1].row_at(0).key)
    assert asked.args == ["c1"]


def test_what_changed_adds_up_in_every_row_as_it_is_written(qtbot, panel):
    see(qtbot, panel)
    panel.show_view("changes")
    for written in texts(panel.table):
        plain = (text.replace(",", "").replace("\u2212", "-").replace("\u00b1", "") for text in written[1:])
        before, *steps, after = map(float, plain)
        assert before + sum(steps) == after


def test_a_drag_does_not_ask_again(qtbot, panel):
    """A card that moves changes neither audit nor traffic: the same answer is shown, and nothing is worked out."""
    see(qtbot, panel)
    costs = panel.costs
    shown = panel.shown
    moved = replace(shown.evaluation, project=replace(shown.evaluation.project, title="other"))
    panel.show_state(replace(shown, evaluation=moved))
    assert not panel.costing.is_busy
    assert panel.costs is costs


def test_another_palette_keeps_what_is_shown(qtbot, panel):
    see(qtbot, panel)
    panel.show_view("endpoints")
    before = texts(panel.table)
    recoloured(panel, DARK)
    assert texts(panel.table) == before
    assert not panel.behind.hours.plot.isHidden()


def test_periods_of_a_window(project):
    names = [name for name, _ in choices_of(project.window)]
    assert names[:2] == ["First half", "Second half"]
    assert len(set(names)) == len(names)
    months = choices_of(project.window)[-2:]
    assert sum(period.hours for _, period in months) == project.window.hours


@pytest.mark.parametrize("view", some_of([view.name for view in VIEWS if view.by is not None], quick=1))
def test_names_and_what_is_charged_are_seen_in_a_narrow_panel(qtbot, panel, view):
    see(qtbot, panel)
    panel.show_view(view)
    names, charged = (panel.table.visualRect(panel.table.model().index(0, at)) for at in (0, 1))
    assert names.width() >= min(60, panel.table.sizeHintForColumn(0)) > 30
    assert str(panel.table.columns[1].title).startswith("Charged")
    assert charged.right() <= panel.table.viewport().width()


def test_what_stands_above_the_energy_is_not_cut_off(qtbot, panel):
    see(qtbot, panel)
    panel.show_view("energy")
    panel.resize(300, 700)
    qtbot.waitUntil(lambda: panel.caption.height() >= panel.caption.heightForWidth(panel.caption.width()))
    assert panel.caption.height() > 1.5 * panel.caption.fontMetrics().height()


def test_what_takes_most_energy_stands_first(qtbot, panel):
    see(qtbot, panel)
    panel.show_view("energy_of_workloads")
    rows = [panel.table.row_at(at) for at in range(panel.table.model().rowCount())]
    taken = [float(str(row.cells[2].text).replace(",", "")) for row in rows]
    assert len(taken) == 3
    assert taken == sorted(taken, reverse=True)
    assert [str(row.cells[0].text) for row in rows] != sorted(str(row.cells[0].text) for row in rows)


def test_the_caption_of_business_figures_says_what_month_12_leaves_unserved():
    """Only of a plan that leaves some: the column of it may be scrolled away."""
    [view] = [view for view in VIEWS if view.name == "business"]
    left, none = (
        SimpleNamespace(
            business=[SimpleNamespace(unserved=None, unknown=""), SimpleNamespace(unserved=hours, unknown="")]
        )
        for hours in (1_460.0, 0.0)
    )
    assert "1,460 GPU-h unserved" in view.caption(left)
    assert "unserved" not in view.caption(none)


def test_the_caption_of_what_changed_says_why_it_is_unknown():
    [view] = [view for view in VIEWS if view.name == "changes"]

    def caption(note):
        clusters = [SimpleNamespace(note=note)]
        return view.caption(
            SimpleNamespace(variance=SimpleNamespace(change_per_month=None, clusters=clusters))
        )

    assert caption(NO_CONTRACTS) == sentence(NO_CONTRACTS)
    assert caption(NO_RATE) not in ("", caption(NO_CONTRACTS))


def test_the_log_month_by_month_is_asked_for_when_it_is_looked_at(qtbot, panel, folder):
    see(qtbot, panel)
    with qtbot.waitSignal(panel.months_asked) as asked:
        panel.show_view("months")
    assert "Reading the log" in panel.caption.text()
    with_months = months_from(folder / "rows", read_tables())
    panel.show_months(with_months(asked.args[0], lambda share, words: None, lambda: False))
    assert [row[0] for row in texts(panel.table)] == ["2026-01", "2026-02, 216 h"]
    assert panel.months.isVisible() and not panel.bars.isVisible()
    panel.show_view("models")
    assert not panel.months.isVisible()


def test_months_of_a_log_whose_rows_are_gone_say_so(qtbot, panel, folder):
    see(qtbot, panel)
    panel.show_view("months")
    with_months = months_from(folder / "nowhere", read_tables())
    panel.show_months(with_months(panel.shown.evaluation, lambda share, words: None, lambda: False))
    assert "not stored" in panel.caption.text()
