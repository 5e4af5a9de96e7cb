"""The table of forms: every export of contracts that is read."""

from typing import Final

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.files.contracts import (
    aws_commitments,
    azure_reservations,
    focus_commitments,
    google_commitments,
)
from gpuplanner.files.contracts.export_form import ExportForm

CONTRACT_FORMS: Final[tuple[ExportForm[Contract], ...]] = (
    focus_commitments.FORM,
    aws_commitments.RESERVATIONS,
    aws_commitments.SAVINGS_PLANS,
    azure_reservations.FORM,
    google_commitments.FORM,
)
