"""A proposal: which column of an unknown table is which field of a job, by name and by values, with the reasons."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from gpuplanner.domain.model.worded import NO_WORDS, Message, joined, worded
from gpuplanner.files.job_logs.judging.column_names import (
    PER_NODE,
    NameReading,
    name_readings,
    writes_day_first,
)
from gpuplanner.files.job_logs.mapping.any_table import TableLayout, plain_layout
from gpuplanner.files.job_logs.slurm.sacct_layout import are_job_ids
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.column_mapping import (
    MAPPED_FIELDS,
    NUMBERS,
    UNITS_OF,
    ColumnMapping,
    mapping_text,
)
from gpuplanner.files.tables.fields import DURATION, JOB_HOLDS, Holds
from gpuplanner.files.values import column_values as values
from gpuplanner.files.values.amounts import COMMA
from gpuplanner.files.values.column_values import ValueReading
from gpuplanner.files.values.number_forms import ColumnStyle, column_style, plain_number

REQUIRED: Final = ("gpus", "start", "end")

_OPTIONAL_FROM: Final = 0.45
"""A field that is not needed is mapped from this confidence on; one that is needed from any."""

SURE: Final = 0.75
"""From this confidence on a field that is needed is read without being asked about."""

_SURE_OPTIONAL: Final = 0.5
"""The same of one that is not needed; below it the column is left out, and that is said."""

_ORDER: Final = ("start", "end", "gpus", DURATION, "job_id", "name", "user", "account")

_FITS: Final[Mapping[Holds, Callable[[Sequence[str], str], ValueReading]]] = {
    Holds.TIME: values.as_time,
    Holds.LENGTH: values.as_duration,
    Holds.GPUS: values.as_gpus,
    Holds.SHARE: values.as_activity,
    Holds.WHOLE: lambda texts, _: values.as_count(texts),
    Holds.STATE: lambda texts, _: values.as_state(texts),
    Holds.CLASS: lambda texts, _: values.as_class(texts),
    Holds.MODEL: lambda texts, _: values.as_gpu_model(texts),
    Holds.ID: lambda texts, _: values.as_id(texts),
}
"""How texts are held against what a field holds; any words may be those of others."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A column for a field. place: from 0; unit: of --map, empty where none applies; reasons and note in words."""

    field: str
    place: int
    unit: str
    confidence: float
    reasons: tuple[Message, ...]
    note: Message = NO_WORDS

    @property
    def why(self) -> Message:
        """All reasons in one line."""
        return joined(self.reasons, "; ")

    def is_sure(self, least: float = SURE) -> bool:
        """Whether the column and its unit are told by more than a guess."""
        return self.confidence >= least and not self.note


@dataclass(frozen=True, slots=True)
class Proposal:
    """mapping: of all that was found, also where something is lacking; None where nothing of use was.

    lacking: what no column was found for, in words.
    """

    mapping: ColumnMapping | None
    guesses: Mapping[str, Guess]
    lacking: tuple[Message, ...]

    @property
    def words(self) -> str | None:
        """What --map would be given; None where a log cannot be read by it."""
        return mapping_text(self.mapping) if self.mapping is not None and self.is_complete else None

    @property
    def is_complete(self) -> bool:
        """Whether a log can be read by it."""
        return self.mapping is not None and not self.lacking

    @property
    def doubts(self) -> tuple[Message, ...]:
        """What is to be said by hand before a log is read by it, in words; empty where nothing is."""
        needed = ("gpus", "start", "end" if "end" in self.guesses else DURATION)
        unsure = (self.guesses[name] for name in needed if name in self.guesses)
        return (*self.lacking, *(_doubt(guess) for guess in unsure if not guess.is_sure()))

    @property
    def sure_mapping(self) -> ColumnMapping | None:
        """What may be read without asking, of its columns those that are sure; None where one that is needed is not."""
        if self.mapping is None or self.doubts:
            return None
        needed = ("gpus", "start", "end" if "end" in self.guesses else DURATION)
        columns = {
            name: column
            for name, column in self.mapping.columns.items()
            if name in needed or self.guesses[name].is_sure(_SURE_OPTIONAL)
        }
        return ColumnMapping(
            columns, {name: unit for name, unit in self.mapping.units.items() if name in columns}
        )


