"""Text of strangers on a terminal breaks no line and steers no screen."""

import io
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.system.terminal_text import LINE_AT_MOST, cut, error_line, one_line, say, say_again


@given(st.text())
def test_every_text_becomes_one_line_without_a_control_character(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert not any(ord(letter) < 32 or letter in "\x7f\u202e\ufeff" for letter in line)


def test_what_can_be_seen_stays_as_it_is() -> None:
    for text in ("llama-70b · Zürich", "训练 🚀", "👩\u200d🔬"):
        assert one_line(text) == text
    assert one_line("a\tb\r\nc\x1b[2J\x00") == "a b c\\x1b[2J\\x00"


def test_an_endless_line_keeps_its_place_and_its_remedy() -> None:
    line = error_line("jobs.csv:7: bad_time: start is " + "x" * 10_000 + "; write times as ISO 8601")
    assert len(line) < LINE_AT_MOST + 10
    assert line.startswith("jobs.csv:7: bad_time: ") and line.endswith("; write times as ISO 8601")
    assert len(cut("y" * 500, 80)) == 80


def test_a_terminal_of_few_letters_spells_out_the_others_and_keeps_the_sign_of_a_number() -> None:
    buffer = io.BytesIO()
    stream = io.TextIOWrapper(buffer, encoding="latin-1", newline="\n")
    say("Zürich — \u22121 GPU", stream)
    say("nobody reads this", None)
    assert buffer.getvalue() == "Zürich \\u2014 -1 GPU\n".encode("latin-1")


@given(st.lists(st.text(), max_size=4))
def test_whatever_is_said_steers_nothing_and_has_the_lines_that_it_was_given(lines: list[str]) -> None:
    out, again = io.StringIO(), io.StringIO()
    say("\n".join(line.replace("\n", " ") for line in lines), out)
    assert out.getvalue().count("\n") == max(1, len(lines))
    steers = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    seen = out.getvalue().replace("\n", "").replace("\u200c", "").replace("\u200d", "")
    assert not [letter for letter in seen if unicodedata.category(letter) in steers]
    for line in lines:
        say_again(line, again)
    assert again.getvalue().count("\x1b") == len(lines) and "\n" not in again.getvalue()
