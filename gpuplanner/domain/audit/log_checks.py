"""Checks of the past: what to know about log, GPU models, contracts, prices and places behind the figures."""

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from gpuplanner.domain.audit.leak_claims import listed
from gpuplanner.domain.audit.result import Check, ClusterAudit, ContractAudit
from gpuplanner.domain.audit.utilization.contracts_apart import contracts_apart
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.typed import day, decimals, exact, percent, way_ms, whole, worded_whole
from gpuplanner.domain.figures.use import FLAG_PERCENT
from gpuplanner.domain.figures.writing import LONGEST_MS
from gpuplanner.domain.message import Message, joined, worded, worded_both
from gpuplanner.domain.model.amounts import grouped, known_sum
from gpuplanner.domain.model.book import exchange, only
from gpuplanner.domain.model.book.contract import RATE_FIELD, filed_term, turn_words, with_terms
from gpuplanner.domain.model.book.dollars import in_turn, prices_of
from gpuplanner.domain.model.book.price_age import STALE_DAYS, is_stale
from gpuplanner.domain.model.cube import TREND_HOURS, cannot_support, days_words
from gpuplanner.domain.model.gpu_family import Families, GpuName, Same, SameKind, folded, nearest_models
from gpuplanner.domain.model.intake import BILLED
from gpuplanner.domain.model.places import Places
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.unmatched import NOTHING_ASKED, Unmatched, asked_words, option_of
from gpuplanner.domain.serving.placement import current_placement, forbidden_countries
from gpuplanner.lazy_dataclass import dataclass

# --- Checks of GPU models: jobs that state none, and models that nobody prices, so that what is missing is said


def model_checks(project: Project, families: Families | None = None) -> Iterator[Check]:
    """By cluster and by model. families: what tells variants of one GPU apart."""
    yield from check_unstated_models(project)
    if project.assumptions.serving_shares_replaced and project.assumptions.serving_speed == 1:
        yield Check(
            code="assumption_replaced",
            severity="info",
            subject="serving_speed",
            message=worded(
                "measured factors replace the project's serving shares; adjust serving_speed instead"
            ),
        )
    if families is not None:
        for variant in variants_asked(project, families):
            yield Check(
                code="variant_asked",
                severity="info",
                subject=variant.offered,
                message=describe_variant(variant),
            )
        yield from _sizes(project, families)


@dataclass(frozen=True, slots=True)
class VariantAsked:
    """Offers of a variant that nothing runs on: whether they may serve, and at what ratio (proposed).

    gpu_model: of the project; offers: how many of the variant; ratio: GPUs of the model that one of it is
    worth.
    """

    gpu_model: str
    offered: str
    offers: int
    ratio: float


def variants_asked(project: Project, families: Families) -> tuple[VariantAsked, ...]:
    """The variants of offers that nobody has mapped or settled yet, each once, by name.

    Of a model that runs here only. Sorted by the offered name, then by model.
    """
    own = {folded(s.kind, s.ours) for s in project.same if s.kind is SameKind.MODEL and s.is_own}
    wanted = {contract.gpu_model for contract in project.contracts} | set(project.cube.gpu_models)
    counts = Counter(offer.gpu_model for offer in project.offers)
    variants: list[VariantAsked] = []
    for offered, offers in sorted(counts.items()):
        read = families.read(offered)
        if read is None or offered in wanted or folded(SameKind.MODEL, offered) in own:
            continue
        # A100 80GB for an A100 of no size, and the other way
        bases = {
            model for model in wanted if model is not None and differs_in_stated_size(model, read, families)
        }
        bases |= {read.family}
        variants += (
            VariantAsked(base, offered, offers, calculation_ratio(base, offered, families))
            for base in sorted(bases)
            if base in wanted and not only.may_serve(project.mappings, base, offered)
        )
    return tuple(variants)


def differs_in_stated_size(name: str, read: GpuName, families: Families) -> bool:
    """Whether one of two names has its memory and the other leaves it open."""
    other = families.read(name)
    if other is None or other.family == read.family or read.is_unsized == other.is_unsized:
        return False
    unsized, sized = (read, other) if read.is_unsized else (other, read)
    return sized.family.startswith(f"{unsized.family} ")


def calculation_ratio(base: str, offered: str, families: Families) -> float:
    """By what the two calculate a second, where the table says it, else 1; of a slice its share of that."""
    read, rows = families.read(offered), [families.facts(name) for name in (base, offered)]
    share = float((read.share if read is not None else None) or 1)
    if None in rows or rows[0] is rows[1]:
        return share
    tflops = [row.tflops for row in rows if row is not None]
    return round(tflops[1] / tflops[0], 2) * share if tflops[0] and tflops[1] else share


