from gpuplanner.domain.model.amounts import known_sum


def test_one_unknown_makes_the_sum_unknown_and_nothing_is_nought() -> None:
    assert known_sum([1.5, 2.0]) == 3.5
    assert known_sum([1.5, None, 2.0]) is None
    assert known_sum(iter(())) == 0.0
