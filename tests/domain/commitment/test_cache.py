"""What one advice takes over from the last: what is asked for stays, and hours of use hold no more than minutes."""

import gc

from gpuplanner.domain.commitment.cache import ADVICE_KEPT, AdviceCache


class Answer:
    """One that garbage collection knows."""


def answers_left() -> int:
    return sum(isinstance(one, Answer) for one in gc.get_objects())


def test_a_thousand_advices_hold_what_the_newest_asked_for() -> None:
    cache, always = AdviceCache(), object()
    for number in range(1_000):
        cache.begin()
        first = cache.recall("lived", (), (always,), Answer)
        for of in ("lived", "peaks"):
            cache.recall(of, (number,), (), Answer)
    assert answers_left() <= 1 + 2 * (ADVICE_KEPT + 1)
    assert cache.recall("lived", (), (always,), Answer) is first


def test_undo_finds_what_a_few_edits_before_asked_for() -> None:
    cache = AdviceCache()
    found = []
    for number in range(ADVICE_KEPT):
        cache.begin()
        found.append(cache.recall("model", (number,), (), Answer))
    for number, one in enumerate(found):
        assert cache.recall("model", (number,), (), Answer) is one
