"""Flows of one panel each: they ask for what it shows, and turn what is done in it into edits."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from gpuplanner.app import looking_back
from gpuplanner.app.background import Itself, are_same
from gpuplanner.app.comparing import Flipping
from gpuplanner.app.exporting import WithMonths
from gpuplanner.app.sourcing import ServingFiles, Sizing, TrainingRuns, project_with_load, project_with_model
from gpuplanner.charts.kit.plain_text import spoken, tr
from gpuplanner.domain import edits
from gpuplanner.domain.edits import (
    served_model_label,
    serving_term_label,
    set_assumption,
    set_serving_term,
    set_sized_row,
    settings_label,
    sized_row_label,
    traffic_label,
    week_label,
)
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.assumptions import parse_assumption
from gpuplanner.domain.model.book.contract import Contract, turn_words, with_terms
from gpuplanner.domain.model.book.offer import Offer, PriceCase
from gpuplanner.domain.model.book.price_book import OfferValue
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import NOTHING_CHOSEN, WeekRates, rates_of
from gpuplanner.domain.model.plan_inputs import TODAY
from gpuplanner.domain.model.project import BusinessFigure, Project
from gpuplanner.domain.model.spelling import respelled
from gpuplanner.domain.model.tables import Pool, PricingCategory, Tables
from gpuplanner.domain.model.trained import StatedRun
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.queue.sentences import wait_lines
from gpuplanner.domain.queue.waits import Target
from gpuplanner.domain.track.track import Track
from gpuplanner.domain.training.answer import planned_of
from gpuplanner.domain.training.choices import Choice
from gpuplanner.files.system import resources
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit.dialogs import Question, ask, ask_text, errors_in_dialog, open_once, show_error
from gpuplanner.ui.kit.file_dialogs import open_file, open_files, save_file
from gpuplanner.ui.panels.cost.cost import SHARED_BY, CostPanel
from gpuplanner.ui.panels.cost.track import TrackPanel
from gpuplanner.ui.panels.duration.backtest import BacktestPanel, WaitingPanel
from gpuplanner.ui.panels.duration.duration import DurationPanel
from gpuplanner.ui.panels.places.inference import InferencePanel
from gpuplanner.ui.panels.places.placement import PlacementPanel
from gpuplanner.ui.panels.prices.prices import PricesPanel
from gpuplanner.ui.panels.today.hardware_fit import TrainingRunView
from gpuplanner.ui.why.popover import WhyPopover
from gpuplanner.ui.words.window_words import refusal_words, refused_words

if TYPE_CHECKING:
    from gpuplanner.files.tables.small_table import TableKind
    from gpuplanner.ui.plans.all_plans_dialogs import Terms


# --- The panel Prices on a project: turns what the planner did to the price book into one edit each, and saves it

NEW_OFFER = "new offer"
EGRESS = "egress_gb_per_gpu_hour"
BACK: Final = worded("Back to the model")
USE_IT: Final = worded("Use it")


class PricesFlow(QObject):
    """Told the session and the panel; every gesture is one step of Undo, and what is refused is said in the panel."""

    def __init__(self, session: Session, panel: PricesPanel) -> None:
        super().__init__(session.window)
        self._session, self._panel = session, panel
        panel.field_set.connect(self._set_field)
        panel.add_asked.connect(self._add)
        panel.duplicate_asked.connect(self._duplicate)
        panel.remove_asked.connect(self._remove)
        panel.egress_set.connect(self._set_egress)
        panel.case_chosen.connect(self._choose_case)
        panel.fall_chosen.connect(lambda fall: session.gestures.set_assumption("delta", fall))
        panel.mapping_set.connect(self._set_mapping)
        panel.public_prices_asked.connect(session.asks.public_prices_asked)
        panel.export_asked.connect(self._export)

    def _edit(self, label: Callable[[], Message], edit: Callable[[Project], Project]) -> bool:
        """One edit of the price book, its models spelled as the project does.

        False if it was refused, which the panel shows.
        """
        try:
            after = respelled(edit(self._session.project), resources.gpu_families())
            if after is not self._session.project:
                self._session.document.edit(label(), after)
        except PlannerError as error:
            self._panel.refuse(error)
            return False
        return True

    def _set_field(self, offer_id: str, field: str, value: OfferValue) -> None:
        """Changes one field of an offer as of today; a renamed offer stays chosen, a new GPU model is asked about."""
        if field == "gpu_model" and not self._is_meant(str(value)):
            self._panel.redraw()
            return
        today = iso_utc(self._session.time_s())[:10]
        done = self._edit(
            lambda: edits.offer_label(offer_id, field, value, self._currency_of(offer_id)),
            lambda project: edits.change_offer(project, offer_id, field, value, today),
        )
        if done and field == "offer_id":
            self._panel.choose(str(value))

    def _is_meant(self, model: str) -> bool:
        """Whether the project, or the table of GPU models, has a model, or else the planner means it."""
        project = self._session.project
        known = edits.demand_models(project) | {offer.gpu_model for offer in project.offers}
        if resources.gpu_families().read(model) is not None or model.casefold() in map(str.casefold, known):
            return True
        words = tr(
            "No job, contract or other price here is of {model}: its offer serves nothing.", model=model
        )
        return (
            ask(self._session.window, tr("{model} is new here", model=model), words, (BACK, USE_IT)) == USE_IT
        )

    def _currency_of(self, offer_id: str) -> str:
        """The currency in which an offer is quoted; the project's where there is no such offer."""
        project = self._session.project
        return next((one.currency for one in project.offers if one.offer_id == offer_id), project.currency)

    def _add(self, gpu_model: str) -> None:
        """Adds an offer without a rate, and opens it to be filled in."""
        project = self._session.project
        model = gpu_model or next(iter((*project.cube.gpu_models, "H100")))
        taken = {offer.offer_id for offer in project.offers}
        name = NEW_OFFER if NEW_OFFER not in taken else edits.copied_offer_id(project, NEW_OFFER)
        offer = Offer(name, model, PricingCategory.STANDARD, 0, None, currency=project.currency)
        if self._edit(lambda: edits.offers_label("Add", name), lambda now: edits.add_offer(now, offer)):
            self._panel.choose(name)
            self._panel.edit_chosen()

    def _duplicate(self, offer_id: str) -> None:
        """Adds a copy under a free name, and chooses it."""
        copy = edits.copied_offer_id(self._session.project, offer_id)
        label = edits.offers_label("Duplicate", offer_id)
        if self._edit(lambda: label, lambda project: edits.duplicate_offer(project, offer_id)):
            self._panel.choose(copy)

    def _remove(self, offer_id: str) -> None:
        """Removes an offer."""
        label = edits.offers_label("Remove", offer_id)
        self._edit(lambda: label, lambda project: edits.remove_offer(project, offer_id))

    def _set_egress(self, text: str) -> None:
        """Sets the price of egress from its text."""

        def edit(project: Project) -> Project:
            """The project with that price of egress; of a plan that has its own, with that of the plan."""
            shown = self._session.scenario
            own = shown if shown != TODAY and EGRESS in project.scenario(shown).assumptions else None
            return edits.set_assumption(project, own, EGRESS, parse_assumption(EGRESS, text))

        self._edit(lambda: edits.assumption_label(EGRESS, parse_assumption(EGRESS, text)), edit)

    def _choose_case(self, case: PriceCase) -> None:
        """Sets which case of prices a plan counts with; today's are as they are."""
        scenario, label = self._session.scenario, edits.price_case_label(case)
        if scenario != TODAY:
            self._session.gestures.edit(label, lambda now: edits.set_price_case(now, scenario, case))

    def _set_mapping(self, gpu_model: str, offer_model: str, ratio: float | None, pool: Pool | None) -> None:
        """Sets for how many of a GPU model one of an offer's stands; without a ratio that is taken back."""
        mine = (gpu_model, offer_model, pool or "")
        known = next((one for one in self._session.project.mappings if one.key == mine), None)

        def edit(project: Project) -> Project:
            """The project with the mapping set or removed."""
            if ratio is None and known is not None:
                return edits.remove_mapping(project, known)
            return edits.set_mapping(project, gpu_model, offer_model, ratio, pool)

        self._edit(lambda: edits.mapping_label(gpu_model, offer_model, ratio, pool), edit)

    def _export(self) -> None:
        """Asks for a file and saves the price book."""
        path, _ = save_file(
            self._session.window, tr("Save the price book"), "prices.csv", tr("Price lists (*.csv)")
        )
        if path:
            self.export_to(Path(path))

    def export_to(self, path: Path) -> None:
        """Write the price book to a file; what goes wrong is said."""
        from gpuplanner.files.export import write_price_file

        with errors_in_dialog(self._session.window):
            write_price_file((*self._session.project.offers, *self._session.project.earlier_offers), path)


