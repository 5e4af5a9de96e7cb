"""What was read: the facts of a file by its kind, and the line that says them."""

import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gpuplanner.domain.figures.typed import day, decimals, short_day, significant, whole, worded_whole
from gpuplanner.domain.figures.window import QUALITY, SHARES
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded, worded_count
from gpuplanner.domain.model.amounts import grouped, known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import USD
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_history import newest
from gpuplanner.domain.model.intake import DataQuality, Facts, FileIntake
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOURS_PER_MONTH, instant_s, iso_utc
from gpuplanner.domain.reports.report import Column, Entry, each, entry, fields, named
from gpuplanner.files.importing.windowed_jobs import JobsRead
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables.mapped_cells import clean_model
from gpuplanner.files.values.amounts import quoted

# --- The facts of a file, as the JSON of `check` has them


def gpu_family(model: str) -> str:
    """A GPU of all kinds: H100 of `H100 PCIe`; a slice is of its own.

    >>> gpu_family("H100 PCIe (80GB)"), gpu_family("RTX A6000 (48 GB)")
    ('H100', 'RTX A6000')
    """
    read = gpu_families().read(model)
    if read is not None:
        return f"{read.family} {read.part}".strip()
    words = clean_model(model).name.split()
    return " ".join(words[: 2 if words[:1] and words[0].upper() in ("RTX", "GTX") else 1])


def job_facts(read: JobsRead) -> Facts:
    """What the jobs of a file add up to, as `check` lists it.

    Counts, GPU-hours, span, workloads, clusters and models.
    """
    return (
        ("jobs", read.jobs.count),
        ("gpu_jobs", read.jobs.gpu_jobs),
        ("gpu_hours", read.jobs.gpu_hours),
        ("peak_gpus", read.jobs.peak_milli_gpus / 1000),
        ("first_start", _iso(read.jobs.first_start_s)),
        ("last_end", _iso(read.jobs.last_end_s)),
        ("workloads", len(read.workloads)),
        ("clusters", sorted({workload.cluster for workload in read.workloads})),
        ("gpu_models", sorted(read.cube.gpu_models) if read.cube is not None else []),
        ("data_quality", quality_entry(read.jobs.quality)),
    )


def contract_facts(contracts: Sequence[Contract]) -> Facts:
    """usd_per_month: of all rows together, at 730 h, with what is prepaid; null where one has no rate in US dollars.

    quoted_per_month: in their currency, of those that state a rate; null where none does, or there are two currencies.
    """
    ends = [contract.end_s for contract in contracts]
    paid = known_sum(contract.cost_per_month for contract in contracts)
    quoted_rates = [(contract.gpus, float(contract.quoted_rate or 0)) for contract in contracts]
    monthly = sum(gpus * rate * HOURS_PER_MONTH for gpus, rate in quoted_rates)
    currency = _one_currency(contracts)
    quoted = paid if paid is not None and currency == USD else monthly
    return (
        ("contracts", len(contracts)),
        ("gpus", sum(contract.milli_gpus for contract in contracts if not contract.is_dollars) / 1000),
        ("first_start", _iso(min((contract.start_s for contract in contracts), default=None))),
        (
            "last_end",
            None if None in ends else _iso(max((end for end in ends if end is not None), default=None)),
        ),
        ("usd_per_month", paid),
        ("quotes_needed", sum(contract.rate is None for contract in contracts)),
        ("currency", currency),
        ("quoted_per_month", quoted if currency is not None and quoted else None),
        ("without_rate", sum(not rate for _, rate in quoted_rates)),
        ("clusters", sorted({contract.cluster for contract in contracts})),
        ("gpu_models", sorted({contract.gpu_model for contract in contracts if contract.gpu_model})),
    )


def offer_facts(rows: Sequence[Offer]) -> Facts:
    """earlier_rates: rows of an offer that a row of a newer day takes the place of."""
    offers, earlier = newest(rows)
    rates = [offer.bare_rate for offer in offers if offer.bare_rate is not None]
    return (
        ("offers", len(offers)),
        ("earlier_rates", len(earlier)),
        ("offers_by_category", dict(sorted(Counter(str(o.pricing_category) for o in offers).items()))),
        ("quotes_needed", len(offers) - len(rates)),
        ("lowest_rate_usd_per_gpu_hour", min(rates, default=None)),
        ("highest_rate_usd_per_gpu_hour", max(rates, default=None)),
        ("currency", _one_currency(offers)),
        ("rates_usd_per_gpu_hour", _rates_by_family(offers)),
        ("gpu_models", sorted({offer.gpu_model for offer in offers})),
        ("providers", sorted({offer.provider for offer in offers if offer.provider})),
        ("terms_months", sorted({offer.term_months for offer in offers})),
        ("oldest_as_of", min((offer.as_of for offer in offers if offer.as_of), default=None)),
        ("newest_as_of", max((offer.as_of for offer in offers if offer.as_of), default=None)),
    )


