"""The page of prices: how far they may move before the advice changes, and what it costs on each path of them."""

from collections.abc import Sequence

from gpuplanner.domain.brief.figure_words import counted, dollars, percent, whole
from gpuplanner.domain.brief.pages import Column, Page, TableBlock, TextBlock
from gpuplanner.domain.brief.sensitivity import Sensitivity
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.result import Totals
from gpuplanner.domain.commitment.uncertainty.flips import PROBES, FlipPoint, share_words
from gpuplanner.domain.commitment.words.path_words import (
    PATH_NAMES,
    PATHS_TITLE,
    WAYS,
    paths_sentences,
    price_changes_sentences,
)
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.typed import percent as typed_percent
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.price_case import PriceCase


def price_page(
    evaluation: Evaluation, outlook: Outlook | None, totals: Totals, sensitivity: Sensitivity | None
) -> Page:
    """What the advice comes to at other prices. sensitivity: None where nobody worked it out."""
    plan = evaluation.figures.basis.plan
    values = evaluation.project.assumptions_in(plan)
    said: list[Text] = []
    if sensitivity is not None and totals.plan is not None:
        advice = evaluation.advice
        pools = () if advice is None else advice.pools
        signs = any(layer.is_new and layer.gpus for pool in pools for layer in pool.layers)
        said.append(price_flip_words(sensitivity.flips, values.delta, signs=signs))
    paths = () if outlook is None else outlook.price_paths
    if paths and totals.plan is not None:
        said += paths_sentences(paths, values.horizon_months)
    said += price_changes_sentences(plan.price_changes)
    if outlook is not None:
        said += [_sentence(check.message) for check in outlook.checks if check.code == "terms_hang_on_prices"]
    if totals.plan is None:
        said.insert(0, "What the plan costs is unknown, so what it would cost at other prices is, too.")
    has_contracts = bool(evaluation.project.contracts) and not plan.greenfield
    paths_table = _paths(outlook, values.horizon_months, has_contracts=has_contracts)
    tables = [table for table in (paths_table, _cases(sensitivity)) if table is not None]
    rows: tuple[tuple[TextBlock | TableBlock, ...], ...] = (
        (TextBlock("How far prices may move", tuple(said)),),
        *((table,) for table in tables),
    )
    return Page("prices", "Prices", _title(sensitivity), rows)


def price_flip_words(flips: Sequence[FlipPoint], delta: float, *, signs: bool) -> str:
    """How far the price fall may be from the one assumed before a largest layer gets another term.

    flips: of any assumption; delta: the price fall assumed, a ratio a month; below 0 prices rise. signs:
    whether anything is signed at it.
    """
    moves = sorted((one for one in flips if one.assumption == "delta"), key=lambda one: one.at)
    above = next((one for one in moves if one.at > one.value), None)
    below = next((one for one in reversed(moves) if one.at < one.value), None)
    assumed = f"{percent(delta)} of fall per month is assumed"
    stays = "The largest layer of every pool keeps its term" if signs else "Nothing is worth signing"
    edges = [words for words in (_more(above), _less(below)) if words]
    if not edges:
        far = (percent(-PROBES["delta"][0]), percent(PROBES["delta"][-1]))
        return f"{stays} from a rise of {far[0]} to a fall of {far[1]} per month; {assumed}."
    return f"{stays} unless prices {', or '.join(edges)}; {assumed}."


def _more(above: FlipPoint | None) -> str:
    """The edge where prices fall faster."""
    return "" if above is None else f"fall by {share_words(above)} per month or more"


def _less(below: FlipPoint | None) -> str:
    """The edge where they fall more slowly, stay or rise."""
    if below is None:
        return ""
    if below.at < 0:
        return f"rise by {typed_percent(-below.at, 1)} per month or more"
    return f"fall by {share_words(below)} per month or less" if below.at else "do not fall"


def _sentence(message: Text) -> str:
    """A check's message with a capital and a full stop."""
    text = str(message)
    return f"{text[:1].upper()}{text[1:]}."


def _title(sensitivity: Sensitivity | None) -> str:
    """What the plan saves over all price cases; words without figures where one is unknown."""
    saved = (
        [] if sensitivity is None else [one.savings_vs_do_nothing_usd_per_month for one in sensitivity.cases]
    )
    known = [usd for usd in saved if usd is not None]
    if not known or len(known) < len(saved):
        return "What the advice comes to where prices move"
    if not any(map(round, known)):
        return "At every price on the list the plan costs what doing nothing does"
    if round(min(known)) < 0:
        more = dollars(-min(known))
        return f"At the prices least in its favour the plan costs {more} per month more than doing nothing"
    if round(min(known)) == round(max(known)):
        return (
            f"The plan saves {dollars(known[0])} per month against doing nothing at every price on the list"
        )
    return (
        f"Between high and low prices the plan saves {dollars(min(known))} to {dollars(max(known))} per month "
        "against doing nothing"
    )


def _paths(outlook: Outlook | None, horizon_months: int, *, has_contracts: bool) -> TableBlock | None:
    """What signing short, as advised and long costs on each path; None without any that is known.

    has_contracts: whether existing contracts serve in the plan.
    """
    paths = () if outlook is None else outlook.price_paths
    if not any(one.advice_usd is not None for one in paths):
        return None
    rows: tuple[tuple[Text, ...], ...] = tuple(
        (PATH_NAMES[one.path], *(whole(getattr(one, way)) for way in WAYS), whole(one.regret_usd))
        for one in paths
    )
    columns = (
        Column("Prices", False, 1.2),
        *(Column(f"{name}, $") for name in WAYS.values()),
        Column("Advice, cost of being wrong, $", True, 1.2),
    )
    inside = ", existing contracts in them" if has_contracts else ""
    note = (
        f"Expected $ over {horizon_months} months, discounted{inside}. "
        "The cost of being wrong is what the advice costs more than if prices were known beforehand."
    )
    return TableBlock(str(PATHS_TITLE), columns, rows, (), note)


def _cases(sensitivity: Sensitivity | None) -> TableBlock | None:
    """The plan at low, mid and high rates; None without them."""
    if sensitivity is None or all(one.plan_usd_per_month is None for one in sensitivity.cases):
        return None
    rows = tuple(
        (
            f"{case.case.capitalize()} rates",
            whole(case.plan_usd_per_month),
            whole(case.do_nothing_usd_per_month),
            whole(case.savings_vs_do_nothing_usd_per_month),
            counted(len(case.changed_layers), "layer")
            if case.changed_layers
            else "none"
            if case.case is not PriceCase.MID
            else "",
        )
        for case in sensitivity.cases
    )
    columns = (
        Column("Prices", False, 1.4),
        Column("Plan, $ per month"),
        Column(PLAN["do_nothing"].heading(", ")),
        Column(PLAN["savings_vs_do_nothing"].heading(", ", is_short=True)),
        Column("Layers that change", True, 1.1),
    )
    return TableBlock("The plan worked out anew at other rates of every offer", columns, rows)
