"""A training run on every GPU model and number of GPUs: whether it fits, when it is done, and at which $."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import ceil, inf, isfinite
from typing import Final

from gpuplanner.domain.figures.typed import decimals, whole
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.message import Text, worded, worded_count
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.trained import Layout, Recompute, Sharding
from gpuplanner.domain.training.memory import Fit, fit_of, fitting
from gpuplanner.domain.training.run import (
    FURTHEST_DOUBLINGS,
    RECOMPUTED,
    Factors,
    Finish,
    MeasuredRun,
    Run,
    bubble,
    finish_of,
    network_s_of,
    overlapped,
    step_of,
)
from gpuplanner.lazy_dataclass import dataclass, field, replace

TOKENS_PER_STEP: Final = 2**22
"""Of a batch that nobody stated, about as published runs have it."""
LARGEST_RUN: Final = 16_384
SHOWN: Final = 4
NETWORKS_GBPS: Final = (100.0, 400.0, 800.0, 1600.0, 3200.0, 6400.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of every run. tokens: to train on. at_s: now, epoch seconds. deadline_h: hours from now in which it
    is to be done (None: none).

    measured: the same run as it went on so many of the same GPUs; its hours count in place of the formula's.
    virtual: shares that it takes longer on virtual machines, least and most (None: not stated).
    storage_gb_per_s: of checkpoints. whole_run: as of `finish_of`; own_runs: of the log, that it is the median of. kw:
    of one GPU in use, PUE in it, by GPU model; a model that is missing has none.
    """

    tokens: float
    at_s: int = 0
    deadline_h: float | None = None
    storage_gb_per_s: float = 10.0
    kw: Mapping[str, float] = field(default_factory=dict)
    measured: MeasuredRun | None = None
    virtual: tuple[float, float] | None = None
    whole_run: float | None = None
    own_runs: int = 0

    @property
    def own_words(self) -> Text:
        """What completed runs of the log say of whole runs; empty without any."""
        if not self.own_runs or self.measured is not None:
            return ""
        return worded_count(
            self.own_runs,
            "{count} completed run of this model in the log took {times} × these steps. Its tokens are unknown: other "
            "tokens do not change the hours",
            "{count} completed runs of this model in the log took {times} × these steps. Their tokens are unknown: "
            "other tokens do not change the hours",
            count=whole(self.own_runs),
            times=decimals(self.whole_run or 0.0, 2),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A run on so many of one GPU model. finish None: not known. offer: the cheapest way to hold them for all of it.

    usd, usd_low, usd_high: of the whole run, as whole terms where they are bought by the term; None without an offer.
    remedy: what would fit where the run is red. meets_deadline: with the lead of its offer.
    """

    fit: Fit
    finish: Finish | None
    offer: Offer | None
    usd: float | None
    usd_low: float | None
    usd_high: float | None
    kwh: float | None
    meets_deadline: bool | None
    remedy: Fit | None = None
    why: Text = ""

    @property
    def run(self) -> Run:
        """As it is laid out."""
        return self.fit.run


def cost_usd(offer: Offer, gpus: float, hours: float) -> float | None:
    """$ of so many GPUs for so many hours: by use its hours, else whole terms one after the other.

    None where it cannot be had so: without a rate, for fewer GPUs or for none so few.
    """
    rate = offer.rate
    sold = ceil(gpus / (offer.unit_gpus or 1)) * (offer.unit_gpus or 1)
    if (
        rate is None
        or not isfinite(hours)
        or not offer.sells(sold)
        or not 1 <= sold <= (offer.max_gpus or inf)
    ):
        return None
    if offer.pricing_category is PricingCategory.STANDARD:
        return sold * rate * hours
    if not offer.pricing_category.is_commitment or not offer.term_hours:
        return None
    if offer.term_months < offer.min_term_months and offer.term_days is None:
        return None
    terms = 1 if offer.starts and offer.ends else ceil(hours / offer.term_hours - 1e-9)
    if terms * offer.term_hours < hours - 1e-9:  # a block that ends before the run
        return None
    return sold * terms * (rate * offer.term_hours + offer.upfront)


def _is_open(offer: Offer, asked: Asked, hours: float) -> bool:
    """Whether it can still be ordered, has not ended, and is there early enough for the deadline."""
    if not offer.is_open_on(asked.at_s) or (offer.ends_s is not None and offer.ends_s <= asked.at_s):
        return False
    return asked.deadline_h is None or offer.lead_time_hours + hours <= asked.deadline_h


def cheapest_way(
    offers: Iterable[Offer], gpus: int, hours: float, asked: Asked
) -> tuple[Offer | None, float | None]:
    """The offer that holds so many GPUs for so long for the fewest $, and these. Ties: shorter term, offer_id."""
    costs = ((cost_usd(offer, gpus, hours), offer) for offer in offers if _is_open(offer, asked, hours))
    known = [(usd, offer.term_hours, offer.offer_id, offer) for usd, offer in costs if usd is not None]
    if not known:
        return None, None
    usd, _, _, offer = min(known, key=lambda entry: entry[:3])
    return offer, usd


# --- The layout of a run: of all that its GPUs hold, the fastest ----------------------------------

AS_FAST: Final = 1.005
"""Times the fastest step: the formula cannot tell such layouts apart, so the simplest is proposed."""
MOST_TENSOR: Final = 8
MOST_STAGES: Final = 64
LEAST_PART: Final = 4096
"""Tokens of a sequence that a GPU keeps: published layouts with context parallel have no fewer."""
MICRO_BATCHES: Final = (1.0, 2.0, 4.0, 8.0)
LAST: Final = 1_000_000
"""Added to the place of a layout that recomputes everything: it comes after those that do not."""
USUALLY_FREE: Final = frozenset(("recompute",))
POWERS: Final = tuple(2**at for at in range(10))


@lru_cache(maxsize=4096)  # other tokens, deadlines and prices ask for the same
def fastest(run: Run, free: frozenset[str], factors: Factors) -> Fit | None:
    """Of the layouts that the card holds and that are as fast as the fastest of them: the simplest, with memory to
    spare where the planner sets neither tensor parallel nor stages.

    Where the card holds none, that of least memory. free: parts of the layout that are searched, in words of SEARCHED.
    None: the parts that are set lie on no layout of its GPUs. Source: docs/formulas/training.md.
    """
    step = step_of(replace(run, layout=replace(run.layout, pp=1, recompute=Recompute.NONE)), factors)
    compute_s = 0.0 if step is None else step.compute_s
    timed: list[tuple[float, int, list[Layout]]] = []
    for at, (plain, again) in enumerate(_layouts(run, free)):
        if within := [layout for copies, layout in plain if copies <= run.batch]:
            of = replace(run, layout=within[0])
            longer_s, network_s = compute_s * bubble(of), network_s_of(of)
            timed.append((overlapped(longer_s, network_s), at, within))
            if again:
                full = [layout for copies, layout in again if copies <= run.batch]
                timed.append((overlapped(RECOMPUTED * longer_s, network_s), LAST + at, full))
    held: list[tuple[Light, int, Fit]] = []
    limit_s = inf
    for seconds, at, within in sorted(timed, key=lambda group: group[:2]):
        if seconds > limit_s:
            break
        if any(_fit(run, layout).holds for layout in _of_least_memory(within)):
            limit_s = min(limit_s, seconds * AS_FAST)
            fits = (fit for layout in within if (fit := _fit(run, layout)).holds)
            if {"tp", "pp"}.issubset(free):
                fit = min(fits, key=lambda fit: fit.light)
                held.append((fit.light, at, fit))
            else:
                held.append((Light.GREEN, at, next(fits)))
    if held:
        return min(held, key=lambda entry: entry[:2])[2]
    tight = (_fit(run, layout) for _, _, within in timed for layout in _of_least_memory(within))
    return min(tight, key=lambda fit: fit.memory.gib, default=None)


def _fit(run: Run, layout: Layout) -> Fit:
    return fit_of(replace(run, layout=layout))


def _of_least_memory(layouts: Sequence[Layout]) -> list[Layout]:
    """Those that cut most and keep least: of the others none needs less."""
    most, last = max(layout.tp * layout.cp for layout in layouts), layouts[-1]
    kept = last.sharding, last.recompute
    return [cut for cut in layouts if cut.tp * cut.cp == most and (cut.sharding, cut.recompute) == kept]


Laid = tuple[tuple[float, Layout], ...]
"""Layouts of one step time, simplest first, each with the sequences that its copies have in hand."""


def _layouts(run: Run, free: frozenset[str]) -> tuple[tuple[Laid, Laid], ...]:
    """Those that lie on the GPUs of a run: as they are, and with everything recomputed."""
    model = run.model
    experts = round((model.experts_per_token or 1) / (model.expert_share or 1.0))
    stages = (model.layers or 1) // (run.layout.interleave or 1)
    parts = max(1, run.sequence // LEAST_PART)
    return _groups(run.gpus, run.gpus_per_node, parts, stages, experts, run.layout, free)


@lru_cache(maxsize=512)
def _groups(
    gpus: int, node: int, parts: int, stages: int, experts: int, of: Layout, free: frozenset[str]
) -> tuple[tuple[Laid, Laid], ...]:
    """Layouts that lie on so many GPUs.

    Left out is what is never faster and needs no less memory: with stages the smaller cuts, larger micro-batches of all
    but full shards, and full shards over stages. parts, stages, experts: the most that each may be.
    """

    def sizes(name: str, most: int, every: Iterable[int]) -> list[int]:
        return [size for size in every if size <= most] if name in free else [getattr(of, name)]

    counts = range(1, 1 + min(MOST_STAGES, gpus))
    tps = sizes("tp", MOST_TENSOR, (size for size in counts if node % size == 0))
    pps = sizes("pp", stages, (size for size in counts if gpus % size == 0))
    cps, eps = sizes("cp", parts, POWERS), sizes("ep", experts, POWERS)
    micros = MICRO_BATCHES if "micro_batch" in free else (of.micro_batch,)
    classes: Sequence[tuple[Sharding, ...]] = ((of.sharding,),)
    if "sharding" in free:
        classes = ((Sharding.FSDP,), (Sharding.ZERO1, Sharding.ZERO2), (Sharding.HSDP,))
    again: tuple[Recompute, ...] = (Recompute.FULL,) if "recompute" in free else ()
    stated = Recompute.NONE if of.recompute is Recompute.NEVER else of.recompute
    kinds = (stated, Recompute.SELECTIVE) if again else (stated,)
    groups: list[Sequence[Layout]] = []
    for pp, ep, alike in product(pps, eps, classes):
        every = (replace(of, tp=tp, pp=pp, cp=cp, ep=ep, sharding=alike[0]) for cp in cps for tp in tps)
        cuts = [cut for cut in every if cut.lies_on(gpus)]
        if not cuts or (alike[0] is Sharding.FSDP and pp > 1 and "pp" in free):
            continue
        if alike[0] is Sharding.FSDP:
            least = min(cut.tp * cut.cp for cut in cuts)
            groups += [
                (replace(cut, micro_batch=size),)
                for size, cut in product(micros, cuts)
                if size == micros[0] or cut.tp * cut.cp == least
            ]
        elif pp > 1:
            widest = {cut.cp: cut for cut in cuts}.values()
            groups += [(replace(cut, sharding=sharding),) for sharding in alike for cut in widest]
        else:
            groups.append([replace(cut, sharding=sharding) for sharding in alike for cut in cuts])

    def laid(kinds: Sequence[Recompute], group: Sequence[Layout]) -> Laid:
        of_kinds = [replace(cut, recompute=kind) for kind in kinds for cut in group]
        return tuple((cut.data_parallel(gpus) * cut.micro_batch, cut) for cut in of_kinds)

    # few frameworks combine ZeRO-2 with stages
    groups.sort(key=lambda group: group[0].pp > 1 and group[0].sharding is Sharding.ZERO2)
    return tuple((laid(kinds, group), laid(again, group)) for group in groups)


def choice_of(
    run: Run, asked: Asked, factors: Factors, offers: Sequence[Offer], free: frozenset[str] = USUALLY_FREE
) -> Choice:
    """One run with all that is to say of it, on whichever network of its offers costs the fewest $.

    A run that states its network has that alone. free: parts of its layout that are searched. Ties: fewer hours.
    """
    by_network: dict[tuple[float | None, bool], list[Offer]] = {}
    for offer in offers:
        by_network.setdefault(_network(run, offer), []).append(offer)
    tried = [
        _on_one_network(replace(run, nic_gbps=gbps, is_rdma=is_rdma), asked, factors, alike, free)
        for (gbps, is_rdma), alike in (by_network or {(run.nic_gbps, run.is_rdma): []}).items()
    ]
    return min(
        tried,
        key=lambda costed: (
            costed.meets_deadline is False,
            inf if costed.usd is None else costed.usd,
            inf if costed.finish is None else costed.finish.hours,
        ),
    )


def _network(run: Run, offer: Offer) -> tuple[float | None, bool]:
    """Gb/s of a node and RDMA: of the run where it states them, else of the offer; RDMA else by its word."""
    if run.nodes <= 1 or run.nic_gbps is not None or not run.is_rdma:
        return run.nic_gbps, run.is_rdma
    return offer.nic_gbps, offer.interconnect != "ethernet" if offer.rdma is None else offer.rdma


def _on_one_network(
    run: Run, asked: Asked, factors: Factors, offers: Sequence[Offer], free: frozenset[str]
) -> Choice:
    """In the fastest layout that it holds; where none does, with what would."""
    fit = fastest(run, free, factors) or fit_of(run)
    would = fitting(fit.run)
    remedy = would if would.holds and not fit.holds else None
    finish = finish_of(fit.run, asked.tokens, factors, asked.storage_gb_per_s, asked.whole_run)
    if finish is None:
        unknown = worded("{precision} of {model} is not known", precision=run.precision, model=run.chip.name)
        return Choice(
            fit=fit,
            finish=None,
            offer=None,
            usd=None,
            usd_low=None,
            usd_high=None,
            kwh=None,
            meets_deadline=None,
            remedy=remedy,
            why=unknown,
        )
    why = asked.own_words
    if asked.measured is not None:
        finish = finish.taking(asked.measured.hours_on(run.gpus), *asked.measured.band_on(run.gpus))
        far = abs(asked.measured.doublings(run.gpus)) > FURTHEST_DOUBLINGS
        of_run = worded("hours measured; step time, tokens/s and MFU calculated")
        why = worded("over two doublings from the measured run: hours are rough") if far else of_run
    if not isfinite(finish.hours):
        why = worded("failures leave no headway")
    offer, usd = cheapest_way(offers, run.gpus, finish.whole_hours, asked)
    in_time = asked.deadline_h is None or (
        finish.whole_hours <= asked.deadline_h and (offer is not None or not offers)
    )
    if not in_time:  # its $ are known all the same
        offer, usd = cheapest_way(offers, run.gpus, finish.whole_hours, replace(asked, deadline_h=None))
    usd_low, usd_high = (
        None if offer is None else cost_usd(offer, run.gpus, hours)
        for hours in (finish.whole_low, finish.whole_high)
    )
    kw = asked.kw.get(run.chip.name)
    meets = None if asked.deadline_h is None else fit.holds and in_time
    kwh = None if kw is None or not isfinite(finish.hours) else kw * run.gpus * finish.whole_hours
    return Choice(
        fit=fit,
        finish=finish,
        offer=offer,
        usd=usd,
        usd_low=usd_low,
        usd_high=usd_high,
        kwh=kwh,
        meets_deadline=meets,
        remedy=remedy,
        why=why,
    )


def with_usual_batch(run: Run, batch: float | None, free: frozenset[str] = frozenset()) -> Run:
    """The run with the batch that is stated, else a usual one: every copy has at least one micro-batch.

    free: parts of the layout that are searched; copies are then as few as a layout can have.
    """
    laid = [copies for plain, _ in _layouts(run, free) for copies, _ in plain] if free else []
    least = min(laid, default=run.layout.data_parallel(run.gpus) * run.layout.micro_batch)
    return replace(run, batch=batch if batch else max(least, TOKENS_PER_STEP / run.sequence))


def sizes_of(node_gpus: int, gpus: int | None) -> tuple[int, ...]:
    """Numbers of GPUs to try: that which is stated, else whole nodes, doubling from one node."""
    if gpus is not None:
        return (gpus,)
    sizes = [node_gpus]
    while sizes[-1] < LARGEST_RUN:
        sizes.append(sizes[-1] * 2)
    return tuple(sizes)


def worth_showing(tried: Sequence[Choice]) -> tuple[Choice, ...]:
    """Of one GPU model: from the fewest GPUs on which it fits, so many doublings, and on to the deadline.

    Where the cards hold it nowhere the last one, which says so.
    """
    fits = [choice for choice in tried if choice.fit.holds]
    if not fits:
        return tuple(tried[-1:])
    keeping = next((at for at, choice in enumerate(fits, 1) if choice.meets_deadline), 0)
    return tuple(fits[: max(SHOWN, keeping + 1)])


def is_assumed(choice: Choice) -> bool:
    """Whether its speed is a usual share of the peak: no measurement of the GPU model, nor of one alike."""
    return choice.finish is not None and choice.finish.step.is_assumed


def notes_of(choice: Choice) -> tuple[Text, ...]:
    """What is to be said of a row: why it is unknown, what it fits by, where its efficiency is borrowed from."""
    borrowed = "" if choice.finish is None else choice.finish.step.note
    return tuple(filter(None, (choice.why, borrowed)))


def best_choice(choices: Iterable[Choice]) -> Choice | None:
    """The fewest $ among runs that keep the deadline and that the cards hold.

    Ties: measured GPU models, fewer hours, GPUs, name. None: there is none.
    """
    able = [
        choice
        for choice in choices
        if choice.finish is not None and isfinite(choice.finish.hours)
        if choice.fit.holds and choice.meets_deadline is not False
    ]
    priced = [choice for choice in able if choice.usd is not None]
    return min(
        priced or able,
        key=lambda choice: (
            choice.usd if choice.usd is not None else 0.0,
            is_assumed(choice),
            choice.finish.hours if choice.finish is not None else inf,
            choice.run.gpus,
            choice.run.chip.name,
        ),
        default=None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkCost:
    """What a network costs against the best of the node. hours, usd: more of the whole run; None where the rate is not
    known.

    times: its hours over those of the best. hidden_from: as of `Step`.
    """

    gpu_model: str
    nic_gbps: float
    times: float
    hours: float
    usd: float | None
    hidden_from_tokens: float


def network_costs(choice: Choice, asked: Asked, factors: Factors) -> tuple[NetworkCost, ...]:
    """Of one choice over usual networks up to that of its node. Empty on one node, of a measured run, or where unknown.

    $ at the rate of its offer, hour by hour. Source: docs/formulas/training.md.
    """
    run, best_gbps = choice.run, choice.run.chip.nic_gbps
    if run.nodes <= 1 or best_gbps is None or choice.finish is None or asked.measured is not None:
        return ()
    best_gbps *= run.gpus_per_node
    stated = () if run.nic_gbps is None else (run.nic_gbps,)
    networks = sorted({*(gbps for gbps in NETWORKS_GBPS if gbps < best_gbps), *stated, best_gbps})
    of_all = asked.tokens, factors, asked.storage_gb_per_s, asked.whole_run
    best = finish_of(replace(run, nic_gbps=best_gbps, is_rdma=True), *of_all)
    rows = []
    for gbps in networks:
        finish = finish_of(replace(run, nic_gbps=gbps), *of_all)
        assert best is not None and finish is not None  # as the choice has one
        if not isfinite(finish.hours):
            continue  # on such a network it never ends
        more = finish.whole_hours - best.whole_hours
        rate = None if choice.offer is None else choice.offer.spread_rate
        usd = None if rate is None else more * run.gpus * rate
        times, hidden_from = finish.hours / best.hours, finish.step.hidden_from
        rows.append(
            NetworkCost(
                gpu_model=run.chip.name,
                nic_gbps=gbps,
                times=times,
                hours=more,
                usd=usd,
                hidden_from_tokens=hidden_from,
            )
        )
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Virtual:
    """A run on virtual machines, by the planner's own range. usd_low, usd_high: more than without; None: no price."""

    hours_low: float
    hours_high: float
    usd_low: float | None
    usd_high: float | None


def virtual_of(choice: Choice, asked: Asked) -> Virtual | None:
    """None where no range is stated, or the run's hours are not known.

    $ as `cost_usd` has them of so many hours more. Source: docs/formulas/training.md.
    """
    finish, offer, usd = choice.finish, choice.offer, choice.usd
    if asked.virtual is None or finish is None or not isfinite(finish.hours):
        return None
    low, high = (finish.whole_hours * (1 + share) for share in asked.virtual)
    costs = [None if offer is None else cost_usd(offer, choice.run.gpus, hours) for hours in (low, high)]
    return Virtual(low, high, *(None if bound is None or usd is None else bound - usd for bound in costs))
