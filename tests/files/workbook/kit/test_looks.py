"""Text from logs in cells."""

from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.workbook.kit.looks import LONGEST, safe_text


@given(st.text(st.characters(), max_size=200))
def test_what_is_written_can_be_written_and_is_stable(text):
    found = safe_text(text)
    found.encode("utf-8")
    assert not any(ord(letter) < 32 or 0x7F <= ord(letter) < 0xA0 for letter in found)
    assert safe_text(found) == found


def test_long_names_are_shortened_and_it_is_said():
    found = safe_text("x" * 40_000)
    assert len(found) < 32_767
    assert found.startswith("x" * LONGEST)
    assert found.endswith("… (shortened from 40,000 characters)")


def test_what_looks_like_a_formula_is_kept_as_it_is():
    assert safe_text("=HYPERLINK(1)") == "=HYPERLINK(1)"
    assert safe_text("a\r\nb\tc\x00d") == "a b cd"
