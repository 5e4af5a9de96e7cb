"""The panel Prices on a project: turns what the planner did to the price book into one edit each, and saves it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from gpuplanner.domain import edits
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_book import OfferValue
from gpuplanner.domain.model.book.price_case import PriceCase
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.names.spelling import respelled
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import parse_assumption
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.ui.kit.message import show_error
from gpuplanner.ui.panels.prices.prices import PricesPanel
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.translation import tr

NEW_OFFER = "new offer"
EGRESS = "egress_gb_per_gpu_hour"


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
        panel.import_asked.connect(session.asks.import_asked)
        panel.public_prices_asked.connect(session.asks.public_prices_asked)
        panel.export_asked.connect(self._export)

    @property
    def _project(self) -> Project:
        """The project as it is now."""
        return self._session.document.project

    def _edit(self, label: Callable[[], Message], edit: Callable[[Project], Project]) -> bool:
        """One edit of the price book, its models spelled as the project does.

        False if it was refused, which the panel shows.
        """
        try:
            after = respelled(edit(self._project), gpu_families())
            if after is not self._project:
                self._session.document.edit(label(), after)
        except PlannerError as error:
            self._panel.refuse(error)
            return False
        return True

    def _set_field(self, offer_id: str, field: str, value: OfferValue) -> None:
        """Changes one field of an offer as of today; a renamed offer stays chosen."""
        done = self._edit(
            lambda: edits.offer_label(offer_id, field, value, self._currency_of(offer_id)),
            lambda project: edits.change_offer(
                project, offer_id, field, value, iso_utc(self._session.time_s())[:10]
            ),
        )
        if done and field == "offer_id":
            self._panel.choose(str(value))

    def _currency_of(self, offer_id: str) -> str:
        """The currency in which an offer is quoted; the project's where there is no such offer."""
        project = self._project
        return next((one.currency for one in project.offers if one.offer_id == offer_id), project.currency)

    def _add(self, gpu_model: str) -> None:
        """Adds an offer without a rate, and opens it to be filled in."""
        project = self._project
        model = gpu_model or next(iter((*project.cube.gpu_models, "H100")))
        taken = {offer.offer_id for offer in project.offers}
        name = NEW_OFFER if NEW_OFFER not in taken else edits.copied_offer_id(project, NEW_OFFER)
        offer = Offer(name, model, PricingCategory.STANDARD, 0, None, currency=project.currency)
        if self._edit(lambda: edits.offers_label("Add", name), lambda now: edits.add_offer(now, offer)):
            self._panel.choose(name)
            self._panel.edit_chosen()

    def _duplicate(self, offer_id: str) -> None:
        """Adds a copy under a free name, and chooses it."""
        copy = edits.copied_offer_id(self._project, offer_id)
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
            """The project with that price of egress."""
            return edits.set_assumption(project, None, EGRESS, parse_assumption(EGRESS, text))

        self._edit(lambda: edits.assumption_label(EGRESS, parse_assumption(EGRESS, text)), edit)

    def _choose_case(self, case: PriceCase) -> None:
        """Sets which case of prices a plan counts with; today's are as they are."""
        scenario = self._session.scenario
        if scenario != TODAY:
            self._session.gestures.edit(
                edits.price_case_label(case),
                lambda project: edits.set_price_case(project, scenario, case),
            )

    def _set_mapping(self, gpu_model: str, offer_model: str, ratio: float | None) -> None:
        """Sets for how many of a GPU model one of an offer's stands; without a ratio that is taken back."""
        known = next(
            (
                one
                for one in self._project.mappings
                if (one.gpu_model, one.offer_model) == (gpu_model, offer_model)
            ),
            None,
        )

        def edit(project: Project) -> Project:
            """The project with the mapping set or removed."""
            if ratio is None and known is not None:
                return edits.remove_mapping(project, known)
            return edits.set_mapping(project, gpu_model, offer_model, ratio)

        self._edit(lambda: edits.mapping_label(gpu_model, offer_model, ratio), edit)

    def _export(self) -> None:
        """Asks for a file and saves the price book."""
        path, _ = QFileDialog.getSaveFileName(
            self._session.window, tr("Save the price book"), "prices.csv", tr("Price lists (*.csv)")
        )
        if path:
            self.export_to(Path(path))

    def export_to(self, path: Path) -> None:
        """Write the price book to a file; what goes wrong is said."""
        from gpuplanner.files.export.price_export import write_price_file

        try:
            write_price_file((*self._project.offers, *self._project.earlier_offers), path)
        except PlannerError as error:
            show_error(self._session.window, error)
