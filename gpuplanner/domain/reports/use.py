"""The use of a window four ways: by cluster, contract, GPU model and team, each with the sum of its rows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.use.use_by import CLUSTERS, CONTRACTS, MODELS, TEAMS, Use, WindowUse
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.typed import decimals, whole
from gpuplanner.domain.figures.use_rows import TEAM, USE
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.reports.report import (
    DOCUMENT_ALONE,
    TERMINAL,
    WINDOW,
    Column,
    Media,
    Medium,
    Report,
    Unknown,
)

NOT_STATED: Final = worded("not stated")
READ: Final = WINDOW | TERMINAL
LISTED: Final = READ | DOCUMENT_ALONE
TEAMS_SHOWN: Final = 20
OF_TEAMS: Final = ("gpu_hours", "share", "mean_gpus", "activity", "cost_per_month")
UNDER_40: Final = USE["below_40_percent"]
BY_USE: Final = worded("Paid by use, so there is nothing to break even against.")
NO_CAPACITY: Final = USE["utilization"].unknown


def _subject(row: Use) -> str:
    return row.subject


def name_of(row: Use) -> Text:
    """The name of a row; what the log does not state is said.

    Of jobs that name no team, or no GPU model.
    """
    return row.name or NOT_STATED


def _facts(row: Use) -> Message:
    """GPU-hours behind a row's share, to a tenth."""
    parts = [
        worded(
            "{gpu_hours} GPU-h asked for, {mean} GPUs on average",
            gpu_hours=decimals(row.gpu_hours),
            mean=decimals(row.mean_gpus),
        )
    ]
    if row.paid_gpu_hours is not None:
        parts.append(
            worded(
                "{used_gpu_hours} used of {paid} GPU-h paid",
                used_gpu_hours=decimals(row.used_gpu_hours),
                paid=decimals(row.paid_gpu_hours),
            )
        )
    if row.overflow_gpu_hours:
        parts.append(
            worded(
                "{overflow_gpu_hours} GPU-h served by no contract",
                overflow_gpu_hours=decimals(row.overflow_gpu_hours),
            )
        )
    return joined(parts if row.is_all else (name_of(row), *parts), "\n")


def _if_paid(row: Use) -> float | None:
    """What it costs; unknown where nobody said what is paid: that is not 0."""
    return row.cost_per_month if row.paid_gpu_hours else None


def _no_use(row: Use) -> Unknown:
    """Why a row has no utilization: its jobs are not known, or nothing is paid for."""
    return Unknown(USE["used_gpu_hours"].unknown if row.paid_gpu_hours else NO_CAPACITY)


def _no_break_even(row: Use) -> Unknown:
    """Why a row has no break-even: it is paid by use, has no committed rate, or nothing is paid for."""
    held = row.inputs.held
    if any(not contract.is_committed for contract in held):
        return Unknown(BY_USE, "n/a")
    return Unknown(USE["break_even_utilization"].unknown if held else NO_CAPACITY)


def _no_cost(row: Use) -> Unknown:
    """Why a row has no cost: a rate is missing, or nothing is paid for."""
    return Unknown(USE["cost_per_month"].unknown if row.paid_gpu_hours else NO_CAPACITY)


def _documents(*figures: Figure) -> list[Column]:
    """Figures that documents alone have."""
    return [Column(one, media=DOCUMENT_ALONE) for one in figures]


def _named(key: str, title: Message) -> list[Column]:
    """The name of a row: a field of documents, and the first column where it is read."""
    return [
        Column(key=key, media=DOCUMENT_ALONE, value=lambda row: row.name),
        Column(key=key, title=title, media=READ, form="name", value=name_of, tip=_facts),
    ]


def _supplied(view: str, title: Message, one: str, key: str, heading: Message, media: Media) -> Report:
    """A report about what is paid for, by one view. one: what a row is called, in the singular; key, heading:
    of its name.
    """

    def rows(use: WindowUse) -> tuple[Use, ...]:
        found: tuple[Use, ...] = getattr(use, view)
        return found

    return Report(
        title=title,
        one=one,
        many=f"{one}s",
        rows=rows,
        key=_subject,
        scope=view,
        columns=(
            *_named(key, heading),
            *_documents(*(USE[name] for name in ("gpu_hours", "share", "mean_gpus", "used_gpu_hours"))),
            *_documents(USE["paid_gpu_hours"], USE["overflow_gpu_hours"]),
            Column(USE["gpu_hours"], media=TERMINAL),
            Column(
                USE["utilization"],
                media=WINDOW,
                form="bar",
                flag=UNDER_40,
                mark=USE["break_even_utilization"],
                unknown=_no_use,
            ),
            Column(USE["utilization"], flag=UNDER_40, unknown=_no_use),
            *_documents(UNDER_40),
            Column(USE["break_even_utilization"], unknown=_no_break_even),
            Column(USE["activity"]),
            Column(USE["cost_per_month"], media=READ, value=_if_paid, unknown=_no_cost),
            *_documents(USE["cost_per_month"]),
        ),
        total=_sum_of(rows),
        total_media=WINDOW,
        media=media,
    )


def _sum_of(rows: Callable[[WindowUse], Sequence[Use]]) -> Callable[[WindowUse], Use | None]:
    """The row under several ones; one needs none."""

    def total(use: WindowUse) -> Use | None:
        count = len(rows(use))
        return replace(use.everything, name=worded("All {rows}", rows=whole(count))) if count > 1 else None

    return total


def _teams(use: WindowUse) -> tuple[Use, ...]:
    return use.teams


def _largest(row: Use) -> tuple[float, str]:
    """Key for sorting: most GPU-hours first, then by name."""
    return -row.gpu_hours, str(row.name or "")


def _all_teams(use: WindowUse) -> Use | None:
    """All GPU time, at what the workloads of teams cost and not at what is paid."""
    total = _sum_of(_teams)(use)
    costs = known_sum(row.cost_per_month for row in use.teams)
    return None if total is None else replace(total, cost_per_month=costs)


USES: Final = {
    CLUSTERS: _supplied(CLUSTERS, worded("By cluster"), "cluster", "cluster", worded("Cluster"), WINDOW),
    CONTRACTS: _supplied(
        CONTRACTS, worded("By contract"), "contract", "contract_id", worded("Contract"), WINDOW
    ),
    MODELS: _supplied(MODELS, worded("By GPU model"), "GPU model", "gpu_model", worded("GPU model"), LISTED),
    TEAMS: Report(
        title=worded("By team"),
        one="team",
        many="teams",
        rows=_teams,
        key=_subject,
        scope=TEAMS,
        columns=(*_named("team", worded("Team")), *(Column(TEAM[key]) for key in OF_TEAMS)),
        order={Medium.WINDOW: _largest, Medium.TERMINAL: _largest},
        total=_all_teams,
        total_media=WINDOW,
        media=LISTED,
        limits={Medium.TERMINAL: TEAMS_SHOWN},
    ),
}
"""View -> its rows: how the use of what is paid for can be looked at."""