# --- Terms of contracts that the planner knows better than their file: in an editor


class ContractFlow:
    """Told the session and the popover of answers; one edit of one contract."""

    def __init__(self, session: Session, answers: WhyPopover) -> None:
        self._session = session
        answers.asking = lambda why: self._lacking() if why.has_unknown else ""
        answers.editor_asked.connect(self.edit)

    def edit(self, contract_id: str) -> None:
        """Open the editor of a contract."""
        from gpuplanner.ui.plans.all_plans_dialogs import ContractDialog

        found = (one for one in self._session.document.project.contracts if one.contract_id == contract_id)
        for contract in found:
            dialog = ContractDialog(
                contract,
                partial(self._refusal, contract),
                partial(self._moved, contract),
                self._session.window,
            )
            dialog.terms_chosen.connect(partial(self._take, contract))
            open_once(dialog)

    def _refusal(self, contract: Contract, terms: "Terms") -> str:
        """Why terms cannot be; "" where they can, and change something."""
        project = self._session.document.project
        try:
            after = edits.change_contract(project, contract.contract_id, terms)
        except PlannerError as error:
            return refusal_words(error)
        return tr("Nothing is changed.") if after is project else ""

    def _moved(self, contract: Contract, terms: "Terms") -> str:
        """That terms change which contract serves first; "" where they do not."""
        before = self._session.document.project
        after = edits.change_contract(before, contract.contract_id, terms)
        return spoken(turn_words(contract, before.contracts, after.contracts))

    def _take(self, contract: Contract, terms: "Terms") -> None:
        document = self._session.document
        label = edits.contract_label(contract, with_terms(contract, terms))
        document.edit(label, edits.change_contract(document.project, contract.contract_id, terms))

    def _lacking(self) -> str:
        """The first contract that counts and has no rate; "" where all have one."""
        project = self._session.document.project
        since_s = project.window.start_s
        lacking = (one for one in project.contracts if one.quoted_rate is None)
        return next((one.contract_id for one in lacking if (one.end_s or since_s + 1) > since_s), "")


