"""GPU families: the standard name for a written name of a GPU; and names that mean the same thing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import takewhile
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.tables import GpuModel
from gpuplanner.lazy_dataclass import dataclass, field, replace
from gpuplanner.lazy_re import lazy_re

# --- GPU families: the standard name for a written name, and its variant --------------------------

_SAYS_NOTHING: Final = lazy_re(
    r"nvidia|amd|intel|nvidia\.com|amd\.com|tesla|geforce|instinct|radeon|graphics|gpus?|gres|tensor|core|grid|mega|ac"
    r"|infiniband|ib|roce|ethernet|nvlink|nvswitch|accelerators?|hgx|dgx|oam|ls|x\d{1,2}|\d{1,2}x|sxm\d?|pcie?\d?|nvl\d*|hbm\d\w*|gddr\d\w*"
)
"""Words in a name that do not change the model."""
_SLICE: Final = lazy_re(r"(\d)(?:c\.\d)?g\.\d+gb(?:[.+]\w+)*")
_SEVENTHS: Final = 7
_SIZE: Final = lazy_re(r"(\d{1,4})(?:g|gb|gib)")
_NUMBER: Final = lazy_re(r"\d{2,3}")
_REWRITTEN: Final = (
    (lazy_re(r"(?<![a-z0-9.])(\d{1,4})[ _-]*(gb?|gib)(?![a-z0-9.])"), r"\1\2"),  # H100 80 GB
    (lazy_re(r"(?<![a-z0-9.])(\d{1,2}) ?x ?(?=[a-z])"), r"\1x "),  # 8xH100
    (lazy_re(r"(\d(?:gb?|[sx])?) ?x ?(\d{1,2})(?![a-z0-9])"), r"\1 x\2"),  # H100x8
    (lazy_re(r"(?<![a-z])(nvidia|tesla|geforce)(?=[a-z]*\d)"), r"\1 "),  # NVIDIAA100
    (lazy_re(r"(?<=\d)(?=(?:sxm|pcie?|nvl|hbm)\d?(?![a-z]))"), " "),  # h100sxm5
    (lazy_re(r"(?<=\d)m(\d{2})(?![a-z0-9])"), r" \1gb"),  # V100M32
    (lazy_re(r"\ba100l(?![a-z0-9])"), "a100 80gb"),  # a site's gres with 80 GB, next to its a100 with 40 GB
    (lazy_re(r"\bpg5\d{2}-\d{3}\b"), " "),  # A100-PG509-200: a board number
    (lazy_re(r"(?<![a-z0-9.])(\d)g-(\d+gb)(?![a-z0-9])"), r"\1g.\2"),  # mig-1g-5gb
)
_BETWEEN: Final = lazy_re(r"[^a-z0-9.+]+")
_ALIKE: Final = 0.1
"""Largest relative difference of memory sizes that are equal, with or without reserved memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuName:
    """The meaning of a written name. form: SXM, PCIe, ...; size: of its memory, if not the family's.

    part: for less than a whole GPU (`MIG 1g.10gb`); log readers count such jobs by their share. is_unsized: the family
    needs a memory size that the name does not state (A100: 40 or 80 GB).
    """

    family: str
    form: str = ""
    size: str = ""
    part: str = ""
    is_unsized: bool = False

    @property
    def variant(self) -> str:
        """`SXM`, `PCIe`, `32GB`, `PCIe 32GB`, `MIG 1g.10gb`; "" without a variant."""
        return " ".join(filter(None, (self.form, self.size, self.part)))

    @property
    def whole(self) -> "GpuName":
        """The whole GPU of a part; a whole GPU itself.

        >>> GpuName(family="H100", part="MIG 1g.10gb").whole.full
        'H100'
        """
        return replace(self, part="")

    @property
    def share(self) -> Fraction | None:
        """Share of a whole GPU: 1/7 for a slice 1g.10gb, 1 for a whole GPU; None for a part without a size.

        >>> GpuName(family="H100", part="MIG 3g.40gb").share, GpuName(family="H100", part="shared").share
        (Fraction(3, 7), None)
        """
        match = _SLICE.search(self.part)
        if match is None:
            return None if self.part else Fraction(1)
        return Fraction(int(match[1]), _SEVENTHS)

    @property
    def full(self) -> str:
        """Family and variant: `H100 PCIe`."""
        return " ".join(filter(None, (self.family, self.variant)))

    def may_be(self, other: "GpuName") -> bool:
        """Return whether both names may mean the same GPU: equal parts, and no stated form or size differs."""
        return self.part == other.part and all(
            not own or not two or own == two
            for own, two in ((self.form, other.form), (self.size, other.size))
        )


