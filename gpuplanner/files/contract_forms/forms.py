"""The table of forms: every export of contracts that is read."""

from typing import Final

from gpuplanner.files.contract_forms import aws, azure, focus, google
from gpuplanner.files.contract_forms.form import ContractForm

CONTRACT_FORMS: Final[tuple[ContractForm, ...]] = (
    focus.FORM,
    aws.RESERVATIONS,
    aws.SAVINGS_PLANS,
    azure.FORM,
    google.FORM,
)