# --- The panel Cost on a project: how idle GPUs are shared and what teams may be charged, one edit each

TABLES = worded("Budgets (*.csv *.xlsx *.parquet);;All files (*)")
BUSINESS_TABLES = worded("Business figures (*.csv *.xlsx *.parquet);;All files (*)")
R = TypeVar("R")
"""What a row says."""


class CostFlow(QObject):
    """Told the session and the panel."""

    def __init__(self, session: Session, panel: CostPanel) -> None:
        super().__init__(session.window)
        self._session, self._document = session, session.document
        panel.charge_controls.rule_chosen.connect(self.share_by)
        panel.charge_controls.budget_typed.connect(self.set_budget)
        panel.charge_controls.budgets_asked.connect(self._choose_budgets)
        panel.business_asked.connect(self._choose_business)

    def share_by(self, rule: str) -> None:
        """Share idle GPUs by another rule."""
        after = edits.set_assumption(self._document.project, None, SHARED_BY, rule)
        self._document.edit(edits.assumption_label(SHARED_BY, rule), after)

    def set_budget(self, team: str, text: str) -> None:
        """Set the budget of a team, in the money of the project; an empty text takes it away."""
        with errors_in_dialog(self._session.window):
            usd = float(parse_assumption("budget_usd_per_month", text)) if text else None  # type: ignore[arg-type]
            after = edits.set_budget(self._document.project, team, usd)
            self._document.edit(edits.budget_label(team, usd), after)

    def read_budgets(self, paths: Sequence[str]) -> None:
        """Read budgets from files, which are US dollars; one undo step. Rows that are refused are said."""
        from gpuplanner.files.lists.planner_lists import BUDGETS, Budget

        def edit(project: Project, read: Sequence[Budget]) -> tuple[Message, Project]:
            return edits.budgets_label(len(read)), edits.add_dollar_budgets(project, dict(read))

        self._read(BUDGETS, paths, edit, tr("Not every budget was read"))

    def read_business(self, paths: Sequence[str]) -> None:
        """Read figures of the business from files; one undo step. Rows that are refused are said."""
        from gpuplanner.files.lists.planner_lists import BUSINESS

        def edit(project: Project, read: Sequence[BusinessFigure]) -> tuple[Message, Project]:
            return edits.business_label(len(read)), edits.add_business(project, read)

        self._read(BUSINESS, paths, edit, tr("Not every figure was read"))

    def _read(
        self,
        kind: "TableKind[R]",
        paths: Sequence[str],
        edit: Callable[[Project, Sequence[R]], tuple[Message, Project]],
        lost_title: str,
    ) -> None:
        """Read files and take what they say as one undo step; nothing where one of them is no such table.

        edit: the words of the step, and the project after it.
        """
        with errors_in_dialog(self._session.window):
            read = kind.read_files(paths).or_refused()
            label, after = edit(self._document.project, read.values)
            if read.values:
                self._document.edit(label, replace(after, intake=(*after.intake, *read.intake)))
            if lost := refused_words(read):
                Question(self._session.window, lost_title, "\n".join(lost), ("Close",)).exec()

    def _choose_business(self) -> None:
        """Asks for files of business figures."""
        if paths := open_files(self._session.window, tr("Import business figures"), tr(BUSINESS_TABLES)):
            self.read_business([str(Path(path)) for path in paths])

    def _choose_budgets(self) -> None:
        """Asks for files of budgets."""
        if paths := open_files(self._session.window, tr("Import budgets"), tr(TABLES)):
            self.read_budgets([str(Path(path)) for path in paths])


