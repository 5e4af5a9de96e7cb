"""The three walks of the welcome page: what to do, in a few sentences each."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.worded import worded
from gpuplanner.ui.said import said


@dataclass(frozen=True, slots=True)
class Walk:
    """One walk: its title as a link, and its steps."""

    title: str
    steps: tuple[str, ...]

    @property
    def text(self) -> str:
        """The steps, one a line."""
        return "\n\n".join(
            said("{number}. {step}", number=number, step=step) for number, step in enumerate(self.steps, 1)
        )


WALKS: Final = (
    Walk(
        worded("Read this quarter\u2019s audit"),
        (
            worded("Import a job log and your contracts, or open the demo, and choose Today."),
            worded("From the bill to stranded spend says what is paid, what serves jobs, and what stands idle."),
            worded("Leaks lists what to stop first. Press Enter on any figure to see the rows behind it."),
        ),
    ),
    Walk(
        worded("Separate training, inference and burst"),
        (
            worded("Choose a plan. Cards that nobody is sure of stand in Review: press T, I or B on each."),
            worded("Drag cards from pool to pool, or let Separate automatically move all that are not pinned."),
            worded("While a card hovers, the column says what the plan would cost. Ctrl+Z takes any step back."),
        ),
    ),
    Walk(
        worded("Choose terms and hand procurement a workbook"),
        (
            worded("Duration & commitment puts layers of 1 to 36 months under the load. Drag an "
                   "edge to try another level."),
            worded("Recommendations says what to sign, by when, and which contracts to let end."),
            worded("Export workbook (Ctrl+E) writes all of it with live formulas. F11 presents it."),
        ),
    ),
)  # fmt: skip
