"""Flows of prices, terms of contracts and budgets: what is typed in their panels becomes one edit each."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QObject

from gpuplanner.app.exporting import WithMonths
from gpuplanner.app.past import audit_answers
from gpuplanner.charts.kit.plain_text import spoken, tr
from gpuplanner.domain.edits import inputs, labels, money, plans
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.assumptions import parse_assumption
from gpuplanner.domain.model.book.contract import Contract, turn_words, with_terms
from gpuplanner.domain.model.book.offer import Offer, PriceCase
from gpuplanner.domain.model.book.price_book import OfferValue
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import TODAY
from gpuplanner.domain.model.project import BusinessFigure, Project
from gpuplanner.domain.model.spelling import respelled
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.system import resources
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit.dialogs import Question, ask, errors_in_dialog, exec_once, open_once
from gpuplanner.ui.kit.file_dialogs import open_files, save_file
from gpuplanner.ui.panels.cost.cost import SHARED_BY, CostPanel
from gpuplanner.ui.panels.prices.prices import PricesPanel
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
            lambda: labels.offer_label(offer_id, field, value, self._currency_of(offer_id)),
            lambda project: money.change_offer(project, offer_id, field, value, today),
        )
        if done and field == "offer_id":
            self._panel.choose(str(value))

    def _is_meant(self, model: str) -> bool:
        """Whether the project, or the table of GPU models, has a model, or else the planner means it."""
        project = self._session.project
        known = inputs.demand_models(project) | {offer.gpu_model for offer in project.offers}
        if resources.gpu_families().read(model) is not None or model.casefold() in map(str.casefold, known):
            return True
        words = tr("No job, contract or other price has {model}; its offer serves no demand.", model=model)
        answer = ask(
            self._session.window, tr("{model} is a new GPU model", model=model), words, (BACK, USE_IT)
        )
        return answer == USE_IT

    def _currency_of(self, offer_id: str) -> str:
        """The currency in which an offer is quoted; the project's where there is no such offer."""
        project = self._session.project
        return next(
            (offer.currency for offer in project.offers if offer.offer_id == offer_id), project.currency
        )

    def _add(self, gpu_model: str) -> None:
        """Adds an offer without a rate, and opens it to be filled in."""
        project = self._session.project
        model = gpu_model or next(iter((*project.cube.gpu_models, "H100")))
        taken = {offer.offer_id for offer in project.offers}
        name = NEW_OFFER if NEW_OFFER not in taken else money.copied_offer_id(project, NEW_OFFER)
        offer = Offer(
            offer_id=name,
            gpu_model=model,
            pricing_category=PricingCategory.STANDARD,
            term_months=0,
            rate_usd_per_gpu_hour=None,
            currency=project.currency,
        )
        if self._edit(lambda: labels.offers_label("Add", name), lambda now: money.add_offer(now, offer)):
            self._panel.choose(name)
            self._panel.edit_chosen()

    def _duplicate(self, offer_id: str) -> None:
        """Adds a copy under a free name, and chooses it."""
        copy = money.copied_offer_id(self._session.project, offer_id)
        label = labels.offers_label("Duplicate", offer_id)
        if self._edit(lambda: label, lambda project: money.duplicate_offer(project, offer_id)):
            self._panel.choose(copy)

    def _remove(self, offer_id: str) -> None:
        """Removes an offer."""
        label = labels.offers_label("Remove", offer_id)
        self._edit(lambda: label, lambda project: money.remove_offer(project, offer_id))

    def _set_egress(self, text: str) -> None:
        """Sets the price of egress from its text."""

        def edit(project: Project) -> Project:
            """The project with that price of egress; of a plan that has its own, with that of the plan."""
            shown = self._session.scenario
            own = shown if shown != TODAY and EGRESS in project.scenario(shown).assumptions else None
            return plans.set_assumption(project, own, EGRESS, parse_assumption(EGRESS, text))

        self._edit(lambda: labels.assumption_label(EGRESS, parse_assumption(EGRESS, text)), edit)

    def _choose_case(self, case: PriceCase) -> None:
        """Sets which case of prices a plan counts with; today's are as they are."""
        scenario, label = self._session.scenario, labels.price_case_label(case)
        if scenario != TODAY:
            self._session.gestures.edit(label, lambda now: plans.set_price_case(now, scenario, case))

    def _set_mapping(self, gpu_model: str, offer_model: str, ratio: float | None, pool: Pool | None) -> None:
        """Sets for how many of a GPU model one of an offer's stands; without a ratio that is taken back."""
        key = (gpu_model, offer_model, pool or "")
        known = next((mapping for mapping in self._session.project.mappings if mapping.key == key), None)

        def edit(project: Project) -> Project:
            """The project with the mapping set or removed."""
            if ratio is None and known is not None:
                return inputs.remove_mapping(project, known)
            return inputs.set_mapping(project, gpu_model, offer_model, ratio, pool)

        self._edit(lambda: labels.mapping_label(gpu_model, offer_model, ratio, pool), edit)

    def _export(self) -> None:
        """Asks for a file and saves the price book."""
        path, _ = save_file(self._session.window, tr("Save the price book"), "prices.csv", tr("CSV (*.csv)"))
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

        named = (each for each in self._session.document.project.contracts if each.contract_id == contract_id)
        for contract in named:
            refusal, moved = partial(self._refusal, contract), partial(self._moved, contract)
            dialog = ContractDialog(contract, refusal, moved, self._session.window)
            dialog.terms_chosen.connect(partial(self._take, contract))
            open_once(dialog)

    def _refusal(self, contract: Contract, terms: "Terms") -> str:
        """Why terms cannot be; "" where they can, and change something."""
        project = self._session.document.project
        try:
            after = inputs.change_contract(project, contract.contract_id, terms)
        except PlannerError as error:
            return refusal_words(error)
        return tr("Nothing was changed.") if after is project else ""

    def _moved(self, contract: Contract, terms: "Terms") -> str:
        """That terms change which contract serves first; "" where they do not."""
        before = self._session.document.project
        after = inputs.change_contract(before, contract.contract_id, terms)
        return spoken(turn_words(contract, before.contracts, after.contracts))

    def _take(self, contract: Contract, terms: "Terms") -> None:
        document = self._session.document
        label = labels.contract_label(contract, with_terms(contract, terms))
        document.edit(label, inputs.change_contract(document.project, contract.contract_id, terms))

    def _lacking(self) -> str:
        """The first contract that counts and has no rate; "" where all have one."""
        project = self._session.document.project
        since_s = project.window.start_s
        lacking = (contract for contract in project.contracts if contract.quoted_rate is None)
        return next((row.contract_id for row in lacking if (row.end_s or since_s + 1) > since_s), "")