# --- The panel Inference with what sizes for it: asks, reads files, and turns choices into undo steps

MODEL_FILES: Final = worded("Models (*.json *.csv *.tsv *.txt);;All files (*)")
TRAFFIC_FILES: Final = worded(
    "Requests (*.csv *.tsv *.txt *.json *.jsonl *.parquet *.gz *.zip);;All files (*)"
)
RESULT_FILES: Final = worded("Results of benchmarks (*.json *.jsonl *.csv *.tsv *.txt);;All files (*)")
TARGET: Final = "serving_tpot_p95_ms"
NOTHING_TRIED: Final[Mapping[str, Any]] = {}
RATES_ASKED: Final = worded("Requests a second that one GPU serves, as you measured it: L4=1200, A100=4000")


class InferenceFlow(QObject):
    """Told the session, the panel and the action that opens the assumptions."""

    def __init__(self, session: Session, panel: InferencePanel, assumptions: QAction) -> None:
        super().__init__(session.window)
        self._session, self._panel = session, panel
        self.sizing = Sizing(resources.read_serving_tables(), self)
        self._files = ServingFiles(self)
        panel.once_built(lambda: panel.set_models(resources.read_served_models()))
        panel.size_asked.connect(self._ask)
        panel.model_chosen.connect(self._take_model)
        read_model, read_load = self._files.read_model, self._files.read_load
        panel.model_file_asked.connect(partial(self._choose, worded("Model"), MODEL_FILES, read_model))
        panel.traffic_file_asked.connect(partial(self._choose, worded("Requests"), TRAFFIC_FILES, read_load))
        panel.row_chosen.connect(self._take_row)
        panel.term_chosen.connect(self._take_term)
        panel.rates_asked.connect(self._ask_for_rates)
        panel.measured_file_asked.connect(self._choose_measured_file)
        panel.measured_dropped.connect(lambda key: self._take_measured(key, ()))
        panel.mapping_chosen.connect(self._take_mapping)
        panel.plan_asked.connect(self._plan_as_sized)
        panel.target_moved.connect(lambda key, ms: self._ask(key, {TARGET: ms}))
        panel.target_set.connect(self._set_target)
        panel.assumptions_asked.connect(assumptions.trigger)
        self.sizing.answered.connect(panel.show_sizing)
        self._files.model_read.connect(self._take_model)
        self._files.load_read.connect(self._take_load)
        self._files.measured_read.connect(self._take_measured)
        for service in (self.sizing, self._files):
            service.failed.connect(lambda error: show_error(session.window, error))

    def _ask(self, key: str, tried: Mapping[str, Any] = NOTHING_TRIED) -> None:
        """Has an endpoint sized with the assumptions and offers of the plan, or of today, and those that are tried."""
        project, assumptions, offers = self._session.project, self._session.project.assumptions, None
        if self._session.scenario != TODAY:
            plan = project.scenario(self._session.scenario)
            assumptions, offers = project.assumptions_in(plan), project.offers_in(plan)
        self.sizing.ask(
            project, key, assumptions.with_values(tried), project.offers if offers is None else offers
        )

    def _set_target(self, ms: float | None) -> None:
        """Sets the target of the time per token in the plan that is shown, of all plans on Today."""
        project, scenario = self._session.project, self._session.scenario
        plan = None if scenario == TODAY else scenario
        self._session.edit(
            edits.assumption_label(TARGET, ms), lambda: set_assumption(project, plan, TARGET, ms)
        )

    def _choose(self, title: Message, kinds: Message, read: Callable[[str, Path], None], key: str) -> None:
        """Asks for a file of an endpoint, and has it read; one undo step."""
        if path := open_file(self._session.window, tr(title), tr(kinds)):
            read(key, Path(path))

    def _choose_measured_file(self, key: str) -> None:
        """Asks for a file with results of a benchmark of the endpoint's model."""
        model = self._session.project.serving.get(key, NOTHING_CHOSEN).model
        if model and (path := open_file(self._session.window, tr("Measurements"), tr(RESULT_FILES))):
            self._files.read_measured(key, Path(path), model)

    def _ask_for_rates(self, key: str) -> None:
        """Asks for requests a second of a GPU, of what is no language model."""
        known = self._session.project.serving.get(key, NOTHING_CHOSEN).rates
        value = ", ".join(f"{name}={rate:g}" for name, rate in known)
        text = ask_text(
            self._session.window, tr("No language model"), tr(RATES_ASKED), value, "Size on these"
        )
        if text:
            label = edits.endpoint_label(self._session.project, key, worded("State requests of a GPU"))
            self._session.edit(label, lambda: edits.set_rates(self._session.project, key, rates_of(text)))

    def _take_measured(self, key: str, measured: Any) -> None:
        """Sets what was measured of an endpoint's model, beside what it has; nothing: all of it goes."""
        what = worded("Add measurements") if measured else worded("Forget what was measured")
        label = edits.endpoint_label(self._session.project, key, what)
        self._session.edit(label, lambda: edits.set_measured(self._session.project, key, measured))

    def _take_mapping(self, gpu_model: str, offer_model: str, ratio: float) -> None:
        """Lets offers of another GPU model meet demand for one, at the ratio that was found."""
        label = edits.mapping_label(gpu_model, offer_model, ratio)
        project = self._session.project
        self._session.edit(label, lambda: edits.set_mapping(project, gpu_model, offer_model, ratio))

    def _plan_as_sized(self, key: str, works: Any) -> None:
        """Puts what the endpoint is sized to hold in place of what the log has of it, in the plan that is shown."""
        project, plan = self._session.project, self._session.scenario
        label = edits.endpoint_label(project, key, worded("Plan what it needs"))
        self._session.edit(label, lambda: edits.plan_as_sized(project, plan, key, works))

    def _take_model(self, key: str, model: Any, intake: Any = None) -> None:
        """Sets the model that an endpoint serves, with the file it came from."""
        project = self._session.project
        label = served_model_label(project, key, model)
        self._session.edit(label, lambda: project_with_model(project, key, model, intake))

    def _take_load(self, key: str, read: Any, intake: Any) -> None:
        """Sets an endpoint's load: a trace of requests, or rates of a week."""
        project = self._session.project
        label = (week_label if isinstance(read, WeekRates) else traffic_label)(project, key, read)
        self._session.edit(label, lambda: project_with_load(project, key, read, intake))

    def _take_row(self, key: str, gpu_model: str, precision: str, tensor_parallel: int) -> None:
        """Sets which row of the sizing an endpoint runs on."""
        project = self._session.project
        row = (key, gpu_model, precision, tensor_parallel)
        self._session.edit(sized_row_label(project, *row), lambda: set_sized_row(project, *row))

    def _take_term(self, key: str, term_months: int) -> None:
        """Sets whose rates price an endpoint: by the hour, or those of a term."""
        project = self._session.project
        label = serving_term_label(project, key, term_months)
        self._session.edit(label, lambda: set_serving_term(project, key, term_months))


