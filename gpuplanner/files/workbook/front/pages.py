"""What all front pages are written from, and the words and formulas that several of them share."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from string import Formatter
from typing import Final

from gpuplanner.domain.brief.approval import Approval
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.amounts import PartSum, sum_text
from gpuplanner.domain.model.window import instant_s
from gpuplanner.files.workbook.answers.advice_sheet import AdviceCells
from gpuplanner.files.workbook.front.by_number import ByNumber
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Content
from gpuplanner.files.workbook.kit.cells import day_number, written_date
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, Operands, call, formula, when
from gpuplanner.files.workbook.kit.front_page import PageForm
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.version import __version__

Part = Expr | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fronts:
    """What front pages refer to. numbered: orders, decisions, contracts and providers by number; figures: of the plan,
    by their JSON names; saved: what the plan saves in twelve months."""

    book: Book
    form: PageForm
    inputs: Inputs
    numbered: ByNumber
    advice: AdviceCells
    comparison: Comparison
    figures: Mapping[str, Expr]
    saved: Expr


def form_of(inputs: Inputs, paper: str) -> PageForm:
    """Return what every front page of a book bears. paper: of PAPERS."""
    written = written_date(inputs.generated_at_s)
    return PageForm(
        paper=paper,
        project=f"{inputs.project.title or 'GPU capacity plan'} · {inputs.scenario.name}",
        written=f"Written {written} · gpuplanner {__version__} · book {book_id(inputs)}",
        written_day=day_number(inputs.generated_at_s),
    )


def book_id(inputs: Inputs) -> str:
    """Return the mark that tells a book from others: of its plan, its files and its moment, as 7C41-09AE."""
    files = [file.sha256 or file.path for file in inputs.project.intake]
    parts = (*files, inputs.project.title, inputs.scenario.name, str(inputs.generated_at_s))
    mark = sha256("\n".join(map(str, parts)).encode()).hexdigest().upper()[:8]
    return f"{mark[:4]}-{mark[4:]}"


def money(book: Book, amount: Expr) -> Expr:
    """Return an amount in words, as $3,537,280, with the separators of the program that shows it; a dash as it is."""
    given: Operands = {"sign": book.in_currency("$1").removesuffix("1"), "usd": amount}
    return (
        formula('IF(ISNUMBER({usd}),{sign}&FIXED({usd},0),{usd}&"")', **given)
        if amount.is_known
        else when(formula("ISNUMBER({usd})", usd=amount), formula("{sign}&FIXED({usd},0)", **given), DASH)
    )


def live(words: Message, **parts: Part) -> Expr:
    """Return a text of the app whose places follow cells.

    >>> live(Message("The plan costs {plan}"), plan=Expr("B2", "$5")).value
    'The plan costs $5'
    """
    pieces: list[Part] = []
    for text, place, _, _ in Formatter().parse(words.template):
        pieces += [part for part in (text, parts[place] if place else "") if part != ""]
    return sentence(*pieces)


def live_in(text: str, written: str, cell: Expr) -> Expr | str:
    """Return a text whose first amount follows a cell; as it is where the amount is not in it.

    written: the amount as the text has it.
    """
    before, amount, after = text.partition(written)
    return sentence(before, cell, after) if amount else text


def or_at_least(cell: Expr, amount: PartSum) -> Expr:
    """Return an amount; until the missing rates are typed in, what is known of it.

    >>> or_at_least(Expr("B2", "—"), PartSum(1234.0, 2, ("A100",))).value
    '≥ 1,234'
    >>> or_at_least(Expr("B2", "—"), PartSum(0.0, 1, ("A100",))).value
    '—'
    """
    if cell.is_known or not amount.is_at_least:
        return cell
    return when(call("ISNUMBER", cell), cell, str(sum_text(amount, whole)))


def sum_of_orders(approval: Approval, usd: Content) -> Content:
    """Return a sum of orders, $; as `Approval.summed`, 0 is unknown where a rate is missing."""
    if approval.usd is not None:
        return usd
    return when(usd > 0, usd, DASH) if isinstance(usd, Expr) else usd or DASH


def sum_look(approval: Approval, look: str) -> str:
    """Return the style of such a sum: with the sign of a lower bound where a rate is missing.

    look: whole or dollars.
    """
    return look if approval.usd is not None else f"least_{look}"


def sentence(*parts: Part) -> Expr:
    """Return words and amounts in words as one text, of a formula that follows the amounts."""
    names = {f"part{place}": part for place, part in enumerate(parts)}
    return formula("&".join(f"{{{name}}}" for name in names), **names)


def iso_words(day: str) -> str:
    """Return an ISO day of a price list as the book writes days.

    >>> iso_words("2026-11-15")
    '15 Nov 2026'
    """
    return written_date(instant_s(day[:10]))


def listed(words: Iterable[Text], at_most: int = 3) -> str:
    """Return words in a row, as AWS, Vela Metal and 2 more.

    >>> listed(["a", "b"]), listed(["a", "b", "c", "d", "e"])
    ('a and b', 'a, b, c and 2 more')
    """
    names = [str(word) for word in words]
    more = len(names) - at_most
    if more > 0:
        return f"{', '.join(names[:at_most])} and {more} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""


NUMBERS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def count_words(count: int) -> str:
    """Return a small count in letters, a larger one in digits.

    >>> count_words(2), count_words(13)
    ('two', '13')
    """
    return NUMBERS[count] if count < len(NUMBERS) else str(count)
