"""What workloads need of hardware, each value with where it is from, and what a row of the plan asks for."""

from collections.abc import Callable, Collection, Mapping
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.fit.rules import INTERCONNECT_RANK, TRAINING_MEMORY_LEAST_GB, TRAINING_MEMORY_WISHED_GB
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Row, gpu_model_of
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.book.remark import undecided
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.hardware_needs import NEED_SPECS, NOTHING_SET, NeedsSet, NeedValue
from gpuplanner.domain.model.places import NOTHING_CHOSEN
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.serving.load import Load, load_of
from gpuplanner.domain.serving.memory import cache_gb
from gpuplanner.domain.serving.replicas import terms_of
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- What a workload needs of hardware: each value with where it is from, a name too; what nobody knows is unknown

EXPERTS: Final = lazy_re(r"(?<![a-z0-9.])(\d{1,3})x(\d{1,4}(?:\.\d+)?)b(?![a-z0-9])")
BILLIONS: Final = lazy_re(r"(?<![a-z0-9.])(\d{1,4}(?:\.\d+)?)b(?![a-z0-9])")
MILLIONS: Final = lazy_re(r"(?<![a-z0-9.])(\d{2,4})m(?![a-z0-9])")

BYTES_BY_WORD: Final = (
    (lazy_re(r"(?<![a-z0-9])(?:fp32|f32)(?![a-z0-9])"), 4.0),
    (lazy_re(r"(?<![a-z0-9])(?:fp8|int8|w8a8|q8|8bit)(?![a-z0-9])"), 1.0),
    (lazy_re(r"(?<![a-z0-9])(?:int4|fp4|nvfp4|awq|gptq|q4|4bit)(?![a-z0-9])"), 0.5),
)
BF16_BYTES: Final = 2.0


@dataclass(frozen=True, slots=True)
class ModelSize:
    """Parameters in billions and bytes of each, with the word of the name that said so; None: it does not say."""

    parameters_billion: float | None = None
    word: str = ""
    bytes_per_parameter: float = BF16_BYTES
    precision_word: str = ""


def size_in_name(name: str) -> ModelSize:
    """What a name says: `llama-3.1-70b-awq` is 70 billion parameters of half a byte, `8x7b` at most 56 billion.

    Case does not matter, and `_` reads as `-`. Bytes of each parameter are 2 (BF16) where no word names
    another precision.

    >>> size_in_name("llama-3.1-70b-awq").parameters_billion, size_in_name("mixtral-8x7b").parameters_billion
    (70.0, 56.0)
    >>> size_in_name("nightly-batch").parameters_billion is None
    True
    """
    folded = name.casefold().replace("_", "-")
    billions, word = _parameters_in_name(folded)
    for pattern, size in BYTES_BY_WORD:
        match = pattern.search(folded)
        if match:
            return ModelSize(billions, word, size, match.group())
    return ModelSize(billions, word)


def _parameters_in_name(folded: str) -> tuple[float | None, str]:
    """Billions, and the word that says so. Experts come first, for `8x7b` holds `7b`; None and "" where the
    name says no size.
    """
    if match := EXPERTS.search(folded):
        return int(match[1]) * float(match[2]), match.group()
    if match := BILLIONS.search(folded):
        return (float(match[1]), match.group()) if float(match[1]) > 0 else (None, "")
    if match := MILLIONS.search(folded):
        return float(match[1]) / 1000, match.group()
    return None, ""


PLANNER, LOG, NAME, RULE, UNKNOWN, OF_MODEL = "planner", "log", "name", "rule", "unknown", "model"
SOURCES: Final = {
    PLANNER: worded("set by the planner"),
    LOG: worded("from the log"),
    NAME: worded("from the name"),
    RULE: worded("by its class"),
    OF_MODEL: worded("by its model"),
    UNKNOWN: worded("unknown"),
}


@dataclass(frozen=True, slots=True)
class Needed:
    """One need: its value (None: unknown, or nothing asked), its source (a key of SOURCES) and how it was found."""

    value: NeedValue
    source: str
    note: Text = ""

    @property
    def source_words(self) -> Message:
        """Where it is from: `from the name: 70b`."""
        return joined((SOURCES[self.source], self.note), ": ") if self.note else SOURCES[self.source]


Needs = Mapping[str, Needed]
"""By the names of NEED_SPECS: those that the class of the workload asks for."""

