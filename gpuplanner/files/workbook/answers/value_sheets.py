"""Sheets with values of the app alone, which no cell of the book moves."""

from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.files.system.training import answers_in
from gpuplanner.files.workbook.answers.hardware_sheet import write_hardware
from gpuplanner.files.workbook.answers.inference_sheet import write_inference
from gpuplanner.files.workbook.answers.placement_sheet import write_placement
from gpuplanner.files.workbook.answers.terms_sheet import write_terms
from gpuplanner.files.workbook.answers.training_sheet import write_training
from gpuplanner.files.workbook.answers.waiting_sheet import write_waiting
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book


def write_values(book: Book, inputs: Inputs, waiting: Waiting | None) -> None:
    """Write the six sheets. waiting: None where the log does not say when jobs were submitted."""
    write_terms(book, inputs)
    write_hardware(book, inputs)
    write_training(book, answers_in(inputs.project, inputs.scenario.name, inputs.generated_at_s))
    write_waiting(book, waiting)
    write_inference(book, inputs)
    write_placement(book, inputs)
