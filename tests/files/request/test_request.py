"""Keys and headings: what both sides read a request by."""

from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.request.request_form import COLUMNS, HEAD, WRITTEN, make_key, read_key

REFERENCES = st.from_regex(r"RFQ-[0-9]{8}-[0-9A-F]{6}", fullmatch=True)


@given(REFERENCES, st.integers(1, 9999), st.sampled_from(["{}", "  {} ", "{}\n"]))
def test_a_key_is_read_as_it_was_made(reference: str, number: int, around: str) -> None:
    for name in (f"O{number}", f"R{number}", f"A{number}"):
        key = make_key(reference, name)
        assert read_key(around.format(key)) == (reference, name)
        assert read_key(key.lower()) == (reference, name)


def test_other_texts_are_no_keys() -> None:
    key = make_key("RFQ-20260930-7C1E00", "R2")
    for text in (
        "",
        "R2",
        key[:-2],
        key.replace("/1", "/2"),
        key.replace("R2", "X2"),
        key + " R3",
        "see " + key,
        key[:-1] + "0",
    ):
        assert read_key(text) is None, text


def test_every_column_and_line_is_told_apart() -> None:
    for columns in (COLUMNS, HEAD):
        assert len({column.key for column in columns}) == len(columns)
    for headings in (
        [column.heading for column in WRITTEN],
        [column.before or column.heading for column in COLUMNS],
        [line.before or line.label for line in HEAD if line.before or line.who == "vendor"],
    ):
        assert len(set(headings)) == len(headings) and all(headings)
    keys = [column.key for column in WRITTEN]
    assert 0 < keys.index("key") < len(keys) - 1  # who sorts what is seen sorts the hidden key too
    buyers = [column.who for column in WRITTEN if column.key != "total"]
    assert buyers == sorted(buyers)