def to_map(proposal: Proposal) -> Message:
    """What to write where a proposal is complete and not sure, and why it was not used. Its words are not None."""
    remedy = worded("it may be read with --map {mapping}", mapping=shlex.quote(proposal.words or ""))
    doubts = proposal.doubts
    return worded("{remedy} ({doubts})", remedy=remedy, doubts=joined(doubts, "; ")) if doubts else remedy


def _doubt(guess: Guess) -> Message:
    """Why a field is not sure, in words."""
    why = guess.note or worded("its name alone does not say so")
    return worded("{name} is not sure: {why}", name=guess.field, why=why)


@lru_cache(maxsize=8)
def proposal_for(source: Source) -> Proposal | None:
    """What is proposed for a file, kept: several ask it of one; None where it is no table.

    Errors: PlannerError where it cannot be read.
    """
    layout = plain_layout(source)
    return None if layout is None else proposal_of(layout)


def proposal_of(layout: TableLayout) -> Proposal:
    """What is proposed for a table."""
    has_header = layout.header_at is not None or layout.json is not None
    return propose_mapping(
        layout.headings, layout.rows, has_header=has_header, is_comma=layout.delimiter == ";"
    )


def propose_mapping(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    has_header: bool = True,
    is_comma: bool = False,
) -> Proposal:
    """From the headings and first rows (as wide as the headings) of a table. Nothing is decided without its reason.

    is_comma: its columns are parted as where decimals have a comma, which decides where no number does.
    """
    columns = [[row[place] for row in rows] for place in range(len(headings))]
    readings = [name_readings(heading) if has_header else {} for heading in headings]
    styles = _styles(columns, readings, is_comma=is_comma)
    plain = [
        [plain_number(text, style.style) for text in texts]
        for texts, style in zip(columns, styles, strict=True)
    ]
    is_day_first = any(style.style == COMMA for style in styles) or any(map(writes_day_first, headings))
    candidates = [
        guess
        for place, heading in enumerate(headings)
        for field, reading in readings[place].items()
        if (guess := _by_name(field, place, heading, reading, plain[place], is_day_first)) is not None
    ]
    if has_header and (limit := _squeue_limit(headings)) is not None:
        candidates = [guess for guess in candidates if guess.place != limit and guess.field != DURATION]
        candidates.append(_squeue_elapsed(headings))
    rank = {field: place for place, field in enumerate((*_ORDER, *MAPPED_FIELDS))}
    candidates.sort(key=lambda guess: (-guess.confidence, rank[guess.field], guess.place))
    chosen: dict[str, Guess] = {}
    taken: set[int] = set()
    for guess in candidates:
        is_sure = guess.confidence >= _OPTIONAL_FROM or guess.field in (*REQUIRED, DURATION)
        if is_sure and guess.field not in chosen and guess.place not in taken:
            chosen[guess.field] = guess
            taken.add(guess.place)
    _add_times(chosen, columns, taken)
    if not has_header:
        _add_counts_and_ids(chosen, plain, taken)
    if DURATION in chosen:
        chosen[DURATION] = _with_known_spans(chosen, plain)
    _confirm(chosen, columns)
    _count_over_nodes(chosen)
    _look_for_clocks(chosen, columns, readings)
    chosen = {field: _styled(guess, styles[guess.place]) for field, guess in chosen.items()}
    return _as_proposal(chosen, headings)


