"""The table of forms: every price list with a form of its own that is read."""

from typing import Final

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.contracts import export_form
from gpuplanner.files.prices.aws_offers import AWS_OFFERS
from gpuplanner.files.prices.aws_products import AWS_PRODUCTS
from gpuplanner.files.prices.azure_retail import AZURE_RETAIL
from gpuplanner.files.prices.machine_lists import FORMS
from gpuplanner.files.prices.oci_price_list import OCI_PRICE_LIST
from gpuplanner.files.prices.opencost_prices import OPENCOST_PRICES

PRICE_FORMS: Final[tuple[export_form.ExportForm[Offer], ...]] = (
    *FORMS,
    *AWS_OFFERS,
    AWS_PRODUCTS,
    AZURE_RETAIL,
    OCI_PRICE_LIST,
    *OPENCOST_PRICES,
)