# --- The training runs of the panel Hardware fit: answered in a thread, stated and planned as undo steps


class TrainingFlow(QObject):
    """Told the session, the view of runs, and the day it is, epoch seconds."""

    def __init__(self, session: Session, view: TrainingRunView, now_s: int) -> None:
        super().__init__(session.window)
        self._session, self._view, self._now_s = session, view, now_s
        self.training = TrainingRuns(self)
        view.set_models(lambda: resources.training_facts().models.values())  # noqa: PLW0108 - read once it is looked at
        view.answer_asked.connect(self._ask)
        view.run_stated.connect(self._state)
        view.run_dropped.connect(self._drop)
        view.file_asked.connect(self._choose_file)
        view.work_chosen.connect(self._plan)
        self.training.answered.connect(view.show_answer)
        self.training.model_read.connect(view.take_model)  # its file is not kept among the inputs of the log
        self.training.failed.connect(lambda error: show_error(session.window, error))

    def _ask(self, run: StatedRun) -> None:
        """At the assumptions and offers of the plan, or of today."""
        project, scenario = self._session.project, self._session.scenario
        offers, assumptions = project.offers, project.assumptions
        if scenario != TODAY:
            plan = project.scenario(scenario)
            offers, assumptions = project.offers_in(plan), project.assumptions_in(plan)
        self.training.ask(run, offers, assumptions, project.contracts, self._now_s)

    def _state(self, at: int, run: StatedRun) -> None:
        self._session.edit(edits.run_label(run), lambda: edits.state_run(self._session.project, at, run))

    def _drop(self, at: int) -> None:
        project = self._session.project
        label = edits.run_label(project.runs[at], is_dropped=True)
        self._session.edit(label, lambda: edits.drop_run(project, at))

    def _choose_file(self, run: StatedRun | None) -> None:
        """Asks for a file with the model of a run."""
        if path := open_file(self._session.window, tr("Model"), tr(MODEL_FILES)):
            self.training.read_model(run, Path(path))

    def _plan(self, run: StatedRun, choice: Choice) -> None:
        """The run on so many GPUs as work that no log has, from the beginning of the plan."""
        project, scenario = self._session.project, self._session.scenario
        if scenario != TODAY:
            begins_s = project.plan_window.end_s
            work = planned_of(choice, run.called, begins_s, run.deadline_h, project.contracts)
            self._session.edit(
                edits.planned_label((work,)), lambda: edits.plan_work(project, scenario, (work,))
            )


