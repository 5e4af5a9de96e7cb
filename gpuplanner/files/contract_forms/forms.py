"""The table of forms: every export of contracts that is read."""

from typing import Final

from gpuplanner.domain.model.contract import Contract
from gpuplanner.files.contract_forms import aws, azure, focus, google
from gpuplanner.files.export_form import ExportForm

CONTRACT_FORMS: Final[tuple[ExportForm[Contract], ...]] = (
    focus.FORM,
    aws.RESERVATIONS,
    aws.SAVINGS_PLANS,
    azure.FORM,
    google.FORM,
)