def describe_variant(variant: VariantAsked) -> Message:
    """How many offers, and the words of the command line that let them serve."""
    mapping = shlex.quote(f"{variant.gpu_model}={variant.offered}:{write_ratio(variant.ratio)}")
    return worded_whole(
        variant.offers,
        "{count} offer is of {offered}, but the project runs {model}. {allow}",
        "{count} offers are of {offered}, but the project runs {model}. {allow}",
        offered=variant.offered,
        model=variant.gpu_model,
        allow=worded_both("To allow: --map-model {mapping}", "Open to allow", mapping=mapping),
    )


def write_ratio(ratio: float) -> str:
    """0.76; 1/7 where no decimal is short and exact: of a rounded one a slice too many would be bought."""
    text = f"{ratio:g}"
    return text if float(text) == ratio else str(Fraction(ratio).limit_denominator(1000))


def _sizes(project: Project, families: Families) -> Iterator[Check]:
    """Jobs whose GPUs' size is not in the log: what their cluster's contracts have was taken."""
    for cluster, written, amount in project.jobs.models_written:
        read = families.read(written)
        if read is None or not read.is_unsized:
            continue
        taken = {
            contract.gpu_model
            for contract in project.contracts
            if contract.cluster == cluster
            and contract.gpu_model is not None
            and contract.gpu_model.startswith(f"{read.family} ")
        }
        if len(taken) != 1 or not taken <= set(project.cube.gpu_models):
            continue
        (size,), facts = taken, families.facts(read.family)
        others = [f"{read.family} {size_apart}" for size_apart in (facts.sizes_apart if facts else ())]
        same = shlex.quote(f"model:{written}={next((other for other in others if other != size), size)}")
        text = worded(
            "{hours} GPU-hours of {written} on {cluster} count as the contract's {size}. {change}",
            hours=decimals(amount / MILLI_GPU_SECONDS_PER_GPU_HOUR),
            written=written,
            cluster=cluster or worded("jobs without a cluster"),
            size=size,
            change=worded_both("If wrong: --same {same}", "If wrong, open to choose another", same=same),
        )
        yield Check(code="gpu_size_taken", severity="info", subject=written, message=text)


def check_unstated_models(project: Project) -> Iterator[Check]:
    """GPU time without a model counts with the model of the contract that serves it: by cluster."""
    cube = project.cube
    totals, unknown = cube.row_totals, cube.model_index < 0
    clusters = [project.workloads[place].cluster for place in cube.workload_index[unknown].tolist()]
    amounts = grouped(zip(clusters, totals[unknown].tolist(), strict=True))
    for cluster in sorted(amounts):
        models = sorted({c.gpu_model or "" for c in project.contracts if c.cluster == cluster} - {""})
        if models:
            counts_as = worded("they count as {models}, like their contracts", models=listed(models))
        else:
            counts_as = worded("no contract states it: every offer may serve them")
        many = worded_whole(len(amounts[cluster]), "{count} workload", "{count} workloads")
        gpu_hours = sum(amounts[cluster]) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        text = worded(
            "{hours} GPU-hours of {many} have no GPU model: {counts_as}. Map the column if there is one",
            hours=decimals(gpu_hours),
            many=many,
            counts_as=counts_as,
        )
        yield Check(
            code="gpu_model_unstated",
            severity="info",
            subject=cluster or worded("jobs without a cluster"),
            message=text,
        )


# --- Checks of the past: what a planner should know about the log, the contracts and the prices behind the figures

