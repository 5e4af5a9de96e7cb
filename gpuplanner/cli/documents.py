"""Answers as JSON documents, schema gpuplanner/1: fields are never renamed or removed within a schema number."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from gpuplanner import __version__
from gpuplanner.cli.hardware_fit import hardware_fit_entries, pool_fit_entries
from gpuplanner.cli.pool_rows import by_pool_and_model
from gpuplanner.cli.use_documents import cluster_use_document, contract_use_document, use_document
from gpuplanner.domain.audit.leaks.leak_list import totals_by_status
from gpuplanner.domain.audit.result import Audit, Check
from gpuplanner.domain.commitment.demand.volatility import source_of
from gpuplanner.domain.commitment.result import Outlook, PoolPlan
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint, flip_sentence
from gpuplanner.domain.commitment.uncertainty.level_values import cost_of_row
from gpuplanner.domain.commitment.uncertainty.price_sensitivity import CasePlan
from gpuplanner.domain.demand.rule_preview import rule_amounts
from gpuplanner.domain.evaluation import CardFigures, Evaluation, scenario_named
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.log.data_quality import quality_entry
from gpuplanner.domain.model.log.intake import FileIntake, JobFacts
from gpuplanner.domain.model.log.interruptions import NODE_MTBF, observed, source_words
from gpuplanner.domain.model.log.log_length import log_support
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.dated import NO_SPELL, PlannedWork, Spell
from gpuplanner.domain.model.scenario.merging import merge_of
from gpuplanner.domain.model.scenario.parting import whole_key
from gpuplanner.domain.model.scenario.plan_inputs import TODAY, Scenario
from gpuplanner.domain.model.window import Window, iso_utc
from gpuplanner.domain.reports.classes import CLASSES
from gpuplanner.domain.reports.clusters import CLUSTERS
from gpuplanner.domain.reports.contracts import CONTRACTS
from gpuplanner.domain.reports.layers import IDLE, LAYERS, TERMS
from gpuplanner.domain.reports.leaks import LEAKS, leak_list
from gpuplanner.domain.reports.orders import ORDERS, VERDICT_ROWS
from gpuplanner.domain.reports.report import entries

Document = dict[str, Any]

SCHEMA: Final = "gpuplanner/1"
FILE_FIELDS: Final = (
    "path",
    "kind",
    "format",
    "rows_read",
    "rows_accepted",
    "rows_rejected",
    "rows_duplicate",
    "rows_ignored",
)


def time_text(at_s: int | None) -> str | None:
    """Epoch seconds as ISO 8601 UTC with Z; None stays None.

    >>> time_text(0), time_text(None) is None
    ('1970-01-01T00:00:00Z', True)
    """
    return None if at_s is None else iso_utc(at_s)


def head(command: str, currency: Currency = DOLLARS) -> Document:
    """How every document begins; beside its US dollars stands what else is reported in, where that is not they.

    command: its name. A rate of exchange that nobody stated is null.
    """
    answer: Document = {"schema": SCHEMA, "command": command, "version": __version__}
    if currency == DOLLARS:
        return answer
    rate = None if currency.usd_rate is None else float(currency.usd_rate)
    return answer | {"currency": {"code": currency.code, "usd_rate": rate, "as_of": currency.as_of}}


def intake_file(file: FileIntake, *, with_facts: bool = False) -> Document:
    """One file: what it was, how its rows ended, its issues sorted by code.

    with_facts: also what the file says of itself, as `check` shows it.
    """
    answer: Document = {name: getattr(file, name) for name in FILE_FIELDS}
    answer["issues"] = [
        {"code": issue.code, "count": issue.count, "first_row": issue.first_row, "message": issue.message}
        for issue in sorted(file.issues, key=lambda issue: (issue.code, issue.first_row or 0))
    ]
    if with_facts:
        answer["facts"] = {name: _plain(value) for name, value in file.facts}
    return answer


def intake_document(files: Sequence[FileIntake]) -> Document:
    """The `intake` of every document: files in the order in which they were given."""
    return {"files": [intake_file(file) for file in files]}


def window_document(window: Window) -> Document:
    """The `window` object.

    Times are ISO 8601, the end exclusive; the timezone is that of naive local times.
    """
    return {
        "start": time_text(window.start_s),
        "end": time_text(window.end_s),
        "hours": window.hours,
        "timezone": window.timezone,
    }


def jobs_document(jobs: JobFacts) -> Document:
    """The `jobs` object.

    GPU-hours are of the window; peak_gpus: the largest number in use at once.
    """
    return {
        "count": jobs.count,
        "gpu_jobs": jobs.gpu_jobs,
        "gpu_hours": jobs.gpu_hours,
        "peak_gpus": jobs.peak_milli_gpus / 1000,
        "first_start": time_text(jobs.first_start_s),
        "last_end": time_text(jobs.last_end_s),
        "clipped": jobs.clipped,
    }


def demand_document(project: Project, cube_sha256: str) -> Document:
    """intake, window, jobs and cube: what stands inside every document about demand.

    cube_sha256: of the demand, so that two documents can be compared.
    """
    return {
        "intake": intake_document(project.intake),
        "window": window_document(project.window),
        "jobs": jobs_document(project.jobs),
        "cube": {
            "workloads": len(project.workloads),
            "hours": project.window.hours,
            "milli_gpu_seconds": project.cube.total,
            "sha256": cube_sha256,
        },
        "data_quality": quality_entry(project.jobs.quality),
    }


def audit_document(evaluation: Evaluation) -> Document:
    """classes, workloads, clusters, contracts, use of the window, leaks, hardware fit and checks of an evaluation.

    $ are US dollars, null where unknown; shares are ratios 0..1.
    """
    audit, plan = evaluation.audit, _plan_of(evaluation)
    return {
        "classes": {
            CLASSES.key(row): entry
            for row, entry in zip(CLASSES.rows(audit), entries(CLASSES, audit), strict=True)
        },
        "workloads": _workloads(evaluation),
        "rules": _rules(evaluation),
        "clusters": [
            entry | cluster_use_document(audit, entry["cluster"]) for entry in entries(CLUSTERS, audit)
        ],
        "contracts": [
            entry | contract_use_document(audit, entry["contract_id"]) for entry in entries(CONTRACTS, audit)
        ],
        **use_document(audit),
        "leaks": entries(LEAKS, leak_list(evaluation.project, audit, evaluation.scenario)),
        "leaks_total": _leaks_total(audit, plan, evaluation.project.window.months),
        "hardware_fit": hardware_fit_entries(evaluation),
        "hardware_fit_pools": pool_fit_entries(evaluation),
        "checks": checks_document(evaluation.checks),
    }


def checks_document(checks: Sequence[Check]) -> list[Document]:
    """The `checks` array.

    Workloads that the window offers to settle are left out: a document names things in words.
    """
    return [{name: value for name, value in asdict(check).items() if name != "keys"} for check in checks]


def cards_of_workloads(evaluation: Evaluation) -> dict[str, list[CardFigures]]:
    """The cards of every workload in the scenario, by its key: more than one where the plan divides it.

    Planned work has its own key.
    """
    splits = scenario_named(evaluation.project, evaluation.scenario).splits
    cards: dict[str, list[CardFigures]] = {}
    for card in evaluation.figures.cards:
        cards.setdefault(whole_key(card.key, splits), []).append(card)
    return cards


def _workloads(evaluation: Evaluation) -> list[Document]:
    """Workloads of the log and planned work, by key; a workload in parts has the pool of its largest."""
    plan_usd = evaluation.advice.workload_usd if evaluation.advice else {}
    answer = []
    cards = cards_of_workloads(evaluation)
    plan = scenario_named(evaluation.project, evaluation.scenario)
    merges = plan.merges
    for workload, today in zip(evaluation.project.workloads, evaluation.audit.workloads, strict=True):
        found, mine = today.classification, cards[workload.key]
        largest = max(mine, key=lambda card: card.gpu_hours_per_month)
        answer.append(
            {
                "key": workload.key,
                "name": workload.name,
                "cluster": workload.cluster,
                "class": found.pool.value,
                "subtype": found.subtype,
                "confidence": found.confidence,
                "reasons": list(found.reasons),
                "runner_up": None if found.runner_up is None else found.runner_up.value,
                "decided_by": found.source,
                "pool": largest.pool.value,
                "in_review": any(card.in_review for card in mine),
                "jobs": workload.jobs,
                "gpu_hours": workload.gpu_hours,
                "peak_gpus": workload.peak_milli_gpus / 1000,
                "usd_per_month": today.usd_per_month,
                "plan_usd_per_month": known_sum([plan_usd.get(card.key) for card in mine]),
                "note": evaluation.project.notes.get(workload.key),
                "merged_into": merge_of(largest.key, merges),
                **_dates(plan.spells.get(workload.key, NO_SPELL), is_planned=False),
                "only": _only(plan, workload.key),
                "parts": [
                    {
                        "key": card.key,
                        "name": card.name,
                        "pool": card.pool.value,
                        "gpu_hours_per_month": card.gpu_hours_per_month,
                        "plan_usd_per_month": plan_usd.get(card.key),
                    }
                    for card in (mine if len(mine) > 1 else ())
                ],
            }
        )
    answer += [
        _planned(plan, work, cards[work.key][0], plan_usd) for work in plan.planned if work.key in cards
    ]
    return sorted(answer, key=lambda row: str(row["key"]))


def interruptions_document(project: Project, plan: Scenario) -> Document:
    """What files of interruptions propose for spot_node_mtbf_hours, and whether the plan counts with it.

    null where no such file was read.
    """
    found = observed(project.intake)
    if found is None:
        return {"interruptions": None}
    value = project.assumptions_in(plan).spot_node_mtbf_hours
    return {
        "interruptions": {
            "node_hours": found.node_hours,
            "interruptions": found.interruptions,
            "spot_node_mtbf_hours": found.mtbf_hours,
            "is_taken": found.mtbf_hours is not None and value == found.mtbf_hours,
            "source": source_words(NODE_MTBF, found.mtbf_hours, project.intake),
        }
    }


def _dates(spell: Spell, *, is_planned: bool) -> Document:
    """When work begins and ends in the plan; null where nothing was said."""
    return {"begins": time_text(spell.begins_s), "ends": time_text(spell.ends_s), "planned": is_planned}


def _only(plan: Scenario, key: str) -> Document | None:
    """Who alone may serve a workload; None: anybody."""
    only = plan.only.get(key)
    return None if only is None else {"provider": only.provider or None, "region": only.region or None}


def _planned(
    plan: Scenario, work: PlannedWork, card: CardFigures, plan_usd: Mapping[str, float | None]
) -> Document:
    """Work that no log has, in the fields of those that a log has."""
    found = card.classification
    return {
        "key": work.key,
        "name": work.name,
        "cluster": work.cluster,
        "class": found.pool.value,
        "subtype": found.subtype,
        "confidence": found.confidence,
        "reasons": list(found.reasons),
        "runner_up": None,
        "decided_by": found.source,
        "pool": card.pool.value,
        "in_review": card.in_review,
        "jobs": 0,
        "gpu_hours": 0.0,
        "peak_gpus": work.gpus,
        "usd_per_month": 0.0,
        "plan_usd_per_month": plan_usd.get(work.key),
        "note": None,
        "merged_into": None,
        **_dates(Spell(work.begins_s, work.ends_s), is_planned=True),
        "only": _only(plan, work.key),
        "parts": [],
    }


def _rules(evaluation: Evaluation) -> list[Document]:
    """The planner's own rules in the order in which they decide, with what each decides."""
    project, workloads = evaluation.project, evaluation.audit.workloads
    found = [row.classification for row in workloads]
    amounts = rule_amounts(project, found, {row.key: row.usd_per_month for row in workloads})
    return [
        {
            "rule_id": rule.rule_id,
            "field": rule.field,
            "pattern": rule.pattern,
            "class": rule.pool.value,
            "subtype": rule.subtype,
            "confidence": rule.confidence,
            "reason": rule.reason,
            "matched": amount.matched,
            "workloads": amount.workloads,
            "gpu_hours_per_month": amount.gpu_hours_per_month,
            "usd_per_month": amount.usd_per_month,
        }
        for rule, amount in zip(project.rules, amounts, strict=True)
    ]


