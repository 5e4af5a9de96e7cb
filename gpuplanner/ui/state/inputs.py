"""From what and of when the data of a chart is: the line under an exported one."""

from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.why.answer import inputs_of
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr


def source_words(shown: ViewState) -> str:
    """Source: 1,204 jobs (jobs.csv), 4 contracts (contracts.csv) - 3 Jul - 30 Sep 2026, UTC - Plan A."""
    window = shown.evaluation.project.window
    inputs = [
        tr("{count} ({name})", count=count, name=name) if name else count
        for count, name in inputs_of(shown)[:3]  # jobs, contracts, offers
    ]
    parts = (
        tr("Source: {inputs}", inputs=", ".join(inputs)),
        tr("{start_s}, UTC", start_s=numbers.span(window.start_s, window.end_s)),
        shown.evaluation.scenario,
    )
    return numbers.MIDDOT.join(parts)