# --- The panel Placement on a project: what the planner typed of egress becomes one edit each ----


class PlacementFlow(QObject):
    """Told the session and the panel; what is refused is said in the panel."""

    def __init__(self, session: Session, panel: PlacementPanel) -> None:
        super().__init__(session.window)
        self._document, self._panel = session.document, panel
        panel.assumption_set.connect(self._set)

    def _set(self, name: str, text: str) -> None:
        """Sets an assumption from its text; what cannot be read is refused in the panel."""
        try:
            value = parse_assumption(name, text)
            after = edits.set_assumption(self._document.project, None, name, value)
            self._document.edit(edits.assumption_label(name, value), after)
        except PlannerError as error:
            self._panel.refuse(error)


class MonthsFlow(QObject):
    """The months of a log for the panel Cost, worked out while they are looked at."""

    def __init__(self, session: Session, panel: CostPanel, with_months: WithMonths) -> None:
        super().__init__(session.window)
        self.months = looking_back.MonthByMonth(with_months, self)
        panel.months_asked.connect(self.months.ask)
        self.months.answered.connect(panel.show_months)
        self.months.failed.connect(panel.show_no_months)


# --- The panel Duration & commitment with what looks for its flip points: asks while they are looked at, and shows


class DurationFlow(QObject):
    """Told the session and the panel."""

    def __init__(self, session: Session, panel: DurationPanel) -> None:
        super().__init__(session.window)
        flipping, sections = Flipping(self), panel.sections
        sections.flips_asked.connect(flipping.ask)
        sections.flips_left.connect(flipping.cancel)
        flipping.answered.connect(sections.show_flips)
        flipping.failed.connect(sections.show_no_flips)


