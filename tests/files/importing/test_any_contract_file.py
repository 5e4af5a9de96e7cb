"""Whatever becomes of an export or a spreadsheet: an answer or one clear error, and every row accounted for."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.contracts.contract_forms import CONTRACT_FORMS
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import read_contract_source, read_price_source
from gpuplanner.files.sources.source import survey
from tests.files.contracts.test_cloud_commitments import AZURE, GOOGLE, PLAN, RESERVATION
from tests.files.contracts.test_focus_commitments import COMMITMENT
from tests.files.importing.test_tables_of_people import GERMAN, MONTHLY, OWN, PRICES, TITLED
from tests.files.job_logs.cluster_damage import check_rows_add_up
from tests.some_of import examples, one_in

FILES = {
    "own": OWN,
    "titled": TITLED,
    "german": GERMAN,
    "monthly": MONTHLY,
    "prices": PRICES,
    "focus": ",".join(COMMITMENT) + "\n" + ",".join(COMMITMENT.values()) + "\n",
    "aws_reservations": json.dumps({"ReservedInstances": [RESERVATION]}),
    "aws_savings_plans": json.dumps({"savingsPlans": [{**PLAN, "x_DiscountPercent": "2"}]}),
    "azure_reservations": json.dumps({"value": [AZURE]}),
    "google_commitments": json.dumps([GOOGLE]),
}
NUMBERS = ("0", "-1", "1e30", "9" * 40, "NaN", "null", "1,234", "0.0000001", "ſ", "²", "٣", "8 x H100")
WORDS = ("1/2/2026", "31.12.2026", "46054", "9999-12-31", "H100", "Total", "3 yrs", "P9Y", "(5)")
PIECES = st.one_of(*map(st.sampled_from, (',;\t|\n"$€-%[{}]:\x00é💥', NUMBERS, WORDS)), st.text(max_size=6))
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), PIECES), min_size=1, max_size=8)


def _edited(text: str, edits: list[tuple[float, int, str]]) -> str:
    for place, dropped, piece in edits:
        at = int(place * len(text))
        text = text[:at] + piece + text[at + dropped :]
    return text


def _check(file: FileIntake) -> None:
    check_rows_add_up(file)
    assert min(file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored) >= 0
    assert {row.code for row in file.rejected} <= {issue.code for issue in file.issues}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file that every example writes again."""
    return tmp_path_factory.mktemp("edited") / "file"


def _read(path: Path, name: str, edits: list[tuple[float, int, str]]) -> None:
    path.write_bytes(_edited(FILES[name], edits).encode("utf-8", "surrogatepass"))
    source = survey(str(path))
    for read in (read_price_source,) if name == "prices" else (read_contract_source, read_price_source):
        try:
            found = read(source)
        except PlannerError as fault:
            error = fault
        else:
            _check(found.intake)
            assert bool(found.values) == bool(found.intake.rows_accepted)
            continue
        assert error.code in ("missing_column", "file_unreadable")
        assert error.remedy and "\n" not in str(error)


def test_every_form_has_a_file_here() -> None:
    assert {form.format for form in CONTRACT_FORMS} <= set(FILES)


@pytest.mark.parametrize("name", one_in(12, FILES))
@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.too_slow])
@given(edits=EDITS)
def test_an_edited_file_gives_an_answer_or_one_error(
    place: Path, name: str, edits: list[tuple[float, int, str]]
) -> None:
    _read(place, name, edits)


INPUTS = 5_000  # of each importer in a long run; others every time
BY_PEOPLE = ("own", "titled", "german", "monthly")
"""Those that one importer reads, that of tables with any columns; they share its inputs."""


@pytest.mark.long
@pytest.mark.parametrize("name", FILES)
def test_many_edited_files_give_an_answer_or_one_error(place: Path, name: str) -> None:
    """INPUTS files of each form, of tables of contracts and of tables of prices."""

    shared_by = len(BY_PEOPLE) if name in BY_PEOPLE else 1

    @settings(max_examples=INPUTS // shared_by, suppress_health_check=[HealthCheck.too_slow])
    @given(edits=EDITS)
    def read(edits: list[tuple[float, int, str]]) -> None:
        _read(place, name, edits)

    read()


VALUES: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=8), inside, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize(
    "record", one_in(4, [RESERVATION, PLAN, AZURE, GOOGLE]), ids=["ri", "plan", "azure", "google"]
)
@settings(max_examples=examples(20))
@given(data=st.data())
def test_any_value_in_a_field_gives_an_answer(
    place: Path, record: dict[str, object], data: st.DataObject
) -> None:
    names = data.draw(st.lists(st.sampled_from(sorted(record)), max_size=4))
    changed = record | {name: data.draw(VALUES) for name in names}
    place.write_text(json.dumps([changed, record]), encoding="utf-8")
    _check(read_contract_source(survey(str(place))).intake)


@pytest.mark.parametrize("write", [lambda text: text, lambda text: "\ufeff" + text], ids=["plain", "marked"])
@pytest.mark.parametrize("name", FILES)
def test_check_says_what_each_is(tmp_path: Path, name: str, write: Callable[[str], str]) -> None:
    path = tmp_path / "file"
    path.write_text(write(FILES[name]), encoding="utf-8")
    (file,) = check_file(str(path))
    assert file.kind == ("prices" if name == "prices" else "contracts")
    assert file.format == (name if name in {form.format for form in CONTRACT_FORMS} else file.format)
    _check(file)
