"""A dialect of job log: one declaration, in the module that reads it; `recognisers` lists them all."""

from collections.abc import Callable
from dataclasses import dataclass

from gpuplanner.domain.model.log.intake import Facts
from gpuplanner.domain.model.worded import Message, worded
from gpuplanner.files.job_logs.judging.job_table import JobTable
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine


@dataclass(frozen=True, slots=True)
class Dialect:
    """One kind of log.

    format: its id, as --format takes it; title: what it is called in words, without an article.
    sniff: how sure it is that a text begins such a log, 0..1: two dialects that are about as sure are tried on the
    first rows. rows: the records as a table of the engine of that name, and which text is which field of a job; what
    it lacks is a PlannerError whose remedy says what to export instead.
    kind: jobs, or billing where it is a bill whose usage stands in for a log. facts: what else the file says of
    itself, for `check`; it may read the file again.
    """

    format: str
    title: Message
    sniff: Callable[[str], float]
    rows: Callable[[Source, Engine, str], JobTable]
    kind: str = "jobs"
    facts: Callable[[Source], Facts] | None = None

    @property
    def why(self) -> Message:
        """Why a file is taken for one."""
        return worded("it reads like a {title}", title=self.title)