NOT_KNOWN: Final = Needed(None, UNKNOWN)


def number_of(needs: Needs, name: str) -> float | None:
    """A need as a number; None where it is unknown or not asked.

    name: of NEED_SPECS. A yes or no is no number: it counts as None.
    """
    value = needs[name].value if name in needs else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def several_nodes(needs: Needs) -> bool:
    """Whether a job runs on more than one node; where the log does not say, on one (as the plan takes it).

    needs: those of a training workload; classes that do not ask for nodes are on one.
    """
    return (number_of(needs, "nodes") or 1) > 1


def _nodes(workload: Workload, _: float) -> Needed:
    """The most nodes of a job; unknown where the log has no column for them."""
    if workload.max_nodes is None:
        return Needed(None, UNKNOWN, worded("no nodes in the log; one assumed"))
    return Needed(workload.max_nodes, LOG, worded("most nodes per job"))


def _gpus_per_node(workload: Workload, _: float) -> Needed:
    """GPUs of the largest job over its most nodes: an average, for the log does not say how they were spread."""
    if not workload.max_milli_gpus:
        return NOT_KNOWN
    note = worded("most GPUs per job") + (
        worded(", by its most nodes") if workload.max_nodes else worded(", one node assumed")
    )
    return Needed(workload.max_milli_gpus / 1000 / (workload.max_nodes or 1), LOG, note)


def _memory(workload: Workload, _: float) -> Needed:
    """The least that training asks of any GPU; what it wishes for is in the note."""
    note = worded(
        "at least {least} GB, better {wished} GB",
        least=whole(TRAINING_MEMORY_LEAST_GB),
        wished=whole(TRAINING_MEMORY_WISHED_GB),
    )
    return Needed(float(TRAINING_MEMORY_LEAST_GB), RULE, note)


def _interconnect(workload: Workload, _: float) -> Needed:
    """A fast network as soon as a job has more than one node."""
    if (workload.max_nodes or 1) > 1:
        return Needed(
            "infiniband",
            RULE,
            worded("InfiniBand or NVLink between {nodes} nodes", nodes=whole(workload.max_nodes)),
        )
    return Needed(None, RULE, worded("none on one node"))


def _parameters(workload: Workload, _: float) -> Needed:
    """Read from the name of a job, which says more than the cleaned name of its workload."""
    size = size_in_name(workload.sample_name or workload.name)
    if size.parameters_billion is None:
        return Needed(None, UNKNOWN, worded("no size in the name"))
    return Needed(size.parameters_billion, NAME, size.word)


def _bytes(workload: Workload, _: float) -> Needed:
    """The precision that the name gives, else BF16."""
    size = size_in_name(workload.sample_name or workload.name)
    if size.precision_word:
        return Needed(size.bytes_per_parameter, NAME, size.precision_word)
    return Needed(BF16_BYTES, RULE, worded("BF16 unless the name differs"))


def _active(_: Workload, active_hours: float) -> Needed:
    """Measured hours: the second argument of every finder, which the others do not need."""
    return Needed(active_hours, LOG, worded("hours it ran"))


FINDERS: Final[Mapping[str, Callable[[Workload, float], Needed]]] = {
    "memory_gb_per_gpu": _memory,
    "nodes": _nodes,
    "gpus_per_node": _gpus_per_node,
    "interconnect": _interconnect,
    "bare_metal": lambda *_: Needed(True, RULE),
    "own_cluster": lambda *_: Needed(True, RULE, worded("no other class next to it")),
    "parameters_billion": _parameters,
    "bytes_per_parameter": _bytes,
    "kv_cache_gb": lambda *_: Needed(None, UNKNOWN, worded("not in log or name")),
    "active_hours": _active,
}
"""How each need is found where the planner did not set it; from the workload and its active hours."""

NEEDS_OF_POOL: Final = {pool: tuple(spec.name for spec in NEED_SPECS if pool in spec.pools) for pool in Pool}