# --- The Backtest panel with what walks for it: asks, shows, and turns a chosen setting into one undo step


class BacktestFlow(QObject):
    """Told the session and the panel. rows_dir: where job rows of imports are kept."""

    def __init__(self, session: Session, panel: BacktestPanel, tables: Tables, rows_dir: Path) -> None:
        super().__init__(session.window)
        self._session, self._rows_dir = session, rows_dir
        self.backtesting = looking_back.Backtesting(
            tables, looking_back.whole_log_from(rows_dir), looking_back.past_logs_from(rows_dir), self
        )
        panel.walk_asked.connect(self._ask)
        panel.settings_chosen.connect(self._apply)
        self.backtesting.answered.connect(panel.show_walked)
        self.backtesting.progressed.connect(panel.show_progress)
        self.backtesting.failed.connect(panel.show_failure)

    def _ask(self, is_whole_log: bool) -> None:
        """Over the whole log where its rows are here, as on a command line; else over the window."""
        project, scenario = self._session.document.project, self._session.scenario
        if scenario != TODAY:
            is_whole_log = is_whole_log or looking_back.has_rows(self._rows_dir, project)
            self.backtesting.ask(project, scenario, is_whole_log=is_whole_log)

    def _apply(self, settings: dict[str, Any], title: str) -> None:
        """Sets the settings of a backtest in the plan as one step; today has none to set."""
        scenario = self._session.scenario
        if scenario == TODAY:
            return

        def edit(project: Project) -> Project:
            """The project with all of the settings in this plan."""
            for name, value in settings.items():
                project = set_assumption(project, scenario, name, value)
            return project

        self._session.gestures.edit(settings_label(title), edit)


# --- The panel Waiting with what replays the log for it -------------------------------------------


