"""The table of forms: every price list with a form of its own that is read."""

from typing import Final

from gpuplanner.domain.model.offer import Offer
from gpuplanner.files.export_form import ExportForm
from gpuplanner.files.price_forms import aws_offers, machine_lists, opencost

PRICE_FORMS: Final[tuple[ExportForm[Offer], ...]] = (
    *machine_lists.FORMS,
    *aws_offers.FORMS,
    *opencost.FORMS,
)
