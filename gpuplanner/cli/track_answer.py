"""The answer of `track`: a saved plan opened, the log that came read beside it, and what moved the plan as text."""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

from gpuplanner.cli.arguments import PROJECT_SUFFIX
from gpuplanner.cli.inputs import contract_mappings, read_options, stated_same, window_request
from gpuplanner.cli.option_values import UsageError, parse_settings
from gpuplanner.cli.progress import progress_on_terminal
from gpuplanner.cli.project_words import with_money
from gpuplanner.cli.text_tables import report_text
from gpuplanner.domain.evaluation import Evaluation, advise_plan, evaluate_audit
from gpuplanner.domain.model.book.exchange import Currency
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.reports.track import BURN_DOWNS, MOVED, QUARTERS, STEPS, beside, headline
from gpuplanner.domain.track.track import Track
from gpuplanner.files.importing.later_log import Later, LaterFiles, track_later
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.terminal_text import one_line
from gpuplanner.files.values.times import check_timezone


@dataclass(frozen=True, slots=True, eq=False)
class Tracked:
    """What one call compared. found: None where nothing of the log lies in the time that is compared."""

    later: Later
    found: Track | None
    currency: Currency


def tracked(words: argparse.Namespace, tables: Tables) -> Tracked:
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
        words.jobs,
        contract_mappings(words) or words.contracts,
        words.prices,
        read_options(words),
        stated_same(words).said,
    )

    def evaluated() -> Evaluation:
        """The plan with its advice; its outlook is not asked for."""
        evaluation = evaluate_audit(project, name, tables)
        return replace(evaluation, advice=advise_plan(project, evaluation.figures))

    with progress_on_terminal() as on_progress:
        later, found = track_later(project, evaluated, files, tables, bounds, on_progress)
    return Tracked(later, found, currency)


def track_text(found: Track) -> str:
    """The way from what was planned to what was paid, by pool and model, and what is left of each contract."""
    parts = [
        one_line(f"{headline(found)}."),
        report_text(STEPS, found),
        *([f"\n{MOVED.title}", report_text(MOVED, found)] if MOVED.rows(found) else []),
        *([f"\n{QUARTERS.title}", report_text(QUARTERS, found)] if QUARTERS.rows(found) else []),
        *([f"\n{BURN_DOWNS.title}", report_text(BURN_DOWNS, found)] if found.contracts else []),
        "",
        one_line(f"{beside(found)}.") if str(beside(found)) else "",
        *(one_line(f"Note: {note}.") for note in found.notes),
    ]
    return "\n".join(part for at, part in enumerate(parts) if part or at < len(parts) - 1).rstrip("\n")
