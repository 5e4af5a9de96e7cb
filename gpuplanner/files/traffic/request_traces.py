"""Traces of requests: what each kind calls the time and tokens of a request, and its rows as a table of the engine."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.files.sources.json_objects import json_records, text_of
from gpuplanner.files.sources.json_values import json_paths
from gpuplanner.files.sources.raw_table import RawTable, load_raw, load_records
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables.headers import header_columns

OURS: Final = worded("it is a list of requests with their tokens")

FROM_BEGINNING_US: Final = {"ms": 1_000, "s": 1_000_000}
"""Microseconds of a unit in which times count from the beginning of a trace."""


@dataclass(frozen=True, slots=True)
class RequestForm:
    """format: empty where it has no name. time, context, generated: names in small letters, the best first.

    marks: names that such a trace has besides. unit: of times that count from the beginning of the trace; empty where
    they have dates. is_json: objects, else a table. date: how the time of its first request begins.
    """

    format: str
    why: Message
    time: tuple[str, ...]
    context: tuple[str, ...]
    generated: tuple[str, ...]
    marks: tuple[str, ...] = ()
    unit: str = ""
    is_json: bool = False
    date: str = ""

    def fits(self, names: Sequence[str]) -> bool:
        """Whether these names tell the time and tokens of requests as this kind does."""
        has_all = all(set(names) & set(known) for known in (self.time, self.context, self.generated))
        return has_all and set(self.marks) <= set(names)


_LENGTHS: Final = (("timestamp",), ("input_length",), ("output_length",))
_AZURE: Final = (("timestamp",), ("contexttokens",), ("generatedtokens",))

FORMS: Final = (
    RequestForm(
        "mooncake",
        worded("it is Mooncake's trace of requests, whose times are milliseconds from its beginning"),
        *_LENGTHS,
        ("hash_ids",),
        "ms",
        is_json=True,
    ),
    RequestForm(
        "burstgpt",
        worded("it is BurstGPT's trace of requests, whose times are seconds from its beginning"),
        ("timestamp",),
        ("request tokens",),
        ("response tokens",),
        unit="s",
    ),
    RequestForm("azure_2024", worded("it is Azure's trace of requests of 2024"), *_AZURE, date="2024-"),
    RequestForm(
        "",
        OURS,
        ("timestamp", "arrival_timestamp", "time"),
        ("context_tokens", "contexttokens", "input_tokens", "num_prefill_tokens"),
        ("generated_tokens", "generatedtokens", "output_tokens", "num_decode_tokens"),
    ),
)
"""The kinds, those with a name first."""


def request_form(head: str) -> RequestForm | None:
    """The kind of trace that a text begins; None where it lists no requests with their tokens."""
    paths = json_paths(head)
    if paths:
        names = [path.removeprefix("item.").removesuffix(".item") for path in paths]
        is_json = True
    else:
        names, is_json = list(header_columns(head)[1]), False
    fitting = (form for form in FORMS if form.is_json == is_json and form.fits(names))
    return next((form for form in fitting if _begins_in(head, form.date)), None)


def _begins_in(head: str, date: str) -> bool:
    """Whether the first row below the header begins with this; anything does with nothing."""
    rows = [line for line in head.splitlines() if line.strip()][1:2]
    return not date or any(row.lstrip('" ').startswith(date) for row in rows)


def load_requests(engine: Engine, source: Source, form: RequestForm) -> RawTable:
    """Every request of a file, with the columns that the form names. Errors: PlannerError file_unreadable."""
    if not form.is_json:
        delimiter, columns = header_columns(source.head)
        return load_raw(engine, source, "traffic", columns, delimiter=delimiter, is_whole=True)
    names = (form.time[0], form.context[0], form.generated[0])

    def cells() -> Iterator[tuple[int, list[str]]]:
        """Each record's time and tokens as texts, numbered as in the file; what is no object keeps its text."""
        for row, value in json_records(source):
            is_object = isinstance(value, dict)
            yield row, [text_of(value.get(name)) for name in names] if is_object else [text_of(value), "", ""]

    return load_records(engine, source, "traffic", names, cells())