def _plan_of(evaluation: Evaluation) -> Scenario | None:
    """The plan that is shown; None for Today."""
    return None if evaluation.scenario == TODAY else evaluation.project.scenario(evaluation.scenario)


def _leaks_total(audit: Audit, plan: Scenario | None, months: float) -> Document:
    """Counted once each, in all and by what the plan decided."""
    by_status = totals_by_status(audit.leaks, plan, months)
    return {
        "gpu_hours": audit.leaks_total.counted_gpu_hours,
        "usd_per_month": audit.leaks_total.counted_per_month,
        **{f"{status}_gpu_hours": total.counted_gpu_hours for status, total in by_status.items()},
        **{f"{status}_usd_per_month": total.counted_per_month for status, total in by_status.items()},
    }


PRICE_PATH_FIELDS: Final = (
    "path",
    "delta",
    "shorter_only_usd",
    "advice_usd",
    "longer_only_usd",
    "regret_usd",
)


def _unknown_verdicts(evaluation: Evaluation) -> list[Document]:
    """Contracts of which nobody knows yet what they serve: each with everything that a verdict would say unknown."""
    fields = (
        "verdict",
        "then_term_months",
        "gpus",
        "order_by",
        "reason",
        "contract_gpus",
        "contract_term_months",
    )
    asked = evaluation.audit.unknown_contracts
    return [{"contract_id": contract_id, **dict.fromkeys(fields)} for contract_id in sorted(asked)]