def _styles(
    columns: Sequence[Sequence[str]], readings: Sequence[Mapping[str, NameReading]], *, is_comma: bool
) -> list[ColumnStyle]:
    """How the numbers of each column are written; where one column leaves it open the others tell."""

    def of(place: int, elsewhere: str = "") -> ColumnStyle:
        """How the numbers of a column are written: decimal point or comma, lists.

        The plain way if it holds none.
        """
        fields = readings[place]
        is_number = not fields or not set(NUMBERS).isdisjoint(fields)
        if not is_number or any(one.unit in ("list", "slurm") for one in fields.values()):
            return ColumnStyle()
        texts = values.known(columns[place])
        return column_style(texts, may_list=not fields or "gpus" in fields, elsewhere=elsewhere)

    alone = [of(place) for place in range(len(columns))]
    said = {style.style for style in alone if style.style and not style.note}
    elsewhere = said.pop() if len(said) == 1 else COMMA if is_comma and not said else ""
    return [of(place, elsewhere) if elsewhere else alone[place] for place in range(len(columns))]


def _styled(guess: Guess, style: ColumnStyle) -> Guess:
    """A number with the style of its column, as a part of its unit."""
    if guess.field not in NUMBERS or not style.style or guess.unit in ("list", "slurm"):
        return guess
    return replace(
        guess, unit=":".join(filter(None, (guess.unit, style.style))), note=guess.note or style.note
    )


def _count_over_nodes(chosen: dict[str, Guess]) -> None:
    """A count for each node is one of the job where the nodes are told."""
    gpus, nodes = chosen.get("gpus"), chosen.get("nodes")
    if (
        gpus is not None
        and nodes is not None
        and gpus.note == PER_NODE
        and nodes.confidence >= _OPTIONAL_FROM
    ):
        reasons = (*gpus.reasons, worded("times the nodes"))
        chosen["gpus"] = replace(gpus, unit="per_node", confidence=0.9, reasons=reasons, note=NO_WORDS)


def _look_for_clocks(
    chosen: dict[str, Guess], columns: Sequence[Sequence[str]], readings: Sequence[Mapping[str, NameReading]]
) -> None:
    """A date whose time of day stands in a column of its own would be read as midnight: that is asked about."""
    for field in ("start", "end"):
        guess = chosen.get(field)
        clocks = [
            place
            for place, fields in enumerate(readings)
            if field in fields
            and (guess is None or place != guess.place)
            and values.are_clocks(columns[place])
        ]
        if guess is not None and clocks and values.are_days(columns[guess.place]):
            note = worded(
                "its texts are days without a time, which stands in a column of its own: put the two into one column"
            )
            chosen[field] = replace(guess, note=note)


def _confirm(chosen: dict[str, Guess], columns: Sequence[Sequence[str]]) -> None:
    """What the values bear out: from and to whose times are in that order, ids none of which repeats."""
    if "start" in chosen and "end" in chosen:
        both = [chosen[field] for field in ("start", "end")]
        instants = [[values.instant_s(text, one.unit) for text in columns[one.place]] for one in both]
        if all(one.confidence >= 0.4 and not one.note for one in both) and _precedes(*instants):
            for one in both:
                reasons = (*one.reasons, worded("no end is before its start"))
                chosen[one.field] = replace(one, confidence=max(one.confidence, 0.8), reasons=reasons)
    if "job_id" in chosen and not chosen["job_id"].note:
        said = values.known(columns[chosen["job_id"].place])
        if len(said) > 2 and len(set(said)) == len(said):
            reasons = (*chosen["job_id"].reasons, worded("none of its values repeats"))
            confidence = max(chosen["job_id"].confidence, 0.9)
            chosen["job_id"] = replace(chosen["job_id"], confidence=confidence, reasons=reasons)


_SQUEUE_ELAPSED: Final = ("time", "time_used")


def _squeue_limit(headings: Sequence[str]) -> int | None:
    """The place of squeue's END_TIME, which is when a running job has to end and not when it did; None elsewhere."""
    names = [heading.strip().casefold() for heading in headings]
    is_squeue = {"jobid", "end_time"} <= set(names) and not set(_SQUEUE_ELAPSED).isdisjoint(names)
    return names.index("end_time") if is_squeue else None