SEVERITIES: Final = ("red", "amber", "info")


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What checks look at; classifications and workload_usd_per_month in the order of Project.workloads."""

    project: Project
    classifications: tuple[Classification, ...]
    clusters: tuple[ClusterAudit, ...]
    contracts: tuple[ContractAudit, ...]
    workload_usd_per_month: tuple[float | None, ...]
    asked: Unmatched = NOTHING_ASKED
    families: Families | None = None


def audit_checks(findings: Findings) -> tuple[Check, ...]:
    """Every check of the past, worst first, then by code and subject.

    A rule that finds nothing yields nothing. Source: docs/codes.md names every code.
    """
    checks = [check for rule in CHECK_RULES for check in rule(findings)]
    return tuple(sorted(checks, key=lambda c: (SEVERITIES.index(c.severity), c.code, str(c.subject))))


def check_low_use(findings: Findings) -> Iterator[Check]:
    """Contracts first, then clusters, each with what it is paid for and does not use."""
    for contract in findings.contracts:
        if contract.below_40_percent:
            text = worded(
                "utilization is {utilization}, under {flag}%. Shorten the term, cut GPUs or add work",
                utilization=percent(contract.utilization or 0.0, 1),
                flag=whole(FLAG_PERCENT),
            )
            yield Check(
                code="below_40",
                severity="amber",
                subject=contract.contract_id,
                message=text,
                usd_per_month=contract.unused_per_month,
            )
    for cluster in findings.clusters:
        if cluster.below_40_percent:
            text = worded(
                "{utilization} of its GPU-hours used, under {flag}%",
                utilization=percent(cluster.utilization or 0.0, 1),
                flag=whole(FLAG_PERCENT),
            )
            yield Check(
                code="below_40",
                severity="amber",
                subject=cluster.cluster,
                message=text,
                usd_per_month=cluster.unallocated_per_month,
            )


def check_unmatched_models(findings: Findings) -> Iterator[Check]:
    """Names of log and contracts that may be of one thing, with what settles it."""
    for question in findings.asked.questions:
        yield Check(
            code="models_unmatched", severity="amber", subject=question.cluster, message=asked_words(question)
        )


def check_clusters_without_log(findings: Findings) -> Iterator[Check]:
    """Clusters that are paid for and that no job of any log names: nobody knows how much of them is used."""
    are_several = sum(file.kind == "jobs" for file in findings.project.intake) > 1  # --same renames in all
    for cluster in sorted(findings.asked.unlogged):
        if cluster and any(not workload.cluster for workload in findings.project.workloads):
            text = worded(
                "{cluster} has no jobs, and some jobs have no cluster: use and advice are unknown. If they ran "
                "there: {own}. Otherwise add its log",
                cluster=cluster,
                own=f"--cluster {shlex.quote(f'FILE={cluster}')}"
                if are_several
                else option_of(Same(SameKind.CLUSTER, "", cluster)),
            )
        elif cluster:
            text = worded(
                "{cluster} has no jobs: use and advice are unknown. Add its log, or mark it idle: {own}",
                cluster=cluster,
                own=option_of(Same(SameKind.CLUSTER, cluster, cluster)),
            )
        else:
            serve = {workload.cluster for workload in findings.project.workloads} - {""}
            text = worded(
                "contracts without a cluster ({contracts}) serve no job: use and advice are unknown. Add "
                "their cluster to the file, or: {own}",
                contracts=listed([c.contract_id for c in findings.project.contracts if not c.cluster]),
                own=" or ".join(option_of(Same(SameKind.CLUSTER, "", name)) for name in sorted(serve)[:3]),
            )
        yield Check(code="cluster_without_log", severity="amber", subject=cluster, message=text)


def check_clusters_without_contract(findings: Findings) -> Iterator[Check]:
    """Contracts serve their own cluster only, so a name that is missing or spelled otherwise costs a lot."""
    named = {contract.cluster for contract in findings.project.contracts if not contract.is_dollars}
    billed = {use.cluster for use in findings.project.jobs.billed}
    for cluster in findings.clusters if named else ():
        if cluster.cluster not in named | billed | findings.asked.clusters:
            if not cluster.cluster:
                remedy = worded("name it when importing the log")
            else:
                remedy = worded("compare the names in both files")
            text = worded("no contract for this cluster: all usage is overflow. {remedy}", remedy=remedy)
            yield Check(
                code="cluster_without_contract",
                severity="amber",
                subject=cluster.cluster or worded("jobs without a cluster"),
                message=text,
            )


def check_no_contracts(findings: Findings) -> Iterator[Check]:
    """A log without contracts or bills: what is paid is unknown, and with it utilization and idle cost."""
    project = findings.project
    if project.has_spend or not project.has_log:
        return
    remedy = worded_both("Add --contracts FILE", "Import contracts")
    if project.offers:
        text = worded(
            "utilization and idle cost are unknown; spend is all demand at on-demand rates. {remedy}",
            remedy=remedy,
        )
    else:
        text = worded("spend, utilization and idle cost are unknown. {remedy}", remedy=remedy)
    yield Check(code="no_contracts", severity="info", subject=worded("contracts"), message=text)


def check_contention(findings: Findings) -> Iterator[Check]:
    """Demand beyond the contracts of a cluster that has any, and what it costs on demand."""
    for cluster in findings.clusters:
        if cluster.overflow_gpu_hours and cluster.paid_gpu_hours:
            usd = cluster.overflow_per_month
            priced = (
                worded("No offer prices them on demand: spend is unknown. Add their rate")
                if usd is None
                else worded("Their on-demand cost is added to contract cost")
            )
            text = worded(
                "{hours} GPU-hours ran over contract capacity. {priced}",
                hours=decimals(cluster.overflow_gpu_hours),
                priced=priced,
            )
            yield Check(
                code="contention", severity="amber", subject=cluster.cluster, message=text, usd_per_month=usd
            )


def check_activity(findings: Findings) -> Iterator[Check]:
    """Clusters that ran jobs of which not all have an activity."""
    for cluster in findings.clusters:
        if cluster.activity is None and (cluster.used_gpu_hours or cluster.overflow_gpu_hours):
            text = worded(
                "useful spend unknown: some GPU jobs have no activity. Import it from DCGM or a log"
            )
            yield Check(code="activity_unknown", severity="info", subject=cluster.cluster, message=text)


def check_pending_review(findings: Findings) -> Iterator[Check]:
    """Workloads that wait for the planner; those without GPU jobs are left alone."""
    below = findings.project.assumptions.review_below
    waiting = [
        place
        for place, c in enumerate(findings.classifications)
        if c.confidence < below and not c.is_settled and findings.project.workloads[place].gpu_jobs
    ]
    if waiting:
        costs = [findings.workload_usd_per_month[place] for place in waiting]
        waiting.sort(key=lambda place: -(findings.workload_usd_per_month[place] or 0.0))
        names = listed(findings.project.workloads[place].name for place in waiting)
        unsure = worded_whole(
            len(waiting),
            "{count} workload has a class confidence under {below}",
            "{count} workloads have a class confidence under {below}",
            below=percent(below),
        )
        text = worded(
            "{unsure}, most expensive first: {names}. {decide}",
            unsure=unsure,
            names=names,
            decide=worded_both("Decide on the board, or with --label KEY=class", "Decide on the board"),
        )
        yield Check(
            code="review_pending",
            severity="info",
            subject=worded("workloads"),
            message=text,
            usd_per_month=known_sum(costs),
        )


def check_possible_duplicates(findings: Findings) -> Iterator[Check]:
    """Rows without a job id that are alike, as the import found them."""
    for file in findings.project.intake:
        for issue in file.issues:
            if issue.code == "possible_duplicate":
                text = worded(
                    "{count} identical rows without a job id are counted. If copies, drop them",
                    count=whole(issue.count),
                )
                yield Check(code="possible_duplicate", severity="info", subject=file.path, message=text)


def check_imported_files(findings: Findings) -> Iterator[Check]:
    """What the import asks of whole files: totals that they state otherwise, nodes beside contracts, unread charges."""
    for file in findings.project.intake:
        for issue in file.issues:
            if issue.code in ("totals_disagree", "counted_twice", "billed_unread"):
                yield Check(code=issue.code, severity="amber", subject=file.path, message=issue.message)


def check_bills_read_before(findings: Findings) -> Iterator[Check]:
    """Bills of projects that were saved before what they charge was kept: their use is overflow at list prices."""
    for file in findings.project.intake if not findings.project.jobs.billed else ():
        facts: dict[str, Any] = dict(file.facts)
        charged = any(kinds.get("gpu") for kinds in facts.get(BILLED, {}).values())
        if charged and file.jobs_in_window:
            text = worded(
                "today's spend is without the GPU charges of this bill: an earlier version read it. "
                "Import it again"
            )
            yield Check(code="bill_read_before", severity="amber", subject=file.path, message=text)


def check_short_log(findings: Findings) -> Iterator[Check]:
    """What so short a window cannot support."""
    hours = findings.project.window.hours
    if hours < TREND_HOURS:
        text = worded(
            "the log has {days}: {cannot}. Use a longer log",
            days=days_words(hours),
            cannot=cannot_support(hours),
        )
        yield Check(code="short_log", severity="info", subject="window", message=text)


def check_discounts(findings: Findings) -> Iterator[Check]:
    """Commitments in dollars whose discount is off the rate of another provider, for want of one of their own."""
    models, offers = findings.project.cube.gpu_models, findings.project.offers
    for row in in_turn(findings.project.contracts):
        own = [
            offer for offer in offers if (offer.provider or "").casefold() == (row.provider or "").casefold()
        ]
        if lacking := prices_of(row, offers, models).keys() - prices_of(row, own, models).keys():
            given = {"provider": row.provider or worded("its provider"), "models": listed(sorted(lacking))}
            text = worded(
                "{provider} has no on-demand rate for {models}: the discount applies to the cheapest rate. Add "
                "the rate",
                **given,
            )
            yield Check(code="quote_needed", severity="info", subject=row.contract_id, message=text)


SAME_SHARE: Final = 0.01
"""A sum and a rate that come so near are one price, said twice."""


def check_contracts(findings: Findings) -> Iterator[Check]:
    """Contracts that begin or end in the window, and those without a rate."""
    window = findings.project.window
    for contract in findings.project.contracts:
        if contract.end_s is not None and window.start_s < contract.end_s <= window.end_s:
            text = worded("ended in the lookback period: today counts its hours, the plan does not")
            yield Check(
                code="contract_ended_in_window", severity="info", subject=contract.contract_id, message=text
            )
        if window.start_s < contract.start_s < window.end_s:
            text = worded("started in the lookback period: today counts only its hours")
            yield Check(
                code="contract_starts_in_window", severity="info", subject=contract.contract_id, message=text
            )
        is_over = contract.end_s is not None and contract.end_s <= window.start_s
        bare, prepaid = contract.bare_rate or 0.0, contract.prepaid_rate or 0.0
        if prepaid and not is_over and abs(prepaid - bare) <= SAME_SHARE * bare:
            text = worded(
                "prepaid ${usd} equals its rate over the term; both count. If it is the whole price, clear the "
                "rate",
                usd=whole(contract.prepaid or 0.0),
            )
            yield Check(
                code="prepaid_beside_rate", severity="amber", subject=contract.contract_id, message=text
            )
        if contract.prepaid is not None and contract.prepaid_s is None:
            text = worded("prepaid without an end or term: its cost is unknown. Enter one")
            yield Check(
                code="prepaid_without_end", severity="amber", subject=contract.contract_id, message=text
            )
        elif not contract.rate and not is_over:
            lacking = exchange.lacking_rate(contract, findings.project.currency, findings.project.exchange)
            if lacking:
                text = exchange.lacking_words(contract, lacking)
            else:
                text = worded("has no rate: its amounts are unknown; enter one")
            yield Check(code="quote_needed", severity="info", subject=contract.contract_id, message=text)
        elif (
            contract.is_rate_stated
            and contract.quoted_rate is not None
            and not filed_term(contract, RATE_FIELD)
        ):
            text = worded(
                "uses your rate of {rate} {currency} per GPU-hour; its file has none",
                rate=exact(contract.quoted_rate),
                currency=contract.currency,
            )
            others = [other for other in findings.project.contracts if other is not contract]
            without = with_terms(contract, {RATE_FIELD: None})
            moved = turn_words(contract, [*others, without], [*others, contract])
            words = joined(filter(None, (text, moved)), ". ")
            yield Check(code="rate_said", severity="info", subject=contract.contract_id, message=words)


def check_contracts_outside_window(findings: Findings) -> Iterator[Check]:
    """A log and contracts of two times: nothing of what is paid counts, and nothing else would say so."""
    project, window = findings.project, findings.project.window
    apart = contracts_apart(project.contracts, window)
    if apart is None or not project.workloads:
        return
    begins_s = project.plan_window.end_s
    if apart.runs_at(begins_s):
        remedy = worded("the plan starts {day} with the contracts then running", day=day(begins_s))
    elif apart.day_to_plan_from_s(window, window.end_s) is None:
        remedy = worded("import log and contracts of the same time")
    else:
        remedy = worded_both(
            "plan from a day when they run (--plan-from), or import log and contracts of the same time",
            "choose Plan > Plan from, or import log and contracts of the same time",
        )
    text = worded(
        "no contract overlaps the log ({start} to {end}; contracts {begin} to {over}). Today's figures price "
        "all usage on demand. {remedy}",
        start=day(window.start_s),
        end=day(window.end_s - 1),
        begin=day(apart.begin_s),
        over=worded("no end") if apart.end_s is None else day(apart.end_s - 1),
        remedy=remedy,
    )
    yield Check(code="contracts_outside_window", severity="amber", subject=worded("contracts"), message=text)


def check_stale_prices(findings: Findings) -> Iterator[Check]:
    """Offers that are old when the plan begins."""
    begins = findings.project.plan_window
    stale = [offer for offer in findings.project.offers if is_stale(offer, begins)]
    if stale:
        names = listed(offer.offer_id for offer in stale)
        is_later = begins is not findings.project.window
        old = worded_whole(
            len(stale),
            "{count} offer is over {days} days old {when}",
            "{count} offers are over {days} days old {when}",
            days=whole(STALE_DAYS),
            when=worded("at plan start") if is_later else worded("at the end of the lookback period"),
        )
        text = worded("{old}: {names}; ask for new rates", old=old, names=names)
        yield Check(code="stale_price", severity="info", subject="offers", message=text)


def check_unpriced_models(findings: Findings) -> Iterator[Check]:
    """Where there are prices, models that no offer prices by use for a class that ran on them."""
    project, cube = findings.project, findings.project.cube
    by_use = [offer for offer in project.offers if offer.rate and not offer.pricing_category.is_commitment]
    amounts: Counter[tuple[int, Pool]] = Counter()
    for at, place, amount in zip(
        cube.model_index.tolist(), cube.workload_index.tolist(), cube.row_totals.tolist(), strict=True
    ):
        amounts[at, findings.classifications[place].pool] += amount
    for at, model in enumerate(cube.gpu_models) if project.offers else ():
        ran = [pool for pool in POOLS if amounts[at, pool]]
        lacking = [
            pool
            for pool in ran
            if not any(only.ratio_for(project.mappings, model, offer.gpu_model, pool) for offer in by_use)
        ]
        if lacking:
            text = worded(
                "no on-demand rate{pools}: {hours} GPU-hours over contracts and their totals have no cost. "
                "{add}",
                pools="" if lacking == ran else worded(" for {pools}", pools=joined(lacking, ", ")),
                hours=decimals(sum(amounts[at, pool] for pool in lacking) / MILLI_GPU_SECONDS_PER_GPU_HOUR),
                add=propose_mapping(
                    nearest_models(model or "", (offer.gpu_model for offer in by_use)), model
                ),
            )
            yield Check(code="gpu_model_unpriced", severity="amber", subject=model, message=text)


def propose_mapping(nearest: Sequence[str], model: str | None) -> Message:
    """Ask for a rate; or name the priced models nearest by name, with the words that map to the first."""
    if not nearest or not model:
        return worded("Add a rate, or map to a priced model")
    mapping = shlex.quote(f"{model}={nearest[0]}:RATIO")
    return worded_both(
        "Add a rate, or map to {names}: --map-model {mapping}",
        "Add a rate, or map to {names}",
        names=joined(nearest, ", "),
        mapping=mapping,
    )


CHECK_RULES: Final[tuple[Callable[[Findings], Iterator[Check]], ...]] = (
    check_low_use,
    check_unmatched_models,
    check_clusters_without_log,
    check_clusters_without_contract,
    check_no_contracts,
    check_contention,
    check_activity,
    check_pending_review,
    check_possible_duplicates,
    check_imported_files,
    check_bills_read_before,
    check_short_log,
    check_discounts,
    check_contracts,
    check_contracts_outside_window,
    check_stale_prices,
    check_unpriced_models,
    lambda findings: model_checks(findings.project, findings.families),
)
"""One rule a row; commitment/plan/plan_checks.py has those of the plan.

