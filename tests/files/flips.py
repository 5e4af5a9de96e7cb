"""Files with one flipped bit each, the same ones at every run."""

import random
from collections.abc import Iterator


def flipped(content: bytes, times: int) -> Iterator[bytes]:
    """The content so many times, each with one bit of it turned."""
    places = random.Random(times)
    for _ in range(times):
        wrong = bytearray(content)
        wrong[places.randrange(len(wrong))] ^= 1 << places.randrange(8)
        yield bytes(wrong)
