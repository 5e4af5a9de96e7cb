"""The panel Prices: each change of the price book is one edit."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.edits import labels, model_mappings, money, plans
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.assumptions import parse_assumption
from gpuplanner.domain.model.book.offer import Offer, PriceCase
from gpuplanner.domain.model.book.offer_fields import OfferValue
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import respelled
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.system import resources
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit.file_dialogs import save_file
from gpuplanner.ui.kit.small_dialogs import ask, errors_in_dialog
from gpuplanner.ui.panels.prices.prices import PricesPanel

NEW_OFFER = "new offer"
EGRESS = "egress_gb_per_gpu_hour"
BACK: Final = worded("Back to the model")
USE_IT: Final = worded("Use it")


class PricesFlow(QObject):
    """Told the session and the panel; every gesture is one step of Undo, and what is refused is said in the panel."""

    def __init__(self, session: Session, panel: PricesPanel) -> None:
        super().__init__(session.window)
        self.session, self._panel = session, panel
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
            after = respelled(edit(self.session.project), resources.gpu_families())
            if after is not self.session.project:
                self.session.document.edit(label(), after)
        except PlannerError as error:
            self._panel.refuse(error)
            return False
        return True

    def _set_field(self, offer_id: str, field: str, value: OfferValue) -> None:
        """Changes one field of an offer as of today; a renamed offer stays chosen, a new GPU model is asked about."""
        if field == "gpu_model" and not self._is_meant(str(value)):
            self._panel.redraw()
            return
        today = iso_utc(self.session.time_s())[:10]
        done = self._edit(
            lambda: labels.offer_label(offer_id, field, value, self._currency_of(offer_id)),
            lambda project: money.change_offer(project, offer_id, field, value, today),
        )
        if done and field == "offer_id":
            self._panel.choose(str(value))

    def _is_meant(self, model: str) -> bool:
        """Whether the project, or the table of GPU models, has a model, or else the planner means it."""
        project = self.session.project
        known = model_mappings.demand_models(project) | {offer.gpu_model for offer in project.offers}
        if resources.gpu_families().read(model) is not None or model.casefold() in map(str.casefold, known):
            return True
        words = tr("No job, contract or other price has {model}; its offer serves no demand.", model=model)
        answer = ask(
            self.session.window, tr("{model} is a new GPU model", model=model), words, (BACK, USE_IT)
        )
        return answer == USE_IT

    def _currency_of(self, offer_id: str) -> str:
        """The currency in which an offer is quoted; the project's where there is no such offer."""
        project = self.session.project
        return next(
            (offer.currency for offer in project.offers if offer.offer_id == offer_id), project.currency
        )

    def _add(self, gpu_model: str) -> None:
        """Adds an offer without a rate, and opens it to be filled in."""
        project = self.session.project
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
        copy = money.copied_offer_id(self.session.project, offer_id)
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
            shown = self.session.scenario
            own = shown if shown != TODAY and EGRESS in project.scenario(shown).assumptions else None
            return plans.set_assumption(project, own, EGRESS, parse_assumption(EGRESS, text))

        self._edit(lambda: labels.assumption_label(EGRESS, parse_assumption(EGRESS, text)), edit)

    def _choose_case(self, case: PriceCase) -> None:
        """Sets which case of prices a plan counts with; today's are as they are."""
        scenario, label = self.session.scenario, labels.price_case_label(case)
        if scenario != TODAY:
            self.session.gestures.edit(label, lambda now: plans.set_price_case(now, scenario, case))

    def _set_mapping(self, gpu_model: str, offer_model: str, ratio: float | None, pool: Pool | None) -> None:
        """Sets for how many of a GPU model one of an offer's stands; without a ratio that is taken back."""
        key = (gpu_model, offer_model, pool or "")
        known = next((mapping for mapping in self.session.project.mappings if mapping.key == key), None)

        def edit(project: Project) -> Project:
            """The project with the mapping set or removed."""
            if ratio is None and known is not None:
                return model_mappings.remove_mapping(project, known)
            return model_mappings.set_mapping(project, gpu_model, offer_model, ratio, pool)

        self._edit(lambda: labels.mapping_label(gpu_model, offer_model, ratio, pool), edit)

    def _export(self) -> None:
        """Asks for a file and saves the price book."""
        path, _ = save_file(self.session.window, tr("Save the price book"), "prices.csv", tr("CSV (*.csv)"))
        if path:
            self.export_to(Path(path))

    def export_to(self, path: Path) -> None:
        """Write the price book to a file; what goes wrong is said."""
        from gpuplanner.files.export.price_file import write_price_file

        with errors_in_dialog(self.session.window):
            write_price_file((*self.session.project.offers, *self.session.project.earlier_offers), path)
