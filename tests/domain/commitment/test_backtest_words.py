"""A backtest in words: every figure of a reason, a verdict and a suggestion is the backtest's own."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment import advice_backtest
from gpuplanner.domain.commitment.advice_backtest import (
    BEST_SO_FAR,
    LOOKBACK_NAMES,
    NOBODY_KNOWS,
    TOO_SHORT,
    WAYS,
    WITHOUT_ROWS,
    Backtest,
    Fold,
    RowFold,
    Variant,
    backtest_history,
    best_lookback,
    caveat_of,
    fold_reasons,
    mean_change,
    suggested_of,
    suggestion_of,
    variants_of,
    verdict_of,
)
from gpuplanner.domain.commitment.history import history_of
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, case, offer

ROW = RowFold(
    row=Row(Pool.INFERENCE, "H100"),
    usd=dict.fromkeys(WAYS, 1000.0) | {"advice": 1250.0, "lookback_28": 1100.0},
    held_gpus=12.0,
    hindsight_gpus=9.0,
    mean_gpus_advised_on=10.0,
    mean_gpus=7.0,
    unused_usd=200.0,
    beyond_gpu_hours=0.0,
)


def fold(row: RowFold, month: int = 1) -> Fold:
    return Fold(month=month, advised_on=(0, 1), paid_for=(1, 2), usd=row.usd, rows=(row,), bought=())


def backtest_of(*folds: Fold) -> Backtest:
    totals = (
        {way: sum(one.usd[way] or 0.0 for one in folds) for way in WAYS} if folds else dict.fromkeys(WAYS)
    )
    return Backtest(folds, totals)


def figures(sentence: str) -> list[float]:
    plain = str(sentence).replace("H100", "")
    return [float(text.replace(",", "")) for text in re.findall(r"\d[\d,]*\.?\d*", plain)]


LOST = (250, 12, 9)
"""$ lost, GPUs held, GPUs that would have been best."""


@pytest.mark.parametrize(
    ("changes", "word", "percent"),
    [
        ({}, "fell", [30]),
        ({"mean_gpus": 14.0}, "rose", [40]),
        ({"mean_gpus": 10.2}, "lower peaks", []),
        ({"mean_gpus_advised_on": 0.0}, "no demand", []),
    ],
)
def test_a_loss_in_words(changes: dict[str, float], word: str, percent: list[float]) -> None:
    (reason,) = fold_reasons(fold(replace(ROW, **changes)))  # type: ignore[arg-type]
    assert figures(str(reason)) == [*LOST, *percent] and word in str(reason)


def test_a_loss_where_less_or_the_same_was_held() -> None:
    steadier = replace(ROW, mean_gpus=10.0, held_gpus=8.0)
    (reason,) = fold_reasons(fold(steadier))
    assert figures(str(reason)) == [250, 8, 9] and "steadier" in str(reason)
    dearer = replace(ROW, mean_gpus=10.0, held_gpus=9.0)
    assert "longer term" in str(fold_reasons(fold(dearer))[0])


def test_what_is_not_worth_saying_is_not_said_and_what_is_unknown_neither() -> None:
    near = replace(ROW, usd=ROW.usd | {"advice": 1019.0})
    assert fold_reasons(fold(near)) == ()
    assert fold_reasons(fold(replace(ROW, usd=ROW.usd | {"hindsight": None}))) == ()


@given(st.floats(30, 1e6), st.floats(0, 500), st.floats(0, 500), st.floats(0.5, 300), st.floats(0, 300))
def test_every_figure_of_a_reason_is_the_folds(
    lost: float, held: float, best: float, saw: float, came: float
) -> None:
    row = replace(
        ROW,
        usd=ROW.usd | {"advice": 1000.0 + lost},
        held_gpus=round(held),
        hindsight_gpus=round(best),
        mean_gpus_advised_on=saw,
        mean_gpus=came,
    )
    (said,) = fold_reasons(fold(row))
    usd, here, there, *change = figures(str(said))
    assert (usd, here, there) == (round(lost), round(held), round(best))
    moved = came / saw - 1
    assert bool(change) is (abs(moved) > 0.05)
    if change:
        assert abs(100 * abs(moved) - change[0]) <= 0.5 + 1e-6
        assert ("rose" in str(said)) is (moved > 0)


def test_the_verdict_says_hindsight_and_the_best_plain_lookback() -> None:
    folds = [fold(replace(ROW, mean_gpus=10.0), month) for month in (1, 2, 3)]
    answer = backtest_of(*folds)
    assert figures(str(verdict_of(answer))) == [1.25, 25, 7, 25]
    assert str(verdict_of(answer)).count("% more") == 2
    usd = replace(folds[0], usd=ROW.usd | {"advice": 900.0})
    assert "10.0% less" in str(verdict_of(backtest_of(usd, usd, usd)))
    same = replace(folds[0], usd=ROW.usd | {"advice": 1000.0})
    assert "%" not in str(verdict_of(backtest_of(same, same, same)))


def test_the_verdict_says_when_a_log_cannot_tell() -> None:
    assert verdict_of(backtest_of()) == TOO_SHORT
    assert "One tested month" in str(verdict_of(backtest_of(fold(ROW))))
    assert "2 tested months" in str(verdict_of(backtest_of(fold(ROW), fold(ROW, 2))))
    assert "tested months" not in str(verdict_of(backtest_of(fold(ROW), fold(ROW, 2), fold(ROW, 3))))
    wild = [fold(replace(ROW, mean_gpus=2.0), month) for month in (1, 2, 3)]
    assert mean_change(backtest_of(*wild)) == pytest.approx(0.8)
    assert "80% per month" in str(verdict_of(backtest_of(*wild)))
    unknown = backtest_of(fold(replace(ROW, usd=ROW.usd | {"hindsight": None})))
    nothing = replace(unknown, totals=unknown.totals | {"hindsight": None})
    assert "H100" in str(verdict_of(nothing)) and str(verdict_of(nothing)).endswith("--same 'model:…=…'")
    assert not figures(str(verdict_of(nothing)))


def test_a_log_into_which_no_term_fits_praises_nothing() -> None:
    """The advice cost "1.00 times the best in hindsight" where nobody could have signed anything."""
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=[8.0] * 2920)], (), [offer("od", 0, 7.0), offer("m6", 6, 3.5)]
    )
    history = history_of(made.project, made.project.scenarios[0], made.pools)
    answer = backtest_history(history)
    assert answer.advice_over_hindsight == 1.0
    assert (
        not answer.is_tested
        and "3 paid months" in str(verdict_of(answer))
        and "1.0" not in str(verdict_of(answer))
    )
    assert not figures(str(suggestion_of((AS_SET, replace(AS_SET, is_as_set=False)))))
    fits = replace(made.project, offers=(made.project.offers[0], offer("m3", 3, 3.5)))
    tested = backtest_history(history_of(fits, fits.scenarios[0], made.pools))
    assert tested.is_tested and " times the best in hindsight" in str(verdict_of(tested))


def test_beside_every_result_stands_what_no_rule_can_do_and_what_was_not_known() -> None:
    answer = backtest_of(fold(ROW))
    assert caveat_of(answer) == NOBODY_KNOWS
    assert str(caveat_of(replace(answer, knows_rows=False))) == f"{NOBODY_KNOWS} {WITHOUT_ROWS}"
    assert caveat_of(backtest_of()) == ""


def test_the_best_lookback_may_buy_the_cheapest_term() -> None:
    usd = ROW.usd | {"lookback_56_cheapest": 500.0}
    said = verdict_of(backtest_of(fold(replace(ROW, usd=usd))))
    assert "150.0% more" in str(said) and "56 days, cheapest" in str(said)


AS_SET = Variant(
    name="as_set", title="As set", settings={}, usd=1000.0, by_month=(400.0, 600.0), is_as_set=True
)


def test_the_suggestion_names_the_best_setting_and_what_it_would_have_saved() -> None:
    better = Variant(
        name="x", title="The log's growth", settings={"growth": 0.1}, usd=900.0, by_month=(400.0, 500.0)
    )
    worse = replace(better, name="y", title="Worse", usd=1200.0)
    said = str(suggestion_of((AS_SET, worse, better)))
    assert said.startswith(str(better.title)) and figures(said) == [100, 2]
    assert not figures(str(suggestion_of((AS_SET, replace(better, usd=985.0)))))
    assert not suggestion_of((AS_SET, replace(better, usd=None)))
    assert not suggestion_of(())


CHOSEN = Variant(
    name=BEST_SO_FAR, title="The best so far", settings={"growth": -0.1}, usd=950.0, by_month=(400.0, 550.0)
)


def test_what_is_suggested_was_chosen_by_the_past_alone_and_says_what_it_saved() -> None:
    better = Variant(
        name="x", title="The log's growth", settings={"growth": 0.1}, usd=900.0, by_month=(400.0, 500.0)
    )
    assert suggested_of((AS_SET, better, CHOSEN)) is CHOSEN
    assert figures(str(suggestion_of((AS_SET, better, CHOSEN)))) == [100, 2, 50]
    assert "$50" in str(suggestion_of((AS_SET, better, CHOSEN)))
    assert figures(str(suggestion_of((AS_SET, CHOSEN)))) == [50, 2]
    for poor in (replace(CHOSEN, usd=990.0), replace(CHOSEN, settings={}), replace(CHOSEN, usd=None)):
        assert suggested_of((AS_SET, better, poor)) is None
    assert suggested_of(()) is None


@pytest.mark.long
def test_a_walk_that_was_made_explains_its_losses_and_adds_up() -> None:
    gpus = [float(max(20 - 2 * (hour // 336), 2)) for hour in range(4 * 730)]
    made = case([Load(pool=Pool.INFERENCE, gpus=gpus)], (), [offer("od", 0, 7.0), offer("m1", 1, 3.5)])
    history = history_of(made.project, made.project.scenarios[0], made.pools)
    answer = backtest_history(history)
    for one in answer.folds:
        lost = (one.usd["advice"] or 0.0) - (one.usd["hindsight"] or 0.0)
        said = sum(figures(str(reason))[0] for reason in fold_reasons(one))
        assert said == pytest.approx(lost, abs=0.5) or lost < 0.02 * (one.usd["advice"] or 0.0)
    ratio = answer.advice_over_hindsight or 0.0
    assert f"{ratio:.2f} times" in str(verdict_of(answer))
    variants = variants_of(history)
    best = min((one for one in variants if not one.is_as_set), key=lambda one: one.usd or 0.0)
    assert str(suggestion_of(variants)).startswith(str(best.title))
    saved = round((variants[0].usd or 0.0) - (best.usd or 0.0))
    assert f"would have saved ${saved:,} over {len(best.by_month)} months." in str(suggestion_of(variants))


def test_the_largest_loss_is_told_first() -> None:
    """$250, $400 and $300 of $3,950."""
    rows = [replace(ROW, usd=ROW.usd | {"advice": usd}) for usd in (1250.0, 1400.0, 1300.0)]
    month = replace(fold(ROW), rows=tuple(rows), usd=ROW.usd | {"advice": 3950.0})
    assert [figures(str(reason))[0] for reason in fold_reasons(month)] == [400, 300, 250]
    large = replace(month, usd=ROW.usd | {"advice": 15_000.0})  # 2% are $300
    assert [figures(str(reason))[0] for reason in fold_reasons(large)] == [400]


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"mean_gpus": 9.6}, "lower peaks"),
        ({"mean_gpus": 9.4}, "fell"),
        ({"mean_gpus": 10.4}, "lower peaks"),
        ({"mean_gpus": 10.6}, "rose"),
        ({"mean_gpus": 10.0, "held_gpus": 21.0, "hindsight_gpus": 20.0}, "longer term"),  # 5% more
        ({"mean_gpus": 10.0, "held_gpus": 21.1, "hindsight_gpus": 20.0}, "lower peaks"),
        ({"mean_gpus": 10.0, "held_gpus": 19.0, "hindsight_gpus": 20.0}, "longer term"),
        ({"mean_gpus": 10.0, "held_gpus": 18.9, "hindsight_gpus": 20.0}, "steadier"),
        ({"mean_gpus_advised_on": 0.0, "mean_gpus": 0.0}, "no demand"),
    ],
)
def test_a_twentieth_is_no_change(changes: dict[str, float], word: str) -> None:
    (reason,) = fold_reasons(fold(replace(ROW, **changes)))  # type: ignore[arg-type]
    assert word in str(reason)


def test_two_percent_of_a_month_are_no_loss() -> None:
    usd = ROW.usd | {"advice": 1250.0, "hindsight": 1225.0}
    assert fold_reasons(fold(replace(ROW, usd=usd))) == ()  # $25 of $1,250
    assert len(fold_reasons(fold(replace(ROW, usd=usd | {"hindsight": 1224.0})))) == 1
    unknown = replace(fold(ROW), usd=ROW.usd | {"advice": None})
    assert figures(str(fold_reasons(unknown)[0]))[0] == 250  # what the month cost is not known: each is told
    nameless = fold_reasons(fold(replace(ROW, row=Row(Pool.BURST, None))))
    assert nameless[0].values["name"].values["model"] == "unknown model"  # type: ignore[union-attr]
    assert fold_reasons(fold(replace(ROW, usd=ROW.usd | {"advice": None}))) == ()


def test_what_costs_as_much_is_told_so_up_to_a_twentieth_of_a_percent() -> None:
    for advice, other, word in (
        (1000.4, 1000.0, "as much"),
        (1000.6, 1000.0, "0.1% more"),
        (999.6, 1000.0, "as much"),
        (999.4, 1000.0, "0.1% less"),
        (1500.0, 1000.0, "50.0% more"),
    ):
        usd = {"advice": advice, "on_demand": other}
        answer = replace(backtest_of(fold(ROW)), totals=ROW.usd | usd)
        assert word in str(advice_backtest.add_comparison(worded("so"), answer, "on_demand", worded("x")))
    for advice, other in ((None, 5.0), (5.0, None), (5.0, 0.0)):
        answer = replace(backtest_of(), totals=dict.fromkeys(WAYS) | {"advice": advice, "on_demand": other})
        assert str(advice_backtest.add_comparison(worded("so"), answer, "on_demand", worded("x"))) == "so"


def test_the_best_lookback_is_the_cheapest_that_is_known() -> None:
    answer = backtest_of(fold(ROW))
    assert best_lookback(answer) == "lookback_7"  # of several alike the first
    few = dict.fromkeys(LOOKBACK_NAMES) | {"lookback_56": 9.0, "lookback_28_cheapest": 8.0}
    assert best_lookback(replace(answer, totals=answer.totals | few)) == "lookback_28_cheapest"
    none = replace(answer, totals=answer.totals | dict.fromkeys(LOOKBACK_NAMES))
    assert best_lookback(none) is None
    assert figures(str(verdict_of(none))) == [1.25, 25]  # on demand alone is beside it


def test_a_multiple_of_hindsight_needs_both_sums() -> None:
    answer = backtest_of(fold(ROW))
    assert (answer.over_hindsight(1500.0), answer.over_hindsight(None)) == (1.5, None)
    for best in (None, 0.0):
        nothing = replace(answer, totals=answer.totals | {"hindsight": best})
        assert (nothing.over_hindsight(1500.0), nothing.advice_over_hindsight) == (None, None)


def test_change_is_weighted_by_the_larger_of_what_was_seen_and_came() -> None:
    """From 10 to 7 and from 2 to 6: 7 of 16 GPUs moved; half is not too wild, a little more is."""
    rows = (replace(ROW, mean_gpus=7.0), replace(ROW, mean_gpus_advised_on=2.0, mean_gpus=6.0))
    assert mean_change(backtest_of(replace(fold(ROW), rows=rows))) == pytest.approx(7 / 16)
    assert mean_change(backtest_of()) == 0.0
    for came, is_wild in ((5.0, False), (4.9, True)):
        folds = [fold(replace(ROW, mean_gpus=came), month) for month in (1, 2, 3)]
        assert ("too volatile" in str(verdict_of(backtest_of(*folds)))) is is_wild


def test_a_suggestion_beats_what_is_set_by_more_than_two_percent() -> None:
    other = Variant(name="x", title="X", settings={"growth": 0.1}, usd=980.0, by_month=(400.0, 580.0))
    assert not figures(str(suggestion_of((AS_SET, other))))
    assert figures(str(suggestion_of((AS_SET, replace(other, usd=979.0))))) == [21, 2]
    for usd, is_chosen in ((980.0, False), (979.0, True), (1100.0, False)):
        chosen = replace(CHOSEN, usd=usd)
        assert suggested_of((AS_SET, chosen)) == (chosen if is_chosen else None)
    assert suggested_of((CHOSEN,)) is None and suggested_of((replace(AS_SET, usd=None), CHOSEN)) is None
    assert suggestion_of((other,)) == "" == suggestion_of((replace(AS_SET, usd=None), other))
    assert suggestion_of((AS_SET,)) == ""
