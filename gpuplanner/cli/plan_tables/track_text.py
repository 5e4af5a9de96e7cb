"""Plan vs. actual: a saved plan compared with a later log, and its text in a terminal."""

import argparse
from functools import partial
from pathlib import Path

from gpuplanner.cli.arguments import PROJECT_SUFFIX, UsageError
from gpuplanner.cli.audit_tables import titled
from gpuplanner.cli.inputs import stated_same, table_mappings, window_request
from gpuplanner.cli.option_values import parse_settings
from gpuplanner.cli.progress import progress_on_terminal
from gpuplanner.cli.project_words import with_money
from gpuplanner.cli.reading import read_options
from gpuplanner.cli.tables import report_text
from gpuplanner.cli.terminal import Tables
from gpuplanner.domain.evaluation import Evaluation, advise_plan, evaluate_audit
from gpuplanner.domain.model.book.exchange import Currency
from gpuplanner.domain.model.tables import Tables as Shipped
from gpuplanner.domain.reports.changes import STEPS, TRACK_REPORTS, beside
from gpuplanner.domain.reports.changes import headline as track_headline
from gpuplanner.domain.track.track import Track
from gpuplanner.files.importing.later_log import Later, LaterFiles, track_later
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.terminal_output import one_line
from gpuplanner.files.values.times import check_timezone
from gpuplanner.lazy_dataclass import dataclass, replace


@dataclass(frozen=True, slots=True, eq=False)
class Tracked:
    """What one call compared. found: None where nothing of the log lies in the time that is compared."""

    later: Later
    found: Track | None
    currency: Currency


def tracked(words: argparse.Namespace, tables: Shipped) -> Tracked:
    """Open the plan, read what came, and compare. Errors: UsageError; PlannerError where a file cannot be read."""
    for option, is_given in (("PLAN.gpuplan", words.project), ("--jobs NEW", words.jobs)):
        if not is_given:
            raise UsageError(f"track needs {option}; write track PLAN.gpuplan --jobs NEW")
    if not words.project.lower().endswith(PROJECT_SUFFIX):
        raise UsageError(f"{words.project!r} is not a {PROJECT_SUFFIX} file; save the plan, then track it")
    if parse_settings(words.set):
        raise UsageError("track holds the plan as it was saved; of --set it takes reporting_currency alone")
    bounds = window_request(words, whole_log=False)
    check_timezone(words.timezone)
    project, currency = with_money(open_project(Path(words.project)), words, in_dollars=words.json)
    name = words.scenario or project.scenarios[0].name
    if name not in [plan.name for plan in project.scenarios]:
        raise UsageError(
            f"no plan is called {name!r}; there is {', '.join(p.name for p in project.scenarios)}"
        )
    files = LaterFiles(
        jobs=words.jobs,
        contracts=table_mappings(words, "contracts") or words.contracts,
        prices=words.prices,
        options=read_options(words),
        said=stated_same(words).said,
    )

    def evaluated() -> Evaluation:
        """The plan with its advice; its outlook is not asked for."""
        evaluation = evaluate_audit(project, name, tables)
        return replace(evaluation, advice=advise_plan(project, evaluation.figures))

    with progress_on_terminal() as on_progress:
        later, found = track_later(project, evaluated, files, tables, bounds, on_progress)
    return Tracked(later, found, currency)


def track_text(found: Track) -> str:
    """The difference in a sentence."""
    return one_line(f"{track_headline(found)}.")


def track_tables(track: Track) -> Tables:
    """The steps by pool and model, what is left of each contract, and what is to be known of both."""
    notes = [one_line(f"{beside(track)}.")] if str(beside(track)) else []
    notes += [one_line(f"Note: {note}.") for note in track.notes]
    return (
        ("steps", lambda: report_text(STEPS, track)),
        *(
            ("contracts", partial(titled, report, track))
            for report in TRACK_REPORTS[1:]
            if report.rows(track)
        ),
        ("contracts", lambda: "\n".join(f"  {report.note}" for report in TRACK_REPORTS[1:] if report.note)),
        ("notes", lambda: "\n".join(notes)),
    )
