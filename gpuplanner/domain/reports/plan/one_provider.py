"""Who could serve all with one provider, and at what $."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.commitment.uncertainty.one_provider import ProviderPlan
from gpuplanner.domain.figures.plan import ONE_PROVIDER
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.reports.report import DOCUMENT_ALONE, TERMINAL, WINDOW, Column, Report, Unknown


def _rows(found: Sequence[ProviderPlan]) -> Sequence[ProviderPlan]:
    return found


def _provider(row: ProviderPlan) -> str:
    return row.provider


def _lacks(row: ProviderPlan) -> Text:
    """What it cannot serve; that it lacks nothing."""
    return row.lacks or worded("serves all")


def _unknown(row: ProviderPlan) -> Unknown:
    """Less work is no cheaper plan: $ of one that does not serve all are not named."""
    return Unknown(
        worded("It does not serve all: {lacks}.", lacks=row.lacks)
        if row.lacks
        else worded("A rate is missing.")
    )


PROVIDERS_ALONE: Final = Report(
    title=worded("One provider alone"),
    one="provider",
    many="providers",
    rows=_rows,
    key=_provider,
    columns=(
        Column(key="provider", title=worded("Provider"), form="name", tip=_lacks),
        Column(key="lacks", title=worded("Lacks"), media=TERMINAL, value=_lacks),
        Column(key="serves_all", media=DOCUMENT_ALONE),
        Column(key="lacks", media=DOCUMENT_ALONE, value=lambda row: str(row.lacks) or None),
        Column(
            ONE_PROVIDER["from_scratch"],
            key="from_scratch_usd_per_month",
            media=TERMINAL | DOCUMENT_ALONE,
            unknown=_unknown,
        ),
        Column(ONE_PROVIDER["alone_year"], key="year_usd", unknown=_unknown),
        Column(ONE_PROVIDER["beside_plan"], key="beside_plan_usd", form="change", unknown=_unknown),
        Column(key="lacks", title=worded("Lacks"), media=WINDOW, form="aside", value=_lacks),
    ),
    note=worded(
        "Twelve months: existing contracts run to their end, what is bought is of this provider alone. Who serves all "
        "is judged from scratch, without any contract. Limits and rules of the plan hold, but for that on a provider's "
        "share. A GPU model may be served by another one where Models says so."
    ),
    media=WINDOW | TERMINAL | DOCUMENT_ALONE,
    adds_up=False,
)