def plan_document(evaluation: Evaluation) -> Document:
    """pools, idle_existing, orders, contract_verdicts, totals, comparison, uncertainty and decisions of a plan.

    Errors: ValueError for an evaluation that is not complete.
    """
    advice, outlook = evaluation.advice, evaluation.outlook
    if advice is None or outlook is None or evaluation.totals is None:
        raise ValueError("the evaluation is not complete; call evaluate()")
    totals, plan = asdict(evaluation.totals), _plan_of(evaluation)
    project = evaluation.project
    is_later = project.plan_window is not project.window
    return {
        **({"plan_from": time_text(project.plan_window.end_s)} if is_later else {}),
        "pools": [_pool(pool, outlook) for pool in by_pool_and_model(advice.pools)],
        "idle_existing": entries(IDLE, advice),
        "orders": entries(ORDERS, advice),
        "contract_verdicts": entries(VERDICT_ROWS, evaluation) + _unknown_verdicts(evaluation),
        "totals": totals,
        "comparison": [
            {
                "month": row.month,
                "start": time_text(row.start_s),
                "do_nothing_usd": row.do_nothing_usd,
                "plan_usd": row.plan_usd,
                "contracts_usd": row.contracts_usd,
                "orders_usd": row.orders_usd,
                "use_usd": row.use_usd,
                "unserved_gpu_hours": row.unserved_gpu_hours,
            }
            for row in advice.comparison
        ],
        "unserved": [
            asdict(row) | {"pool": row.pool.value, "gpu_model": gpu_model_of(row.gpu_model)}
            for row in advice.unserved
        ],
        "savings_steps": [asdict(one) for one in outlook.savings_steps],
        "separation_avoids": {
            "contended_hours": evaluation.audit.contended_hours,
            "premium_usd_per_month": evaluation.audit.premium_usd_per_month,
        },
        "price_paths": [
            {name: getattr(one, name) for name in PRICE_PATH_FIELDS} for one in outlook.price_paths
        ],
        "price_changes": [
            {
                "gpu_model": change.gpu_model,
                "factor": change.factor,
                "from": time_text(change.from_s),
                "by": change.by,
            }
            for change in sorted(
                evaluation.figures.basis.plan.price_changes, key=lambda one: (one.gpu_model, one.from_s)
            )
        ],
        "uncertainty": asdict(outlook.uncertainty),
        "coverage": None if outlook.coverage is None else asdict(outlook.coverage),
        "npv_usd": outlook.npv_usd,
        "log_support": log_support_document(evaluation.project.window.hours),
        "spot": [{**asdict(one), "pool": one.pool.value} for one in outlook.spot],
        "decisions": [
            {"at": time_text(one.at_s), "what": one.what, "reason": one.reason}
            for one in (plan.decisions if plan else ())
        ],
    }


