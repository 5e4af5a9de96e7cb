"""What was noted in a money stays in it, also where the amount is a value of a text within the text."""

from gpuplanner.domain.figures.typed import amount, whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.exchange import in_money, with_code


def test_an_amount_keeps_the_money_that_it_was_noted_in() -> None:
    inner = worded("{usd}, ${more} more", usd=amount(-1234.5, 2), more=whole(10))
    noted = with_code(worded("Accept {what} ({gpus})", what=inner, gpus=whole(1200)), "USD")
    said = "Accept \u2212USD\u00a01,234.50, USD\u00a010 more (1,200)"
    assert str(noted) == in_money(str(noted), "EUR") == said


def test_a_name_with_a_dollar_and_an_unknown_amount_stay() -> None:
    noted = with_code(worded("{name}: {usd}", name="job-$x", usd=amount(None)), "CHF")
    assert str(noted) == "job-$x: \u2014"


def test_amounts_under_one_keep_their_sign() -> None:
    noted = [str(with_code(worded("{usd}", usd=amount(usd, 2)), "USD")) for usd in (0.5, 0.0, -0.25)]
    assert noted == ["USD\u00a00.50", "USD\u00a00.00", "\u2212USD\u00a00.25"]
