"""Checks of the past: what a planner should know about the log, the contracts and the prices behind the figures."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.audit.checks.model_checks import model_checks
from gpuplanner.domain.audit.leaks.leak_claims import listed
from gpuplanner.domain.audit.result import Check, ClusterAudit, ContractAudit
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.figures.typed import decimals, percent, whole
from gpuplanner.domain.figures.use import FLAG_PERCENT
from gpuplanner.domain.message import worded, worded_count
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contracts_apart import contracts_apart
from gpuplanner.domain.model.book.exchange import lacking_rate, lacking_words
from gpuplanner.domain.model.book.price_book import STALE_DAYS, is_stale
from gpuplanner.domain.model.gpu_family import Families
from gpuplanner.domain.model.log.log_length import TREND_HOURS, cannot_support, days_words
from gpuplanner.domain.model.names.unmatched import NOTHING_ASKED, Unmatched, asked_words
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import iso_utc

SEVERITIES: Final = ("red", "amber", "info")


@dataclass(frozen=True, slots=True)
class Findings:
    """What checks look at; classifications and workload_usd_per_month in the order of Project.workloads."""

    project: Project
    classifications: tuple[Classification, ...]
    clusters: tuple[ClusterAudit, ...]
    contracts: tuple[ContractAudit, ...]
    workload_usd_per_month: tuple[float | None, ...]
    asked: Unmatched = NOTHING_ASKED
    families: Families | None = None


def audit_checks(found: Findings) -> tuple[Check, ...]:
    """Every check of the past, worst first, then by code and subject.

    A rule that finds nothing yields nothing. Source: docs/interface.md names every code.
    """
    checks = [check for rule in CHECK_RULES for check in rule(found)]
    return tuple(sorted(checks, key=lambda one: (SEVERITIES.index(one.severity), one.code, str(one.subject))))


def _below_40(found: Findings) -> Iterator[Check]:
    """Contracts first, then clusters, each with what it is paid for and does not use."""
    for contract in found.contracts:
        if contract.below_40_percent:
            text = worded(
                "{utilization} of its GPU-hours are used, under {flag_percent}%: a shorter term, fewer GPUs, "
                "or more work",
                utilization=percent(contract.utilization or 0.0, 1),
                flag_percent=whole(FLAG_PERCENT),
            )
            yield Check("below_40", "amber", contract.contract_id, text, contract.unused_per_month)
    for cluster in found.clusters:
        if cluster.below_40_percent:
            text = worded(
                "{utilization} of the cluster's GPU-hours are used, under {flag_percent}%",
                utilization=percent(cluster.utilization or 0.0, 1),
                flag_percent=whole(FLAG_PERCENT),
            )
            yield Check("below_40", "amber", cluster.cluster, text, cluster.unallocated_per_month)


def _models_unmatched(found: Findings) -> Iterator[Check]:
    """Names of log and contracts that may be of one thing, with what settles it."""
    for question in found.asked.questions:
        yield Check("models_unmatched", "amber", question.cluster, asked_words(question))


def _cluster_without_contract(found: Findings) -> Iterator[Check]:
    """Contracts serve their own cluster only, so a name that is missing or spelled otherwise costs a lot."""
    named = {contract.cluster for contract in found.project.contracts}
    for cluster in found.clusters if named else ():
        if cluster.cluster not in named | found.asked.clusters:
            remedy = (
                worded("name it when importing the log")
                if not cluster.cluster
                else worded("compare the names in both files")
            )
            text = worded(
                "no contract is of this cluster, so all its GPU-hours count as overflow; {remedy}",
                remedy=remedy,
            )
            yield Check(
                "cluster_without_contract", "amber", cluster.cluster or worded("jobs without a cluster"), text
            )


def _contention(found: Findings) -> Iterator[Check]:
    """Demand beyond the contracts of a cluster that has any, and what it costs on demand."""
    for cluster in found.clusters:
        if cluster.overflow_gpu_hours and cluster.paid_gpu_hours:
            usd = cluster.overflow_per_month
            priced = (
                worded("which no offer prices on demand, so spend is unknown: add their rate to the prices")
                if usd is None
                else worded("priced beside what is paid")
            )
            text = worded(
                "{overflow_gpu_hours} GPU-hours beyond its contracts, {priced}",
                overflow_gpu_hours=decimals(cluster.overflow_gpu_hours),
                priced=priced,
            )
            yield Check("contention", "amber", cluster.cluster, text, usd)


def _activity(found: Findings) -> Iterator[Check]:
    """Clusters that ran jobs of which not all have an activity."""
    for cluster in found.clusters:
        if cluster.activity is None and (cluster.used_gpu_hours or cluster.overflow_gpu_hours):
            text = worded(
                "useful spend is unknown: not every GPU job has an activity; import DCGM data or a log with it"
            )
            yield Check("activity_unknown", "info", cluster.cluster, text)


def _review(found: Findings) -> Iterator[Check]:
    """Workloads that wait for the planner; those without GPU jobs are left alone."""
    below = found.project.assumptions.review_below
    waiting = [
        place
        for place, one in enumerate(found.classifications)
        if one.confidence < below and not one.is_settled and found.project.workloads[place].gpu_jobs
    ]
    if waiting:
        costs = [found.workload_usd_per_month[place] for place in waiting]
        waiting.sort(key=lambda place: -(found.workload_usd_per_month[place] or 0.0))
        names = listed(found.project.workloads[place].name for place in waiting)
        unsure = worded_count(
            len(waiting),
            "{count} workload is classed with under {below} confidence",
            "{count} workloads are classed with under {below} confidence",
            count=whole(len(waiting)),
            below=percent(below),
        )
        text = worded(
            "{unsure}, most expensive today first: {names}; decide them on the board",
            unsure=unsure,
            names=names,
        )
        yield Check("review_pending", "info", worded("workloads"), text, known_sum(costs))


def _possible_duplicates(found: Findings) -> Iterator[Check]:
    """Rows without a job id that are alike, as the import found them."""
    for file in found.project.intake:
        for issue in file.issues:
            if issue.code == "possible_duplicate":
                text = worded(
                    "{count} rows look alike and have no job id: they count; drop them if they are copies",
                    count=whole(issue.count),
                )
                yield Check("possible_duplicate", "info", file.path, text)


def _short_log(found: Findings) -> Iterator[Check]:
    """What so short a window cannot support."""
    hours = found.project.window.hours
    if hours < TREND_HOURS:
        text = worded(
            "the window holds {days}: {cannot}; use a longer log",
            days=days_words(hours),
            cannot=cannot_support(hours),
        )
        yield Check("short_log", "info", "window", text)


def _contracts(found: Findings) -> Iterator[Check]:
    """Contracts that begin or end in the window, and those without a rate."""
    window = found.project.window
    for contract in found.project.contracts:
        if contract.end_s is not None and window.start_s < contract.end_s <= window.end_s:
            text = worded(
                "ended in the window: it counts in current for the hours it ran, and not in the plan"
            )
            yield Check("contract_ended_in_window", "info", contract.contract_id, text)
        if window.start_s < contract.start_s < window.end_s:
            text = worded("started in the window: current counts only the hours it ran")
            yield Check("contract_starts_in_window", "info", contract.contract_id, text)
        if not contract.rate and (contract.end_s is None or contract.end_s > window.start_s):
            lacking = lacking_rate(contract, found.project.currency, found.project.exchange)
            text = (
                lacking_words(contract, lacking)
                if lacking
                else worded("has no rate: every amount that needs it is unknown; enter a rate")
            )
            yield Check("quote_needed", "info", contract.contract_id, text)


def _contracts_outside_window(found: Findings) -> Iterator[Check]:
    """A log and contracts of two times: nothing of what is paid counts, and nothing else would say so."""
    project, window = found.project, found.project.window
    apart = contracts_apart(project.contracts, window)
    if apart is None or not project.workloads:
        return
    begins_s = project.plan_window.end_s
    if apart.runs_at(begins_s):
        remedy = worded(
            "the plan begins {day} and counts with those that run then", day=iso_utc(begins_s)[:10]
        )
    elif apart.day_to_plan_from_s(window, window.end_s) is None:
        remedy = worded("import a log and contracts of the same time")
    else:
        remedy = worded(
            "plan from a day on which they run (--plan-from), or import a log and contracts of the same time"
        )
    text = worded(
        "none of them runs while the log does: the log is of {start} to {end}, contracts of {begin} to {over}; "
        "today's figures count none, and all GPU-hours are paid by use in them; {remedy}",
        start=iso_utc(window.start_s)[:10],
        end=iso_utc(window.end_s - 1)[:10],
        begin=iso_utc(apart.begin_s)[:10],
        over=worded("no end") if apart.end_s is None else iso_utc(apart.end_s - 1)[:10],
        remedy=remedy,
    )
    yield Check("contracts_outside_window", "amber", worded("contracts"), text)


def _stale_prices(found: Findings) -> Iterator[Check]:
    """Offers that are old when the plan begins."""
    begins = found.project.plan_window
    stale = [offer for offer in found.project.offers if is_stale(offer, begins)]
    if stale:
        names = listed(offer.offer_id for offer in stale)
        is_later = begins is not found.project.window
        old = worded_count(
            len(stale),
            "{count} offer is over {days} days old {when}",
            "{count} offers are over {days} days old {when}",
            count=whole(len(stale)),
            days=whole(STALE_DAYS),
            when=worded("when the plan begins") if is_later else worded("at the window's end"),
        )
        text = worded("{old}: {names}; ask for new rates", old=old, names=names)
        yield Check("stale_price", "info", "offers", text)


def _gpu_models(found: Findings) -> Iterator[Check]:
    """Checks of GPU models, which have a file of their own."""
    yield from model_checks(found.project, found.families)


CHECK_RULES: Final[tuple[Callable[[Findings], Iterator[Check]], ...]] = (
    _below_40,
    _models_unmatched,
    _cluster_without_contract,
    _contention,
    _activity,
    _review,
    _possible_duplicates,
    _short_log,
    _contracts,
    _contracts_outside_window,
    _stale_prices,
    _gpu_models,
)
"""One rule a row; commitment/plan/plan_checks.py has those of the plan.

A finding of both has the same words, and shows once.
"""