def offers_of(evaluation: Evaluation) -> tuple[Offer, ...]:
    """The offers at the rates that count in the plan that is shown.

    Those of the project itself on Today.
    """
    plan = _plan_of(evaluation)
    return evaluation.project.offers if plan is None else evaluation.project.offers_in(plan)


def log_support_document(hours: int) -> list[Document]:
    """The `log_support` array of a log of so many hours.

    One entry for each figure, in the order in which a longer log comes to give them.
    """
    return [{**asdict(one), "support": one.support.value} for one in log_support(hours)]


def flip_points_document(points: Sequence[FlipPoint]) -> list[Document]:
    """The `flip_points` array of a plan that was asked for them.

    Nearest first; values are ratios.
    """
    return [{**asdict(point), "sentence": flip_sentence(point)} for point in points]


def price_sensitivity_document(cases: Sequence[CasePlan]) -> list[Document]:
    """The `price_sensitivity` array of a plan that was asked for it.

    In the order low, mid, high. $ a month, null where unknown.
    """
    return [
        {
            **{name: value for name, value in asdict(replace(one, advice=None)).items() if name != "advice"},
            "case": one.case.value,
            "changed_layers": [asdict(row) for row in one.changed_layers],
        }
        for one in cases
    ]


def _pool(pool: PoolPlan, outlook: Outlook) -> Document:
    """One pool and model: demand in GPUs, layers from the bottom, and what levels set by hand cost beside the
    advice.
    """
    cost = cost_of_row(pool, outlook.level_values) if pool.set_by_hand else None
    return {
        "pool": pool.pool.value,
        "gpu_model": pool.gpu_model,
        "gpu_hours": pool.gpu_hours,
        "mean_gpus": pool.mean_gpus,
        "p95_gpus": pool.p95_gpus,
        "peak_gpus": pool.peak_gpus,
        "growth": pool.growth,
        "sigma": pool.volatility.sigma,
        "sigma_source": source_of(pool.volatility),
        "layers": entries(LAYERS, pool),
        "break_even": entries(TERMS, pool),
        "usd_per_month": pool.usd_per_month,
        "note": pool.note,
        "set_by_hand": pool.set_by_hand,
        "held_terms": list(pool.held_terms),
        "over_advice": None
        if cost is None
        else {**asdict(cost), "levels": [asdict(level) for level in cost.levels]},
    }


def _plain(value: object) -> object:
    """A fact as JSON has it: what is no number, text or list is said in words; NaN and infinity are null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
