"""Keys and headings: what both sides read a request by."""

from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.request.request_form import COLUMNS, HEAD, make_key, read_key

REFERENCES = st.from_regex(r"RFQ-[0-9]{8}-[0-9A-F]{6}", fullmatch=True)


@given(REFERENCES, st.integers(1, 9999), st.sampled_from(["{}", "  {} ", "{}\n"]))
def test_a_key_is_read_as_it_was_made(reference: str, number: int, around: str) -> None:
    key = make_key(reference, f"R{number}")
    assert read_key(around.format(key)) == (reference, f"R{number}")
    assert read_key(key.lower()) == (reference, f"R{number}")


def test_other_texts_are_no_keys() -> None:
    key = make_key("RFQ-20260930-7C1E00", "R2")
    for text in ("", "R2", key[:-2], key.replace("/1", "/2"), key + " R3", "see " + key, key[:-1] + "0"):
        assert read_key(text) is None, text


def test_every_column_and_line_is_told_apart() -> None:
    assert (
        len({column.key for column in COLUMNS}) == len({column.heading for column in COLUMNS}) == len(COLUMNS)
    )
    assert len({line.key for line in HEAD}) == len({line.label for line in HEAD}) == len(HEAD)
    keys = [column.key for column in COLUMNS]
    assert 0 < keys.index("key") < len(keys) - 1  # who sorts what is seen sorts the hidden key too
    buyers = [column.who for column in COLUMNS if column.key not in ("reply_by", "hold", "order")]
    assert buyers == sorted(buyers)