# --- The panel Cost on a project: how idle GPUs are shared and what teams may be charged, one edit each

TABLES = worded("Tables (*.csv *.xlsx *.parquet);;All files (*)")
BUSINESS_TABLES = worded("Tables (*.csv *.xlsx *.parquet);;All files (*)")
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
        after = plans.set_assumption(self._document.project, None, SHARED_BY, rule)
        self._document.edit(labels.assumption_label(SHARED_BY, rule), after)

    def set_budget(self, team: str, text: str) -> None:
        """Set the budget of a team, in the money of the project; an empty text takes it away."""
        with errors_in_dialog(self._session.window):
            usd = float(parse_assumption("budget_usd_per_month", text)) if text else None  # type: ignore[arg-type]
            after = money.set_budget(self._document.project, team, usd)
            self._document.edit(labels.budget_label(team, usd), after)

    def read_budgets(self, paths: Sequence[str]) -> None:
        """Read budgets from files, which are US dollars; one undo step. Rows that are refused are said."""
        from gpuplanner.files.lists.planner_lists import BUDGETS, Budget

        def edit(project: Project, read: Sequence[Budget]) -> tuple[Message, Project]:
            return labels.budgets_label(len(read)), money.add_dollar_budgets(project, dict(read))

        self._read(BUDGETS, paths, edit, tr("Some rows were not read"))

    def read_business(self, paths: Sequence[str]) -> None:
        """Read figures of the business from files; one undo step. Rows that are refused are said."""
        from gpuplanner.files.lists.planner_lists import BUSINESS

        def edit(project: Project, read: Sequence[BusinessFigure]) -> tuple[Message, Project]:
            return labels.business_label(len(read)), money.add_business(project, read)

        self._read(BUSINESS, paths, edit, tr("Some rows were not read"))

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
                exec_once(Question(self._session.window, lost_title, "\n".join(lost), ("Close",)))

    def _choose_business(self) -> None:
        """Asks for files of business figures."""
        if paths := open_files(self._session.window, tr("Import business figures"), tr(BUSINESS_TABLES)):
            self.read_business([str(Path(path)) for path in paths])

    def _choose_budgets(self) -> None:
        """Asks for files of budgets."""
        if paths := open_files(self._session.window, tr("Import budgets"), tr(TABLES)):
            self.read_budgets([str(Path(path)) for path in paths])


class MonthsFlow(QObject):
    """The months of a log for the panel Cost, worked out while they are looked at."""

    def __init__(self, session: Session, panel: CostPanel, with_months: WithMonths) -> None:
        super().__init__(session.window)
        self.months = audit_answers.MonthByMonth(with_months, self)
        panel.months_asked.connect(self.months.ask)
        self.months.answered.connect(panel.show_months)
        self.months.failed.connect(panel.show_no_months)