def needs_of(
    workload: Workload, pool: Pool, active_hours: float, planner: NeedsSet = NOTHING_SET
) -> dict[str, Needed]:
    """The needs of a workload of this class. active_hours: hours of the window in which it held GPUs.

    What the planner set counts before what was found. Returns only the needs that the class asks for, by
    name, each with its source.
    Nodes that the planner set decide the interconnect too, where the planner set none.
    Source: docs/formulas/hardware-fit.md, Needs of a workload.
    """
    answer = {}
    for name in NEEDS_OF_POOL[pool]:
        own = getattr(planner, name)
        answer[name] = FINDERS[name](workload, active_hours) if own is None else Needed(own, PLANNER)
    if pool is Pool.INFERENCE and planner.interconnect is None:
        answer["interconnect"] = Needed(None, RULE, worded("memory bandwidth, no interconnect"))
    elif pool is Pool.TRAINING and planner.nodes is not None and planner.interconnect is None:
        is_spread = planner.nodes > 1
        if is_spread:
            note = worded("InfiniBand or NVLink between {nodes} nodes", nodes=whole(planner.nodes))
        else:
            note = worded("none on one node")
        answer["interconnect"] = Needed("infiniband" if is_spread else None, RULE, note)
    return answer


def served_gb(needs: Needs) -> tuple[float | None, float | None]:
    """Weights in GB, and weights with the KV cache; None where a part is unknown. 1e9 x bytes = GB.

    Billions of parameters times bytes of each are GB as they are. Needs of an inference workload.
    Source: docs/formulas/hardware-fit.md, Needs of a workload.
    """
    size, width = number_of(needs, "parameters_billion"), number_of(needs, "bytes_per_parameter")
    cache = number_of(needs, "kv_cache_gb")
    weights = None if size is None or width is None else size * width
    return weights, None if weights is None or cache is None else weights + cache


# --- What a served model needs, as it is sized


def load_of_endpoint(project: Project, key: str, assumptions: Assumptions) -> Load | None:
    """The requests of an endpoint: those of a week where one was read, else its traffic; None without either.

    key: of the workload; an empty key is the endpoint that stands beside the log.
    Tokens of a request are as assumed where the file does not say. None, too, where the traffic says no
    number of requests.
    """
    week = project.serving.get(key, NOTHING_CHOSEN).week
    read = week if week is not None else project.traffic.get(key)
    return None if read is None else load_of(read, assumptions)


def as_sized(project: Project, key: str, needs: Needs) -> dict[str, Needed]:
    """Size and KV cache that an endpoint is sized with, where its model and requests are known; not what the planner
    set.

    Source: docs/formulas/sizing.md.
    """
    model, assumptions = project.serving.get(key, NOTHING_CHOSEN).model, project.assumptions
    load = load_of_endpoint(project, key, assumptions)
    if model is None or load is None:
        return {}
    held = cache_gb(
        model,
        concurrency=terms_of(assumptions).concurrency,
        context_tokens=load.tokens_per_request,
        longest_tokens=load.longest_tokens,
        kv_bytes_per_value=assumptions.serving_kv_bytes,
    )
    sized = {"parameters_billion": model.parameters / 1e9, "kv_cache_gb": held}
    return {
        name: Needed(value, OF_MODEL, model.name)
        for name, value in sized.items()
        if needs[name].source != PLANNER
    }


# --- What the workloads of a row of the plan need of hardware that is asked for: no more than one of them needs


@dataclass(frozen=True, slots=True)
class AskedNeeds:
    """What is asked of hardware. interconnect: of INTERCONNECTS; None, False: any will do. Units: GB of one GPU."""

    interconnect: str | None = None
    bare_metal: bool = False
    memory_gb: float | None = None

    def beside(self, other: "AskedNeeds") -> "AskedNeeds":
        """What serves both: of each need the greater."""
        faster = max(
            self.interconnect, other.interconnect, key=lambda name: INTERCONNECT_RANK.get(name or "", -1)
        )
        memory = max(self.memory_gb or 0.0, other.memory_gb or 0.0)
        return AskedNeeds(faster, self.bare_metal or other.bare_metal, memory or None)


NOTHING_ASKED: Final = AskedNeeds()


def is_quoted_with(offer: Offer, needs: AskedNeeds) -> bool:
    """Whether an offer is no less than some needs, or no quote: that states what it was asked for, and is not counted
    on for more.

    Source: docs/formulas/quotes.md, Quotes.
    """
    if answered_row(offer) is None:
        return True
    has, asked = (INTERCONNECT_RANK.get(network or "", -1) for network in (offer.network, needs.interconnect))
    return (
        has >= asked
        and (offer.bare_metal is True or not needs.bare_metal)
        and (offer.gpu_memory_gb or 0.0) >= (needs.memory_gb or 0.0)
    )


