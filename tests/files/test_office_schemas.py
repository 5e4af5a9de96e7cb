"""What we write for Office is as its schemas have it: a validator of the trade finds no fault in any of it."""

import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.sensitivity_pages import sensitivity_of
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.files.brief.docx import write_brief_docx
from gpuplanner.files.brief.pptx import write_brief_pptx
from gpuplanner.files.request.request_file import write_requests
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluation_of, two_clusters_evaluated, two_clusters_with_layers
from tests.oracle.projects import random_case

pytestmark = pytest.mark.long

WRITTEN_S = 1_767_916_800
SEEDS = (0, 3, 5)
CASES = {
    "two clusters": two_clusters_with_layers,
    **{f"made {seed}": partial(random_case, seed) for seed in SEEDS},
}


def book(evaluation: Evaluation, folder: Path) -> list[Path]:
    write_workbook(evaluation, folder / "plan.xlsx", WRITTEN_S)
    return [folder / "plan.xlsx"]


def requests(evaluation: Evaluation, folder: Path) -> list[Path]:
    write_requests(evaluation, folder / "rfq", WRITTEN_S)
    return sorted((folder / "rfq").iterdir())


def deck(evaluation: Evaluation, folder: Path) -> list[Path]:
    told = sensitivity_of(evaluation)
    write_brief_pptx(brief_of(evaluation, WRITTEN_S, "1", told), folder / "brief.pptx")
    return [folder / "brief.pptx"]


def word(evaluation: Evaluation, folder: Path) -> list[Path]:
    write_brief_docx(brief_of(evaluation, WRITTEN_S, "1"), folder / "brief.docx")
    return [folder / "brief.docx"]


def faults(path: Path) -> list[str]:
    """What the validator says of a file, as the newest Office reads it; nothing where all is well."""
    import openxml_audit  # comes with the extra `long`

    validator = openxml_audit.OpenXmlValidator(openxml_audit.FileFormat.MICROSOFT_365, max_errors=0)
    return [f"{path.name}: {error}" for error in validator.validate(path).errors]


@pytest.mark.parametrize("write", [book, requests, deck, word])
@pytest.mark.parametrize("case", CASES)
def test_no_file_has_a_fault(
    tmp_path: Path, case: str, write: Callable[[Evaluation, Path], list[Path]]
) -> None:
    files = write(evaluation_of(CASES[case]()), tmp_path)
    assert files
    assert [fault for file in files for fault in faults(file)] == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"<p:clrMapOvr>", b"<p:extLst/><p:clrMapOvr>"),
        (b"<a:tcPr", b"<a:tcPr><a:extLst/><a:noFill/></a:tcPr><a:tcPr"),
    ],
)
def test_a_fault_is_found(tmp_path: Path, before: bytes, after: bytes) -> None:
    """The validator itself: a presentation that was damaged on purpose."""
    (whole,), bad = deck(two_clusters_evaluated(), tmp_path), tmp_path / "bad.pptx"
    with zipfile.ZipFile(whole) as parts, zipfile.ZipFile(bad, "w") as out:
        for name in parts.namelist():
            data = parts.read(name)
            if name.startswith("ppt/slides/slide"):
                data = data.replace(before, after)
            out.writestr(name, data)
    assert faults(bad)
