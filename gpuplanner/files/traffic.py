"""Traffic of an endpoint: a list of requests read to tokens by hour."""

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.traffic import Traffic
from gpuplanner.files.described_tables import RowNotes
from gpuplanner.files.engine import open_engine
from gpuplanner.files.job_logs.raw_table import load_raw
from gpuplanner.files.small_table import header_columns
from gpuplanner.files.source import Source, sources_of
from gpuplanner.files.traffic_facts import KIND, has_requests, judge_requests


def read_traffic(path: str) -> tuple[Traffic, FileIntake]:
    """The tokens of every hour with requests, and how the rows ended; a bad row counts nowhere.

    Errors: PlannerError missing_column where it lists no requests with tokens, file_missing, file_unreadable.
    """
    with sources_of(path) as sources:
        return _hourly(sources[0])


def _hourly(source: Source) -> tuple[Traffic, FileIntake]:
    delimiter, columns = header_columns(source.head)
    if not has_requests(columns):
        raise PlannerError(
            source.path,
            "missing_column",
            "it does not list requests with their time and tokens",
            "give a CSV with timestamp, context_tokens and generated_tokens",
        )
    notes = RowNotes()
    with open_engine(size_bytes=source.size) as engine:
        raw = load_raw(engine, source, "traffic", columns, delimiter=delimiter)
        judge_requests(engine, raw, notes)
        first_us, last_us = engine.one("select min(at_us), max(at_us) from judged where fault is null")
        rows = engine.all(
            """select cast(at_us // 3600000000 * 3600 as bigint), cast(sum(context) as bigint),
                cast(sum(generated) as bigint)
            from judged where fault is null group by 1 order by 1"""
        )
    if first_us is None:
        raise PlannerError(
            source.path, "missing_column", "none of its requests can be read", "look at it with check"
        )
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    traffic = Traffic(first_us // 1_000_000, last_us // 1_000_000 + 1, tuple(rows), name)
    return traffic, notes.intake(source, KIND, "", ())
