"""The table of forms: every export of contracts that is read."""

from typing import Final

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.files.contracts import export_form, focus_commitments
from gpuplanner.files.contracts.aws_commitments import RESERVATIONS, SAVINGS_PLANS
from gpuplanner.files.contracts.azure_reservations import AZURE_RESERVATIONS
from gpuplanner.files.contracts.google_commitments import GOOGLE_COMMITMENTS

CONTRACT_FORMS: Final[tuple[export_form.ExportForm[Contract], ...]] = (
    focus_commitments.FORM,
    RESERVATIONS,
    SAVINGS_PLANS,
    AZURE_RESERVATIONS,
    GOOGLE_COMMITMENTS,
)
