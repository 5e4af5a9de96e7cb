"""Studies: training, waiting, inference and placement, only where something was calculated."""

from collections.abc import Sequence

from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.reports.serving import NamedSizing
from gpuplanner.domain.training.answer import Answer
from gpuplanner.files.system.training import answers_in
from gpuplanner.files.workbook.answers.inference_sheet import sized_endpoints, write_inference
from gpuplanner.files.workbook.answers.placement_sheet import write_placement
from gpuplanner.files.workbook.answers.training_sheet import write_training
from gpuplanner.files.workbook.answers.waiting_sheet import write_waiting
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.sheets import STUDIES
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Studies:
    """The calculated studies of a plan. waiting: None if the waiting times are unknown."""

    answers: Sequence[Answer]
    waiting: Waiting | None
    endpoints: Sequence[NamedSizing]
    has_places: bool

    @property
    def are_there(self) -> bool:
        """Whether anything was calculated."""
        return bool(self.answers or self.waiting or self.endpoints or self.has_places)


def studies_of(inputs: Inputs, waiting: Waiting | None) -> Studies:
    """Return the calculated studies. waiting: None if the log has no submit times."""
    return Studies(
        answers=answers_in(inputs.project, inputs.scenario.name, inputs.generated_at_s),
        waiting=waiting if waiting is not None and waiting.frontier else None,
        endpoints=sized_endpoints(inputs),
        has_places=inputs.project.places.can_be_placed,
    )


def write_studies(book: Book, inputs: Inputs, studies: Studies) -> None:
    """Write a part of the sheet for each study."""
    if studies.answers:
        write_training(book, studies.answers)
    if studies.waiting is not None:
        write_waiting(book, studies.waiting)
    if studies.endpoints:
        write_inference(book, studies.endpoints)
    if studies.has_places:
        write_placement(book, inputs)
    if studies.are_there:
        book.sheets[STUDIES].freeze_panes(0, 1)