def project_facts(path: str, project: Project) -> Facts:
    """What a project holds, and how it is opened."""
    return (
        ("jobs", project.jobs.count),
        ("contracts", len(project.contracts)),
        ("offers", len(project.offers)),
        ("plans", len(project.scenarios)),
        ("clusters", sorted({workload.cluster for workload in project.workloads})),
        ("open_with", f"gpuplanner {shlex.quote(path)}"),
    )


def _one_currency(rows: Sequence[Contract | Offer]) -> str | None:
    """The currency that all rows are quoted in; None where there are several."""
    found = {row.currency for row in rows} or {USD}
    return found.pop() if len(found) == 1 else None


def _rates_by_family(offers: Sequence[Offer]) -> dict[str, dict[str, object]]:
    """By GPU family: its offers, and the lowest and highest rate, $ per GPU-hour with what is paid at once spread."""
    rates_of = grouped((gpu_family(offer.gpu_model), offer.spread_rate) for offer in offers)
    return {
        family: {
            "offers": len(rates),
            "lowest": min((rate for rate in rates if rate is not None), default=None),
            "highest": max((rate for rate in rates if rate is not None), default=None),
        }
        for family, rates in sorted(rates_of.items())
    }


def _iso(seconds: int | None) -> str | None:
    """UTC seconds as ISO text; None stays None."""
    return None if seconds is None else iso_utc(seconds)


def clusters_apart(files: Sequence[FileIntake]) -> Message:
    """That clusters of jobs have no contract while contracts have clusters without a job; empty where they fit.

    A contract serves the jobs of its own cluster alone.
    """
    facts: list[tuple[str, dict[str, Any]]] = [(file.kind, dict(file.facts)) for file in files]
    jobs, contracts = (
        {name for kind, of_file in facts if kind == wanted for name in of_file.get("clusters", ())}
        for wanted in ("jobs", "contracts")
    )
    theirs, ours = sorted(jobs - contracts), sorted(contracts - jobs)
    if not theirs or not ours:
        return NO_WORDS
    first, other = theirs[0], ours[0]
    how = (
        f"--cluster {shlex.quote(other)}"
        if not first
        else f"--same {shlex.quote(f'cluster:{first}={other}')}"
    )
    return worded(
        "clusters of jobs ({jobs}) and contracts ({contracts}) differ; contracts serve only their own. Match "
        "them, such as {how}",
        jobs=", ".join(name or "?" for name in theirs),
        contracts=", ".join(name or "?" for name in ours),
        how=how if other else f"--map {shlex.quote(f'contracts.cluster=={first}')}",
    )


# --- The line that says what was read: a row for each kind of file, made of its facts


Line = Callable[[Mapping[str, Any]], Sequence[Message]]
"""The parts of a line; none where there is nothing of the kind."""


def _jobs_line(facts: Mapping[str, Any]) -> Sequence[Message]:
    """`52,783 GPU jobs, 674,195 GPU-h, 24 May-22 Nov 2026, peak 310, A100 B200`."""
    if not facts.get("gpu_jobs"):
        return ()
    first, last = instant_s(facts["first_start"]), instant_s(facts["last_end"]) - 1
    begun = short_day(first) if facts["first_start"][:4] == iso_utc(last)[:4] else day(first)
    count = facts.get("job_steps")
    steps = [worded_whole(count, "{count} job step ignored", "{count} job steps ignored")] if count else []
    is_one_day = facts["first_start"][:10] == iso_utc(last)[:10]
    return (
        worded_whole(facts["gpu_jobs"], "{count} GPU job", "{count} GPU jobs"),
        worded("{gpu_hours} GPU-h", gpu_hours=whole(facts["gpu_hours"])),
        joined((day(last),) if is_one_day else (begun, "-", day(last))),
        worded("peak {gpus}", gpus=significant(facts["peak_gpus"])),
        joined((" ".join(model[:60] for model in facts["gpu_models"]) or worded("no GPU model"),)),
        *steps,
    )


def _offers_line(facts: Mapping[str, Any]) -> Sequence[Message]:
    """`25 offers, 5 providers, on demand 7, spot 2, 1-36 months, H100 $2.06-12.29`: of the family with most offers."""
    if not facts.get("offers"):
        return ()
    paid, earlier, sold = facts["offers_by_category"], facts["earlier_rates"], facts["providers"]
    terms = [months for months in facts["terms_months"] if months]
    span = "-".join(map(str, dict.fromkeys((*terms[:1], *terms[-1:]))))
    families = facts["rates_usd_per_gpu_hour"].items()
    family, rates = max(families, key=lambda one: (one[1]["lowest"] is not None, one[1]["offers"]))
    return (
        worded_whole(facts["offers"], "{count} offer", "{count} offers"),
        *((worded_whole(len(sold), "{count} provider", "{count} providers"),) if sold else ()),
        *(
            worded("{way} {count}", way=words, count=whole(paid[category]))
            for category, words in _BY_USE.items()
            if paid.get(category)
        ),
        *((worded_count(terms[-1], "{months} month", "{months} months", months=span),) if terms else ()),
        *_range(family, rates, facts["currency"]),
        *((worded_whole(earlier, "{count} earlier rate", "{count} earlier rates"),) if earlier else ()),
    )