def _squeue_elapsed(headings: Sequence[str]) -> Guess:
    """The guess for squeue's listing: the time so far, as END_TIME is only the limit."""
    names = [heading.strip().casefold() for heading in headings]
    place = next(names.index(name) for name in _SQUEUE_ELAPSED if name in names)
    reasons = (worded("it is squeue's time so far"), worded("its END_TIME is a limit"))
    return Guess(DURATION, place, UNITS_OF[DURATION][0], 0.9, reasons)


def _by_name(
    field: str, place: int, heading: str, reading: NameReading, texts: Sequence[str], is_day_first: bool
) -> Guess | None:
    """A guess from what a column is called, weighed with how well its values fit; None if hardly."""
    fits = _FITS.get(JOB_HOLDS[field])
    stated = reading.unit or ("dmy" if is_day_first and field in ("start", "end") else "")
    found = fits(texts, stated) if fits is not None else values.as_words(texts)
    if not values.known(texts) and field in (*REQUIRED, DURATION):
        unit = reading.unit if reading.unit in UNITS_OF[field] else UNITS_OF[field][0]
        found = ValueReading(0.6, unit, 0.5, note=worded("its first rows are empty"))
    confidence = reading.confidence * min(1.0, found.share) * (0.6 + 0.4 * found.sure)
    if found.share < 0.3 or confidence < 0.1:
        return None
    why = worded("it is called {heading}", heading=heading)
    return Guess(
        field,
        place,
        found.unit if field in UNITS_OF else "",
        round(confidence, 2),
        (why, found.why) if found.why else (why,),
        joined(filter(None, (reading.note, found.note)), "; "),
    )


def _add_times(chosen: dict[str, Guess], columns: Sequence[Sequence[str]], taken: set[int]) -> None:
    """Start and end from columns of times whose names say nothing: each row's end is not before its start."""
    lacking = [
        field
        for field in ("start", "end")
        if field not in chosen and not (field == "end" and DURATION in chosen)
    ]
    if not lacking:
        return
    times: list[tuple[int, ValueReading, list[int | None]]] = []
    for place, texts in enumerate(columns):
        found = values.as_time(texts) if place not in taken else ValueReading(0.0)
        if found.share >= 0.75 and found.sure >= 0.5:
            times.append((place, found, [values.instant_s(text, found.unit) for text in texts]))
    known_times = {
        field: [values.instant_s(text, chosen[field].unit) for text in columns[chosen[field].place]]
        for field in ("start", "end")
        if field in chosen
    }
    by_values = worded("by its values alone: ")

    def choose(field: str, place: int, found: ValueReading, sure: float, why: Message, note: Message) -> None:
        """Takes a column for a field by its values alone, and keeps it from other fields."""
        chosen[field] = Guess(field, place, found.unit, sure, (by_values + why,), note)
        taken.add(place)

    if lacking == ["start", "end"]:
        pairs = [
            (first, second)
            for first in times
            for second in times
            if first is not second and _precedes(first[2], second[2])
        ]
        if pairs:  # of submit, start and end it is the last two
            both = max(pairs, key=lambda pair: (_typical(pair[1][2]), _typical(pair[0][2])))
            for field, (place, found, _) in zip(lacking, both, strict=True):
                choose(field, place, found, 0.4, found.why, worded("no name says what it is"))
        return
    no_name = worded("no name says so")
    starts = known_times.get("start", ())
    after = [one for one in times if starts and _precedes(starts, one[2])]
    ends = known_times.get("end", ())
    before = [one for one in times if ends and _precedes(one[2], ends)]
    if after:
        place, found, _ = min(after, key=lambda one: _typical(one[2]))
        choose("end", place, found, 0.35, worded("never before the start"), no_name)
    elif before:
        place, found, _ = max(before, key=lambda one: _typical(one[2]))
        choose("start", place, found, 0.35, worded("never after the end"), no_name)


def _typical(instants: Sequence[int | None]) -> int:
    """The latest of some instants: near enough to tell a time from a small number."""
    return max((at for at in instants if at is not None), default=0)


