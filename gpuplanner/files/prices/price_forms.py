"""The table of forms: every price list with a form of its own that is read."""

from typing import Final

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.contracts.export_form import ExportForm
from gpuplanner.files.prices import aws_offers, machine_lists, opencost_prices

PRICE_FORMS: Final[tuple[ExportForm[Offer], ...]] = (
    *machine_lists.FORMS,
    *aws_offers.FORMS,
    *opencost_prices.FORMS,
)
