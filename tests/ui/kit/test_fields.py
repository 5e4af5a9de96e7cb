"""A day that is typed is the day that is typed, or none."""

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QDate, QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import LARGEST_TERM
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.term_values import typed_number
from gpuplanner.ui.kit.typed_days import FORMAT, read_day
from gpuplanner.ui.plans.dates_dialog import DatesDialog
from gpuplanner.ui.plans.plan_from_dialog import PlanFromDialog
from tests.ui.plans.test_plan_from import PROJECT, TODAY_S

US = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
BRITISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
GERMAN = QLocale(QLocale.Language.German, QLocale.Country.Germany)
SWEDISH = QLocale(QLocale.Language.Swedish, QLocale.Country.Sweden)
FIRST, SHOWN = QDate(2026, 11, 29), QDate(2027, 2, 18)


def epoch_s(year: int, month: int, day: int) -> int:
    return int(datetime(year, month, day, tzinfo=UTC).timestamp())


@pytest.fixture
def field(qapp: QApplication) -> DayField:
    made = DayField(worded("Day"), worded("Day, UTC"), epoch_s(2026, 11, 29))
    made.show_day(epoch_s(2027, 2, 18))
    made.show()
    made.setFocus()
    return made


def typed(field: DayField, text: str) -> None:
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, text)


@pytest.mark.parametrize("locale", [US, BRITISH, GERMAN, SWEDISH])
def test_every_day_that_is_shown_is_read_as_itself(locale: QLocale) -> None:
    for more in range(0, 1500, 13):
        day = FIRST.addDays(more)
        for text in (
            locale.toString(day, FORMAT),
            locale.toString(day, "d MMMM yyyy"),
            day.toString("yyyy-MM-dd"),
        ):
            assert read_day(text, locale, FIRST, SHOWN) == day, text


@pytest.mark.parametrize(
    ("text", "locale", "day"),
    [
        ("31 May 2027", US, QDate(2027, 5, 31)),
        ("May 31, 2027", US, QDate(2027, 5, 31)),
        ("31 may", US, QDate(2027, 5, 31)),
        ("1 dec", US, QDate(2027, 12, 1)),
        ("29 feb", US, QDate(2028, 2, 29)),
        ("31. Mai 2027", GERMAN, QDate(2027, 5, 31)),
        ("31.5.2027", US, QDate(2027, 5, 31)),
        ("5/6/2027", US, QDate(2027, 5, 6)),
        ("5/6/2027", BRITISH, QDate(2027, 6, 5)),
        ("5.6.2027", GERMAN, QDate(2027, 6, 5)),
        ("5.6.2027", US, None),
        ("31 May 20271", US, None),
        ("31 May 27", US, None),
        ("30 Feb 2027", US, None),
        ("2027-02-30", US, None),
        ("31 Ju 2027", US, None),
        ("", US, None),
    ],
)
def test_a_text_is_one_day_or_none(text: str, locale: QLocale, day: QDate | None) -> None:
    assert read_day(text, locale, FIRST, SHOWN) == day


def test_without_a_year_the_next_after_the_first_day(field: DayField) -> None:
    field.show_day(epoch_s(2026, 12, 24))
    typed(field, "31 May")
    assert field.day_s == epoch_s(2027, 5, 31) and not field.refusal
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == "31 May 2027"


@pytest.mark.parametrize(
    ("shown", "text"),
    [((2027, 2, 18), (2027, 5, 31)), ((2028, 5, 31), (2027, 6, 15)), ((2027, 5, 3), (2027, 1, 1))],
)
def test_what_is_typed_over_all_of_it_is_taken(
    field: DayField, shown: tuple[int, int, int], text: tuple[int, int, int]
) -> None:
    field.show_day(epoch_s(*shown))
    typed(field, QDate(*text).toString("d MMM yyyy"))
    assert field.day_s == epoch_s(*text) and not field.refusal


def test_what_is_typed_into_the_middle_is_taken(field: DayField) -> None:
    field.setCursorPosition(len("18 Feb"))
    for _ in range(3):
        QTest.keyClick(field, Qt.Key.Key_Backspace)
    assert field.refusal
    QTest.keyClicks(field, "May")
    assert field.day_s == epoch_s(2027, 5, 18) and not field.refusal


def test_what_is_no_day_is_refused_and_never_another_day(field: DayField) -> None:
    typed(field, "31 Mxy 2027")
    assert "31 Mxy 2027" in field.refusal and field.day_s == epoch_s(2027, 2, 18)
    typed(field, "1 Jan 2020")
    assert "29 Nov 2026" in field.refusal
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == "1 Jan 2020"


def test_keys_and_the_calendar_go_on_from_the_day(field: DayField) -> None:
    QTest.keyClick(field, Qt.Key.Key_Up)
    QTest.keyClick(field, Qt.Key.Key_PageUp)
    assert field.day_s == epoch_s(2027, 3, 19)
    QTest.keyClick(field, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert field.calendar is not None and field.calendar.selectedDate() == QDate(2027, 3, 19)
    field.calendar.clicked.emit(QDate(2027, 4, 2))
    assert field.day_s == epoch_s(2027, 4, 2) and field.text() == "2 Apr 2027"


def test_a_dialog_waits_for_a_day_and_takes_the_one_typed(qapp: QApplication) -> None:
    chosen: list[int] = []
    dialog = DatesDialog(
        verb="stop",
        called="vllm",
        first_s=epoch_s(2026, 11, 29),
        moment_s=epoch_s(2027, 2, 18),
        refusal=lambda at_s: "",
    )
    dialog.moment_chosen.connect(chosen.append)
    dialog.show()
    typed(dialog.day, "31 Mai 2027")
    assert not dialog.do.isEnabled() and "31 Mai 2027" in dialog.note.text()
    typed(dialog.day, "31 May 2027")
    assert dialog.do.isEnabled()
    QTest.keyClick(dialog.day, Qt.Key.Key_Return)
    assert chosen == [epoch_s(2027, 5, 31)]


def test_a_plan_begins_on_no_day_that_was_not_read(qapp: QApplication) -> None:
    dialog = PlanFromDialog(PROJECT, TODAY_S)
    dialog.other.setChecked(True)
    typed(dialog.day, "soon")
    assert not dialog.choose.isEnabled() and "soon" in dialog.note.text()
    dialog.at_end.setChecked(True)
    assert dialog.choose.isEnabled()


@pytest.mark.parametrize("text", ["1e999999", "9" * 400, "-1e13", "inf", "nan", "1e91e9"])
def test_no_number_beyond_all_use_is_a_term(text: str) -> None:
    with pytest.raises(PlannerError):
        typed_number("milli_gpus", text)


def test_the_largest_term_is_one() -> None:
    assert typed_number("prepaid_usd", f"{LARGEST_TERM}") == LARGEST_TERM
    assert typed_number("milli_gpus", "64") == 64_000 and typed_number("milli_gpus", "") is None