class WaitingFlow(QObject):
    """Told the session and the panel; emits the headline's lines and the log's own waits. queue: of the log."""

    lines_known = Signal(object)  # lines of the headline, none where nobody knows
    waits_known = Signal(object)  # WaitsBy of the log; None: unknown

    def __init__(self, session: Session, panel: WaitingPanel, queue: looking_back.KeptQueue) -> None:
        super().__init__(session.window)
        self._session = session
        self.queueing = looking_back.Queueing(queue, self)
        panel.waiting_asked.connect(self._ask)
        self.queueing.answered.connect(panel.show_waiting)
        self.queueing.progressed.connect(panel.show_progress)
        self.queueing.failed.connect(panel.show_failure)
        self._rows_dir = queue.rows_dir
        self._known: tuple[object, ...] = ()
        self.headline = looking_back.Queueing(queue, self)
        self.headline.answered.connect(lambda waiting: self.lines_known.emit(wait_lines(waiting)))
        self.headline.failed.connect(lambda _: self.lines_known.emit(()))
        self.of_log = looking_back.Queueing(queue, self)
        self.of_log.answered.connect(self.waits_known)
        self.waits_known.connect(panel.show_log_waits)
        self.of_log.failed.connect(lambda _: self.waits_known.emit(None))
        session.evaluator.evaluated.connect(self._follow)

    def _follow(self) -> None:
        """Asks how long jobs wait for headline and audit, once what is shown has settled; nothing stands of others."""
        if (shown := self._session.view_state) is None:
            return
        of = shown.at_start.evaluation
        known = (Itself(of.audit), of.scenario)
        if not are_same(known, self._known):
            self._known = known
            self.headline.cancel()
            self.of_log.cancel()
            self.lines_known.emit(())
            self.waits_known.emit(None)
        is_settled = shown.is_today or not (shown.is_settling or shown.is_outlook_settling)
        if is_settled and looking_back.has_rows(self._rows_dir, of.project):
            self.headline.ask(of, sizes=0)
            self.of_log.ask_log(of)

    def _ask(self, target: Target | None, is_together: bool) -> None:
        """Of what the window shows, in the plan's first month."""
        if (shown := self._session.view_state) is not None:
            self.queueing.ask(shown.at_start.evaluation, target, is_together=is_together)


# --- The panel Track with what compares for it: asks for files, compares in a thread, tells what came of it

TITLES: Final[dict[str, Message]] = {
    "jobs": worded("Job logs that came"),
    "contracts": worded("Contracts as they are now"),
    "prices": worded("Prices as they are now"),
}


class TrackFlow(QObject):
    """Told the session and the panel."""

    def __init__(self, session: Session, panel: TrackPanel, tables: Tables) -> None:
        super().__init__(session.window)
        self._session, self._panel = session, panel
        self.tracking = looking_back.Tracking(tables, self)
        panel.files_asked.connect(self._choose)
        panel.compare_asked.connect(self.tracking.ask)
        panel.cancel_asked.connect(self.tracking.cancel)
        panel.book_asked.connect(self._write)
        self.tracking.answered.connect(panel.show_track)
        self.tracking.progressed.connect(panel.show_progress)
        self.tracking.failed.connect(panel.show_failure)

    def _choose(self, kind: str) -> None:
        """Asks for files of one kind; without an answer those chosen before stay."""
        from gpuplanner.ui.importing.import_dialog import FILTER

        if paths := open_files(self._session.window, tr(TITLES[kind]), tr(FILTER)):
            self._panel.take_files(kind, tuple(paths))

    def _write(self, found: Track) -> None:
        """Asks for a file and writes the workbook of `track --out`."""
        from gpuplanner.files.workbook.write import write_track

        window = self._session.window
        path, _ = save_file(window, tr("Save the comparison"), "track.xlsx", tr("Workbooks (*.xlsx)"))
        if path:
            with errors_in_dialog(window):
                currency = self._session.document.project.currency
                write_track(found, currency, Path(path), self._session.time_s())