def _range(family: str, rates: Mapping[str, Any], currency: str | None) -> Sequence[Message]:
    """`H100 $2.06-12.29`; nothing where no rate is known."""
    if rates["lowest"] is None:
        return ()
    ends = dict.fromkeys(decimals(round(rates[end], 2), 2) for end in ("lowest", "highest"))
    sign, code = ("$", "") if currency in (None, USD) else ("", f" {currency}")
    return (joined((f"{family[:60]} {sign}", joined(ends, "-"), code)),)


def _contracts_line(facts: Mapping[str, Any]) -> Sequence[Message]:
    """`7 contracts, 272 GPUs, $785,363 per month while all run`."""
    if not facts.get("contracts"):
        return ()
    month, lacking = facts["quoted_per_month"], facts["without_rate"]
    gpus = (worded_count(facts["gpus"], "{gpus} GPU", "{gpus} GPUs", gpus=significant(facts["gpus"])),)
    cost: list[Message] = []
    if month is not None:
        amount = quoted(whole(month), facts["currency"])
        at_least = worded("at least {amount} per month while all run", amount=amount)
        cost.append(at_least if lacking else worded("{amount} per month while all run", amount=amount))
    if lacking:
        cost.append(worded("{count} without a rate", count=whole(lacking)))
    return (
        worded_whole(facts["contracts"], "{count} contract", "{count} contracts"),
        *gpus[: bool(facts["gpus"])],
        *cost,
    )


def _nodes_line(facts: Mapping[str, Any]) -> Sequence[Message]:
    """`1,523 nodes, 5,234 GPUs, G2 4,392, T4 842`."""
    if not facts.get("nodes"):
        return ()
    return (
        worded_whole(facts["nodes"], "{count} node", "{count} nodes"),
        worded_count(facts["gpus"], "{gpus} GPU", "{gpus} GPUs", gpus=significant(facts["gpus"])),
        *(joined((model, significant(gpus)), " ") for model, gpus in facts.get("gpus_by_model", {}).items()),
    )


def _project_line(facts: Mapping[str, Any]) -> Sequence[Message]:
    """`27,006 jobs, 7 contracts, 25 offers, 1 plan, 3 clusters, open with: gpuplanner demo.gpuplan`."""
    return (
        worded_whole(facts["jobs"], "{count} job", "{count} jobs"),
        worded_whole(facts["contracts"], "{count} contract", "{count} contracts"),
        worded_whole(facts["offers"], "{count} offer", "{count} offers"),
        worded_whole(len(facts["clusters"]), "{count} cluster", "{count} clusters"),
        worded("open with: {command}", command=facts["open_with"]),
    )


_BY_USE: Final = {"STANDARD": worded("on demand"), "DYNAMIC": worded("spot"), "OWNED": worded("owned")}

LINES: Final[Mapping[str, Line]] = {
    "jobs": _jobs_line,
    "prices": _offers_line,
    "contracts": _contracts_line,
    "nodes": _nodes_line,
    "project": _project_line,
}
"""By kind of file."""


def line_of(kind: str, facts: Facts) -> Message:
    """What was read, in one line; empty where nothing was, or the kind of file has no line."""
    line = LINES.get(kind)
    return NO_WORDS if line is None else joined(line(dict(facts)), ", ")


# --- How much of a log is there, as documents have it: counts, gaps, shares, and what looks wrong --

HOURS_WITH_JOBS, *OF_JOBS = SHARES


def _share(key: str) -> Column:
    """One of its shares, 0..1; None where there is nothing to take a share of."""
    return named(QUALITY[key], lambda quality: quality.shares[key])


DATA_QUALITY: Final = fields(
    QUALITY["jobs"],
    QUALITY["hours"],
    QUALITY["busy_hours"],
    _share(HOURS_WITH_JOBS),
    each("gaps", fields(named("start", "start_s", "date"), named("end", "end_s", "date"), "hours")),
    "gap_hours",
    *map(_share, OF_JOBS),
    "long_running",
    "clock_skew",
    each("suspicious", fields("field", "value", "count")),
)


def quality_entry(quality: DataQuality | None) -> Entry | None:
    """The card for a JSON document: numbers, and times as ISO 8601; None where it is not known."""
    return None if quality is None else entry(DATA_QUALITY, quality)