@dataclass(frozen=True, slots=True)
class _Known:
    """A family for reading names: words of each form, and memory sizes that are families of their own."""

    model: GpuModel
    forms: tuple[tuple[str, frozenset[str]], ...]
    sizes_apart: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Families:
    """A reader of GPU names for a table of GPU models."""

    models: tuple[GpuModel, ...]
    _aliases: dict[tuple[str, ...], _Known] = field(default_factory=dict)
    _read: dict[str, GpuName | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for model in self.models:
            if model.aliases == ("-",):  # facts of a variant: its name means the family
                continue
            known = _Known(model, tuple(_forms(model.variants)), model.sizes_apart)
            for alias in (model.name, *model.aliases):
                words = tuple(_words(alias))
                self._aliases[words] = self._aliases["".join(words),] = known
        self.__dict__["_longest"] = max(map(len, self._aliases), default=0)

    def read(self, written: str) -> GpuName | None:
        """Return family and variant of a name in any spelling; None if unknown.

        Law: read(read(x).family).family == read(x).family.
        """
        if written not in self._read:
            self._read[written] = self._look(written)
        return self._read[written]

    def facts(self, name: str) -> GpuModel | None:
        """Return the table's row for a name: of its variant if it has one, otherwise of its family; None if unknown.

        A part of a GPU has the facts of the whole GPU.
        """
        folded = name.casefold()
        exact = next((model for model in self.models if model.name.casefold() == folded), None)
        if exact is not None:
            return exact
        read = self.read(name)
        if read is None:
            return None
        named = (read.whole.full.casefold(), read.family.casefold())
        rows = {model.name.casefold(): model for model in self.models}
        return next((rows[name] for name in named if name in rows), None)

    def _look(self, written: str) -> GpuName | None:
        """Return the result for `read`; other words of the name are left to `_named`."""
        words = _words(written)
        match = next(self._matches(words), None)
        if match is None:
            return None
        known, first, past = match
        return _named(known, [*words[:first], *words[past:]])

    def _matches(self, words: Sequence[str]) -> Iterator[tuple[_Known, int, int]]:
        """Yield families whose aliases are in the words, longest first, then in order.

        With the indexes of the first word and after the last.
        """
        for length in range(min(self.__dict__["_longest"], len(words)), 0, -1):
            for first in range(len(words) - length + 1):
                known = self._aliases.get(tuple(words[first : first + length]))
                if known is not None:
                    yield known, first, first + length


def _named(known: _Known, rest: Sequence[str]) -> GpuName | None:
    """Return the name of a family with these other words; None if one is not understood."""
    model, form, size, apart = known.model, "", "", ""
    part = _part(rest)
    known_words = [word for word in rest if not _part([word])]
    for name, words in known.forms:
        if not form and any(word in words or word.rstrip("0123456789") in words for word in known_words):
            form = name
    for word in known_words:
        sized = _SIZE.fullmatch(word)
        if sized is None and _NUMBER.fullmatch(word):  # a100-40
            own = f"{word}GB" in known.sizes_apart or (
                not known.sizes_apart and _is_its_own(int(word), model)
            )
            sized = _NUMBER.fullmatch(word) if own else None
        if sized is not None:
            gb = int(lazy_re(r"\D").sub("", word))
            alike = [size for size in known.sizes_apart if int(size.removesuffix("GB")) == gb]
            if alike:
                apart = alike[0]
            elif not _is_its_own(gb, model) and not any(word in words for _, words in known.forms):
                size = f"{gb}GB"
        elif not _SAYS_NOTHING.fullmatch(word) and not any(word in words for _, words in known.forms):
            return None
    if apart and not size:
        return GpuName(family=f"{model.name} {apart}", form=form, part=part)
    if size and known.sizes_apart:
        return GpuName(family=f"{model.name} {size}", form=form, part=part)
    return GpuName(family=model.name, form=form, size=size, part=part, is_unsized=bool(known.sizes_apart))


def _part(words: Sequence[str]) -> str:
    """Return `MIG 1g.10gb`, `MIG` or `shared`; "" for a whole GPU."""
    if sliced := next(filter(_SLICE.fullmatch, words), ""):
        return f"MIG {sliced}"
    if "mig" in words:
        return "MIG"
    return "shared" if "shared" in words else ""


def _is_its_own(gb: int, model: GpuModel) -> bool:
    """Return whether a size equals the model's memory, with or without reserved memory."""
    return model.memory_gb is not None and abs(gb - model.memory_gb) <= _ALIKE * model.memory_gb


def _forms(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each form with its words from a cell `SXM=sxm|hgx;PCIe=pcie`."""
    for part in filter(None, text.split(";")):
        name, _, words = part.partition("=")
        yield name, frozenset(words.split("|"))


def _words(written: str) -> list[str]:
    """Return the words of a name in lower case; letters and digits of different parts are split."""
    text = written.casefold().strip()
    for pattern, apart in _REWRITTEN:
        text = pattern.sub(apart, text)
    return [word for word in (part.strip(".") for part in _BETWEEN.split(text)) if word]


@lru_cache(maxsize=4096)
def is_part(name: str) -> bool:
    """Return whether a name means less than a whole GPU, of a known or unknown model: a MIG slice or a shared GPU."""
    return bool(_part(_words(name)))


@lru_cache(maxsize=8)
def families_of(models: tuple[GpuModel, ...]) -> Families:
    """Return the reader of names for a table; cached with the names it has read."""
    return Families(models)


# --- Same: names of GPU models, clusters and workloads that the user declares equal ---------------


class SameKind(StrEnum):
    """Kind of object that two names mean."""

    MODEL = "model"
    CLUSTER = "cluster"
    WORKLOAD = "workload"


@dataclass(frozen=True, slots=True, order=True)
class Same:
    """A decision that `theirs` in files means `ours` in the project; equal names mean a separate object, decided.

    GPU models match regardless of case; clusters and workloads as written.
    """

    kind: SameKind
    theirs: str
    ours: str

    @property
    def is_own(self) -> bool:
        """Whether the name means only itself."""
        return self.theirs == self.ours

    @property
    def text(self) -> str:
        """The decision as on the command line: `cluster:en=main`."""
        return f"{self.kind}:{self.theirs}={self.ours}"


@dataclass(frozen=True, slots=True)
class StatedSame:
    """A decision as written.

    kind: None: not stated, follows from the names. where: FILE:ROW of a list, otherwise "".
    """

    kind: SameKind | None
    theirs: str
    ours: str
    where: str = ""

    @property
    def text(self) -> str:
        """The decision as typed: `cluster:en=main` or `en=main`."""
        return f"{self.theirs}={self.ours}" if self.kind is None else f"{self.kind}:{self.theirs}={self.ours}"


def check_same(same: Same) -> Same:
    """Return the decision if it is valid. Errors: PlannerError for an empty name.

    The empty name of a cluster is valid: it is the cluster of jobs without one.
    """
    if not same.ours or (not same.theirs and same.kind is not SameKind.CLUSTER):
        raise refusal(same.text, worded("a name is empty"), worded("name both"))
    return same


def partition_name(cluster: str, queue: str) -> str:
    """Return the name of a partition's jobs for a decision on clusters, since contracts may name it as a cluster.

    >>> partition_name("fox", "gpu-h100"), partition_name("", "gpu-h100")
    ('fox/gpu-h100', '/gpu-h100')
    """
    return f"{cluster}/{queue}"


def folded(kind: SameKind, name: str) -> str:
    """Return a name as key of the decisions of a kind.

    >>> folded(SameKind.MODEL, " H100 SXM "), folded(SameKind.CLUSTER, "Main")
    ('h100 sxm', 'Main')
    """
    return name.strip().casefold() if kind is SameKind.MODEL else name


def with_same(known: Iterable[Same], more: Iterable[Same]) -> tuple[Same, ...]:
    """Merge decisions, sorted; of two on one name the later counts. Errors: PlannerError for an empty name."""
    latest = {(same.kind, folded(same.kind, same.theirs)): check_same(same) for same in (*known, *more)}
    return tuple(sorted(latest.values()))


def names_of(same: Iterable[Same], kind: SameKind) -> dict[str, str]:
    """Return the decisions of a kind, ours by theirs (folded), including separate objects.

    Chains are followed to their end; names in a circle all mean the first by name.
    """
    ours = {folded(kind, decision.theirs): decision.ours for decision in same if decision.kind is kind}
    return {theirs: _last(theirs, ours, kind) for theirs in ours}


def _last(theirs: str, ours: Mapping[str, str], kind: SameKind) -> str:
    """Return the end of a chain of decisions; for a circle the first by name."""
    chain = [ours[theirs]]
    while (name := folded(kind, chain[-1])) in ours and ours[name] != chain[-1]:
        if ours[name] in chain:
            return min(chain[chain.index(ours[name]) :])
        chain.append(ours[name])
    return chain[-1]


def with_kind(stated: StatedSame, is_model: Callable[[str], bool], is_cluster: Callable[[str], bool]) -> Same:
    """Return a decision with its kind: as stated, otherwise models or clusters if either name is one, otherwise
    workloads.

    is_model, is_cluster: return whether the project has such a name.
    """
    kind, names = stated.kind, (stated.theirs, stated.ours)
    if kind is None and any(map(is_model, names)):
        kind = SameKind.MODEL
    elif kind is None:
        kind = SameKind.CLUSTER if any(map(is_cluster, names)) else SameKind.WORKLOAD
    return Same(kind, *names)


def name_of_nobody(same: Same, is_named: Callable[[str], bool], *, is_known: bool = False) -> str | None:
    """Return the name of a decision that does not exist; None if both do. is_known: ours is valid even if unused.

    is_named: returns whether an object of the project has a name.
    """
    if not is_named(same.theirs):
        return same.theirs
    return None if same.is_own or is_known or is_named(same.ours) else same.ours


def nearest_models(model: str, others: Iterable[str]) -> list[str]:
    """Return at most three names that share the longest beginning with a GPU model's name; empty without any.

    >>> nearest_models("A100", ["H100 SXM", "B200", "A10", "A100 80GB"])
    ['A100 80GB', 'A10']
    """

    def alike(name: str) -> int:
        """Return the length of the common beginning."""
        both = zip(name.casefold(), model.casefold(), strict=False)
        return len([*takewhile(lambda letters: letters[0] == letters[1], both)])

    near = filter(alike, {*others} - {model})
    return sorted(near, key=lambda name: (-alike(name), name.casefold()))[:3]
