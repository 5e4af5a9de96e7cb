"""JSON on its way to the parser: its nesting is known, whatever stands in its texts and wherever a chunk ends."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.files.sources.json_bytes import DEPTH_AT_MOST, DIGITS_AT_MOST, TooDeepError, Watch
from tests.some_of import examples

VALUES = st.recursive(
    st.text('ab"\\[]{}\n', max_size=6) | st.integers() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('"\\[{', max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(max_examples=examples(50))
@given(VALUES, st.integers(0, 60), st.lists(st.integers(1, 7), min_size=1, max_size=5))
def test_depth_is_followed_through_any_texts_and_chunks(value: object, more: int, sizes: list[int]) -> None:
    """What is nested to the limit passes, one deeper does not: so the depth of what came before was known."""
    before = json.dumps(value).encode()
    for layers, is_too_deep in ((DEPTH_AT_MOST, False), (DEPTH_AT_MOST + 1 + more, True)):
        data = before + b"[" * layers
        watch = Watch()
        raised = False
        at = 0
        try:
            while at < len(data):
                size = sizes[at % len(sizes)]
                watch.add(data[at : at + size])
                at += size
        except TooDeepError:
            raised = True
        assert raised == is_too_deep


@given(
    VALUES,
    st.integers(DIGITS_AT_MOST - 3, DIGITS_AT_MOST + 3),
    st.booleans(),
    st.sampled_from(["", "-"]),
    st.integers(1, 2 * DIGITS_AT_MOST),
)
def test_a_long_number_is_seen_and_a_long_text_of_digits_is_none(
    value: object, digits: int, is_text: bool, sign: str, size: int
) -> None:
    """Wherever chunks end, and whatever came before."""
    number = sign + "7" * digits
    data = f"[{json.dumps(value)},{json.dumps(number) if is_text else number},1]".encode()
    watch = Watch()
    raised = False
    try:
        for at in range(0, len(data), size):
            watch.add(data[at : at + size])
    except ValueError:
        raised = True
    assert raised == (digits >= DIGITS_AT_MOST and not is_text)