A finding of both has the same words, and shows once.
"""


# --- Checks of placement: the way to the top 80% of users, and countries whose users no current site may serve

WHERE = worded("top 80% of users")


def place_checks(places: Places) -> tuple[Check, ...]:
    """What there is to say of users and sites; nothing where one of the two is not loaded.

    Source: docs/formulas/placement.md.
    """
    return tuple(_checks(places)) if places.can_be_placed else ()


def _checks(places: Places) -> Iterator[Check]:
    """The way over 80 ms; then countries that no current site may serve, where there is a current site at
    all.
    """
    current = current_placement(places).current
    mean, service = current.mean_one_way_ms, current.service
    if service.is_over_80 and mean is not None:
        text = worded(
            "{one_way} ms one way, {round_trip} ms round trip: over {limit} ms. Better sites: Placement",
            one_way=way_ms(mean),
            round_trip=way_ms(current.round_trip_ms),
            limit=whole(LONGEST_MS),
        )
        yield Check(code="transit_over_80_ms", severity="amber", subject=WHERE, message=text)
    if current.sites:
        for country in forbidden_countries((*service.unserved, *service.unserved_others)):
            text = worded("no current site may serve its users: add an allowed site or correct the rule")
            yield Check(code="residency_unserved", severity="red", subject=country, message=text)