def holds_as_quoted(offer: Offer) -> bool:
    """Whether an offer is no quote, or of a firm row, of the SLA that its request asked for (one not stated counts as
    enough) and without a remark that waits to be decided."""
    answered, has = answered_row(offer), offer.sla_percent
    if answered is None:
        return True
    is_enough = has is None or has >= answered.sla_percent
    return is_enough and not answered.is_option and undecided(offer) is None


def asked_needs(
    project: Project, users: Mapping[Row, Floats], rows: Collection[Row]
) -> dict[Row, AskedNeeds]:
    """Of each row what its workloads need together; a row without workloads asks for nothing.

    users: GPU time of each row by workload of the project, (workloads,); who has none in it does not count.
    Source: docs/formulas/quotes.md, Requests for quote.
    """
    memory_of = _memory_of_offers(project)
    return {row: _together(project, row, users.get(row), memory_of) for row in rows}


def _together(
    project: Project, row: Row, gpu_time: Floats | None, memory_of: Mapping[str, float]
) -> AskedNeeds:
    """What the workloads of one row need. memory_of: the most GB that each GPU model is sold with."""
    sold_gb, asked = memory_of.get(gpu_model_of(row.name) or "", 0.0), NOTHING_ASKED
    for at in () if gpu_time is None else np.flatnonzero(gpu_time > 0).tolist():
        workload = project.workloads[at]
        needs = needs_of(workload, row.pool, 0.0, project.needs.get(workload.key, NOTHING_SET))
        asked = asked.beside(_asked_by(row.pool, needs, sold_gb))
    return asked


def _memory_of_offers(project: Project) -> dict[str, float]:
    """The most memory that offers of a GPU model have, GB."""
    most: dict[str, float] = {}
    for offer in project.offers:
        most[offer.gpu_model] = max(most.get(offer.gpu_model, 0.0), offer.gpu_memory_gb or 0.0)
    return most


def _asked_by(pool: Pool, needs: Needs, sold_gb: float) -> AskedNeeds:
    """What one workload needs. sold_gb: the most memory that its model is sold with.

    A network and bare metal only for jobs of several nodes, as a check would object to less; 80 GB for training where
    GPUs of the model have as much.
    """
    wants = needs["interconnect"].value if "interconnect" in needs else None
    is_fast = isinstance(wants, str) and INTERCONNECT_RANK[wants] > 0
    if pool is not Pool.TRAINING:
        return AskedNeeds(str(wants) if is_fast else None)
    is_spread = several_nodes(needs)
    is_own = needs["memory_gb_per_gpu"].source == "planner"
    memory = number_of(needs, "memory_gb_per_gpu") if is_own else float(TRAINING_MEMORY_LEAST_GB)
    return AskedNeeds(
        str(wants) if is_fast and is_spread else None,
        is_spread and needs["bare_metal"].value is True,
        memory if is_own or sold_gb >= TRAINING_MEMORY_LEAST_GB else None,
    )


def less_quoted(project: Project) -> Project:
    """The project, its lists of so many GPUs without those that quotes for the same at their rate or less stand for.

    Of several quotes for one row of a request the largest counts. The very same project where nothing was quoted.
    Source: docs/formulas/quotes.md, Quotes.
    """
    offers = project.offers
    quotes = [(o, row) for o in offers if (row := answered_row(o)) is not None and holds_as_quoted(o)]
    used: dict[tuple[str, str], int] = {}
    merged = []
    for offer in offers if quotes else ():
        left = offer.max_gpus
        for quote, row in quotes if left and answered_row(offer) is None else ():
            key = row.reference, row.row
            if left and _takes_place(quote, offer):
                so_far = used.get(key, 0)
                taken = min(left, max((quote.max_gpus or left + so_far) - so_far, 0))
                used[key], left = so_far + taken, left - taken
        merged += [] if left == 0 else [replace(offer, max_gpus=left)]
    return replace(project, offers=tuple(merged)) if quotes else project


def _takes_place(quote: Offer, listed: Offer) -> bool:
    """Whether a quote is of the model and term of a list, at its rate or less."""
    rate, most = quote.spread_rate, listed.spread_rate
    terms = [(offer.gpu_model, offer.term_months, offer.term_days) for offer in (quote, listed)]
    return terms[0] == terms[1] and rate is not None and most is not None and rate <= most