def _precedes(first: Sequence[int | None], second: Sequence[int | None]) -> bool:
    """Whether one column of times lies before another in 95% of the rows, at least once strictly."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    return (
        len(pairs) >= 2
        and sum(a <= b for a, b in pairs) >= 0.95 * len(pairs)
        and any(a < b for a, b in pairs)
    )


def _add_counts_and_ids(chosen: dict[str, Guess], columns: Sequence[Sequence[str]], taken: set[int]) -> None:
    """GPUs and ids of a table without a header: small whole numbers, and texts that never repeat."""
    free = [place for place in range(len(columns)) if place not in taken]
    of_gpus = [place for place in free if "gres/gpu" in " ".join(values.known(columns[place]))]
    of_gpus += [place for place in free if _is_small_count(columns[place])]
    if "gpus" not in chosen and of_gpus:
        place = of_gpus[0]
        found = values.as_gpus(columns[place])
        note = worded("no name says so: look whether these are GPUs")
        chosen["gpus"] = Guess(
            "gpus", place, found.unit, 0.3, (worded("by its values alone: ") + found.why,), note
        )
        taken.add(place)
    of_slurm = [place for place in free if place not in taken and are_job_ids(values.known(columns[place]))]
    if "job_id" not in chosen and of_slurm:
        why, note = worded("its values are like Slurm's job ids"), worded("no name says so")
        chosen["job_id"] = Guess("job_id", of_slurm[0], "", 0.7, (why,), note)
        taken.add(of_slurm[0])
    for place in free:
        said = values.known(columns[place])
        is_free = "job_id" not in chosen and place not in taken
        is_distinct = (
            len(said) > 1 and len(set(said)) == len(said) and not any("." in one for one in said[:5])
        )
        if is_free and is_distinct and values.as_id(said).share:
            why, note = worded("none of its values repeats"), worded("no name says so")
            chosen["job_id"] = Guess("job_id", place, "", 0.45, (why,), note)
            taken.add(place)


def _is_small_count(texts: Sequence[str]) -> bool:
    """Whether the values are whole counts up to 1,024 with few different ones, as counts of GPUs are."""
    said = values.known(texts)
    numbers = values.numbers_of(said)
    is_small = bool(numbers) and len(numbers) == len(said) and min(numbers) >= 0 and 1 <= max(numbers) <= 1024
    return is_small and len(set(numbers)) <= max(4, len(numbers) / 3)


def _with_known_spans(chosen: Mapping[str, Guess], columns: Sequence[Sequence[str]]) -> Guess:
    """The duration, in the unit in which it is the time from start to end."""
    guess = chosen[DURATION]
    if "start" not in chosen or "end" not in chosen:
        return guess
    texts, spans = [], []
    starts, ends = (chosen[field] for field in ("start", "end"))
    for text, begun, ended in zip(
        columns[guess.place], columns[starts.place], columns[ends.place], strict=True
    ):
        from_s, to_s = values.instant_s(begun, starts.unit), values.instant_s(ended, ends.unit)
        if from_s is not None and to_s is not None:
            texts.append(text)
            spans.append(to_s - from_s)
    unit = values.unit_of_lengths(texts, spans)
    if unit is None:
        return guess
    reasons = (guess.reasons[0], worded("in this unit it is the time from start to end"))
    return replace(guess, unit=unit, confidence=max(guess.confidence, 0.95), reasons=reasons, note=NO_WORDS)


def _as_proposal(chosen: Mapping[str, Guess], headings: Sequence[str]) -> Proposal:
    """The guesses as a mapping; none at all if no field of use was found.

    Units that are the usual ones are left out.
    """
    columns = {field: headings[chosen[field].place] for field in MAPPED_FIELDS if field in chosen}
    units = {
        field: chosen[field].unit
        for field in columns
        if chosen[field].unit
        and (field == DURATION or chosen[field].unit != next(iter(UNITS_OF.get(field, ())), ""))
    }
    mapping = ColumnMapping(columns, units)
    lacking = tuple(worded("no column for {name}", name=name) for name in mapping.lacking)
    is_of_use = any(field in columns for field in ("gpus", "start", "end", DURATION))
    return Proposal(mapping if is_of_use else None, chosen, lacking)
