"""Questions of an import that a log leaves open, such as its cluster, and their answers."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import PurePath
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QFrame, QPushButton

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.book.exchange import ExchangeRate, check_rate
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same, SameKind, names_of
from gpuplanner.domain.model.window import instant_s, iso_day
from gpuplanner.files.activity.activity_intake import OneNode
from gpuplanner.files.system.resources import gpu_families, long_text, views_of
from gpuplanner.files.tables.column_mapping import NOT_NEEDED
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import STRETCH, TOP, add, box, column, emptied, grid, placed, row, share
from gpuplanner.ui.kit.page_parts import (
    Drawing,
    choice_of,
    heading_label,
    label,
    muted_label,
    named_button,
    refill,
)
from gpuplanner.ui.words.window_words import in_window_words

_ENDINGS: Final = frozenset(
    (".csv", ".tsv", ".txt", ".json", ".jsonl", ".xlsx", ".ods", ".parquet", ".gz", ".zst", ".zip")
)
"""What follows the name of a file, packed or not."""


def likely_cluster(path: str, clusters: Collection[str], *, is_alone: bool = True) -> str:
    """The cluster that contracts are for, or that a log's file is called after; empty where there is none.

    path: of the log; clusters: that contracts name; is_alone: all logs are of one scheduler.

    Of several schedulers no log is on the only cluster of contracts unless it is called so. Without contracts nothing
    is proposed: the name of one file would stay the cluster of every month's log.

    >>> likely_cluster("/logs/saga_sacct_2026-10.csv", []), likely_cluster("jobs.csv", ["atlas"])
    ('', 'atlas')
    """
    if len(clusters) == 1 and is_alone:
        return next(iter(clusters))
    words = {*_words(_name(path))}
    called = [cluster for cluster in sorted(clusters) if {*_words(cluster)} <= words]
    return called[0] if len(called) == 1 else ""


def _name(path: str) -> str:
    """A file's name without its endings, packed ones too."""
    name = PurePath(path)
    while name.suffix.lower() in _ENDINGS:
        name = name.with_suffix("")
    return name.name


def _words(name: str) -> list[str]:
    """The words of a name in small letters."""
    return [word for word in re.split(r"[\W_]+", name.casefold()) if word]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is left open: the beginning of a sentence, its ends as words and value, and the value that holds.

    is_typed: any other may be typed. is_open: nothing is proposed, so that the planner has to say it; hint: what the
    value that holds makes of the file. day: the ISO day of the value, where it has one: the answer is 1.11@2026-11-30.
    """

    sentence: str
    answers: Sequence[tuple[str, str]]
    value: str
    is_typed: bool = False
    is_open: bool = False
    hint: str = ""
    day: str = ""


def _lead_sentence(column: str, name: str) -> str:
    """What the column of a lead time leaves open, as in ASKED_OF."""
    return tr("“{column}” of {name} has no unit. Read as:", column=column, name=name)


ASKED_OF: Final[Mapping[str, Callable[[str, str], str]]] = {
    "end": lambda column, name: tr(long_text("last_day_or_after", column=column, name=name)),
    "notice_days": lambda column, name: tr(long_text("days_or_months", column=column, name=name)),
    "lead_time_hours": _lead_sentence,
    "lead_time_high_hours": _lead_sentence,
}
"""By field: what its column leaves open, as the beginning of a sentence that the answer ends."""


def node_questions(name: str, node: OneNode) -> dict[str, Asked]:
    """Which node a log of activity is of that names none, and what its GPUs are, by field of OneNode."""
    families = [(model, model) for model in dict.fromkeys(model.name for model in gpu_families().models)]
    of_name = tr("{name} covers one unnamed node. Node:", name=name)
    of_model = tr("GPU model of the node in {name}:", name=name)
    return {
        "name": Asked(of_name, (), node.name, is_typed=True),
        "gpu_model": Asked(of_model, families, node.gpu_model, is_typed=True),
    }


def model_question(name: str, same: Iterable[Same]) -> Asked:
    """Which GPU a name of no table is; a model of its own where nobody says."""
    families = [(model.name, model.name) for model in gpu_families().models if model.aliases != ("-",)]
    said = names_of(same, SameKind.MODEL).get(name.casefold(), name)
    answers = [(tr("A separate model"), name), *dict.fromkeys(families)]
    return Asked(tr("Unknown GPU model “{name}”. Treat as:", name=name), answers, said)


def cluster_question(name: str, ours: Sequence[str], same: Iterable[Same]) -> Asked:
    """Which cluster of contracts one of a log is that none of them serves; one of its own where nobody says."""
    said = names_of(same, SameKind.CLUSTER).get(name, name)
    answers = [(tr("A separate cluster"), name), *((own, own) for own in ours)]
    return Asked(tr("No contract covers cluster “{name}”. Treat as:", name=name), answers, said)


PARTITIONS: Final = "partitions"
"""Stands for a field, and for the answer that each contract serves the partition that it names."""


def partition_question(partitions: Sequence[Same], same: Collection[Same]) -> Asked:
    """Whether clusters that contracts name are the partitions of the logs that are called so."""
    names = ", ".join(dict.fromkeys(partition.ours for partition in partitions))
    answers = [(tr("contracts of these partitions"), PARTITIONS), (tr("separate clusters"), "")]
    sentence = tr("Contracts are for {names}, which are partitions in the log. Treat as:", names=names)
    return Asked(sentence, answers, PARTITIONS if {*partitions} <= {*same} else "")


ZONE: Final = "zone"
"""Stands for a field: the time zone of logs whose times carry none."""


def zone_question(zones: Iterable[str], chosen: str, hint: str) -> Asked:
    """In which zone times without one are read. zones: in words; hint: what the zone makes of such a time."""
    sentence = tr("Time zone of times without one:")
    answers = [(words, words) for words in zones]
    return Asked(sentence, answers, chosen, is_typed=True, hint=hint)


OF_COLUMN: Final = "column:"
"""Begins a field that stands for a column that is not read: its heading follows."""


def column_question(
    name: str, heading: str, fields: Iterable[tuple[str, str]], value: str, why: str, *, is_said: bool
) -> Asked:
    """What a column is that is not read though it may change what is read. fields: in words; why: what a law says.

    is_said: it was answered.
    """
    sentence = tr("Column \u201c{column}\u201d of {name} is:", column=heading, name=name)
    answers = [(tr("Choose"), ""), (tr("Not needed"), NOT_NEEDED), *fields]
    return Asked(sentence, answers, value, is_open=not is_said, hint=why)


SELLER: Final = "provider"
"""The field that is asked about of prices that name none."""


def seller_question(name: str, providers: Sequence[str], answer: str, *, is_said: bool) -> Asked:
    """Who sells at the prices of a list that names no provider. providers: of other lists; is_said: by the planner."""
    answers = [(provider, provider) for provider in dict.fromkeys(("", *providers, answer))]
    sentence = tr("Prices of {name} name no provider. Provider:", name=name)
    return Asked(sentence, answers, answer, is_typed=True, is_open=not (answer or is_said))


TAX: Final = "tax"
"""The field of the tax that the prices of a list include."""
KEPT: Final = "0"
"""The answer that rates stay as they are."""
_USUAL_TAXES: Final = ("7", "8.1", "19", "20", "21", "22", "25")


def tax_question(name: str, stated: str, value: str) -> Asked:
    """Whether the prices of a list include tax, in percent. stated: by its remarks, maybe without a number."""
    sentence = tr("Prices of {name} include VAT:", name=name)
    percents = (stated,) if stated else _USUAL_TAXES
    rates = [(tr("{percent}%, use rates without it", percent=percent), percent) for percent in percents]
    answers = [(tr("Choose"), ""), *rates, (tr("Keep the rates"), KEPT)]
    return Asked(sentence, answers, value, is_open=not value)


EXCHANGE: Final = "exchange"
"""Stands for a path: the field is a currency."""


def exchange_rate(code: str, answer: str) -> ExchangeRate | None:
    """Return the rate of an answer; None where it is none.

    >>> exchange_rate("EUR", "1,11@2026-11-30")
    ExchangeRate(code='EUR', usd_rate=Decimal('1.11'), as_of='2026-11-30')
    >>> exchange_rate("EUR", "@2026-11-30") is exchange_rate("EUR", "-1@2026-11-30") is None
    True
    """
    text, _, day = answer.partition("@")
    try:
        return check_rate(ExchangeRate(code, Decimal(text.replace(",", ".")), day))
    except (InvalidOperation, PlannerError):
        return None


def exchange_question(code: str, rate: str, day: str, hint: str) -> Asked:
    """What a unit of a currency is in US dollars, and on which day. hint: where the proposed rate is from."""
    answers = [(rate, rate)]
    sentence = tr("US dollars per {code}, on:", code=code)
    return Asked(sentence, answers, rate, is_typed=True, is_open=not rate, hint=hint, day=day)


SERVED: Final = "cluster"
"""The field that is asked about of a log, or of contracts, that name none."""


def served_question(
    name: str, clusters: Sequence[str], answer: str, why: Text = "", *, is_said: bool = False
) -> Asked:
    """On which cluster the jobs of a log ran, or which the contracts of a file serve; answer: empty for none.

    clusters: that other files name; why: how many contracts name none, empty of a log. is_said: by the planner.
    """
    answers = [(cluster, cluster) for cluster in dict.fromkeys(("", *clusters, answer))]
    sentence = (
        tr("Jobs of {name} name no cluster. Cluster:", name=name)
        if not why
        else tr("{name}: {why}. Cluster served:", name=name, why=why)
    )
    return Asked(sentence, answers, answer, is_typed=True, is_open=not (answer or is_said))


def twice_question(name: str, kind: str) -> Asked:
    """Whether a list of nodes beside contracts of the same GPU models is of their GPUs. kind: what it is read as."""
    answers = [(tr("the same GPUs (skip the list)"), ""), (tr("additional GPUs"), "contracts")]
    sentence = tr("Contracts have the same GPU models as {name}. It lists:", name=name)
    return Asked(sentence, answers, kind)


_LETTERS_TYPED, _LETTERS_OF_A_RATE = 30, 10


class _Line:
    """The widgets of one question: its sign, its sentence, its box, and what the answer makes of the file."""

    def __init__(self, asked: Asked, box: QComboBox) -> None:
        self.box = box
        self.day = DayField(tr("Day of the rate"), tr("Day of the rate, UTC"), 0) if asked.day else None
        self.sign, self.hint = Drawing(), muted_label()
        self.sentence = label(asked.sentence, is_wrapped=True, of=box)
        self.hint.setVisible(bool(asked.hint))

    def show(self, asked: Asked) -> None:
        """The value that holds, unless the planner is at the box, and whether one is needed."""
        name, role = ("triangle", "amber") if asked.is_open else ("tick", "green")
        self.sign.show_drawing(name, role)
        self.sign.setAccessibleName(tr("Answer needed") if asked.is_open else tr("Answered"))
        self.sentence.setText(asked.sentence)
        self.hint.setText(asked.hint)
        if self.day is not None and not self.day.hasFocus():
            self.day.show_day(instant_s(asked.day))
        typed = self.box.lineEdit()
        if (typed is not None and typed.hasFocus()) or self.box.view().isVisible():
            return  # or what is being typed or chosen would go
        if self.box.findData(asked.value) < 0:
            refill(self.box, (*asked.answers, (asked.value, asked.value)), asked.value)
        self.box.setCurrentIndex(self.box.findData(asked.value))


class OpenQuestions(QFrame):
    """Told what tables leave open, each with its likely reading; emits what is said of one.

    Once the planner may be at them, a question keeps its place and its box: new ones come below it, and one that no
    longer holds is disabled.
    """

    answered = Signal(str, str, str)  # path, field, unit; of a name: its kind, the name, what it is

    def __init__(self) -> None:
        super().__init__()
        self.boxes: dict[tuple[str, str], QComboBox] = {}
        self._of: dict[tuple[str, str], _Line] = {}
        self._lines = grid(spacing=(8, 6), shares=(0, 1))
        box(
            "box",
            column(heading_label(tr("Questions")), self._lines, margins=(12, 8, 12, 10), spacing=6),
            self,
        )
        self.hide()

    def ask(self, asked: Mapping[tuple[str, str], Asked], *, may_move: bool = False) -> None:
        """By path and field; of a name by it alone. may_move: nobody is at them yet, so that open ones come first."""
        self.setVisible(bool(asked))
        order = sorted(asked, key=lambda key: not asked[key].is_open)
        if may_move and order != [*self._of]:
            emptied(self._lines)
            self._of = {}
        for key in order:
            if key not in self._of:
                self._add(key, asked[key])
        self.boxes = {key: self._of[key].box for key in asked}
        for key, line in self._of.items():
            line.box.setEnabled(key in asked)
            line.sentence.setEnabled(key in asked)
        for key, one in asked.items():
            self._of[key].show(one)

    def _add(self, key: tuple[str, str], asked: Asked) -> None:
        """One more question below the others."""
        path, field = key
        letters = _LETTERS_OF_A_RATE if asked.day else _LETTERS_TYPED * asked.is_typed
        field_box = choice_of(
            asked.sentence, tr("Applies to every row of the file"), asked.answers, None, letters
        )
        field_box.setEditable(asked.is_typed)
        if (typed := field_box.lineEdit()) is not None:
            field_box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            if field == ZONE and (completer := field_box.completer()) is not None:  # Oslo finds Europe/Oslo
                completer.setFilterMode(Qt.MatchFlag.MatchContains)
                completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
            typed.setAccessibleName(asked.sentence)
            typed.setPlaceholderText(tr("not known"))
            typed.editingFinished.connect(lambda: self._say(path, field, typed.text().strip()))
        field_box.activated.connect(lambda choice: self._say(path, field, field_box.itemData(choice)))
        line, row_number = _Line(asked, field_box), self._lines.rowCount()
        answer = row(field_box, line.day, STRETCH, spacing=8)
        if line.day is not None:
            line.day.changed.connect(lambda: self._say(path, field, field_box.currentText().strip()))
        self._lines.addWidget(line.sign, row_number, 0)
        self._lines.addWidget(line.sentence, row_number, 1)
        self._lines.addLayout(answer, row_number, 2)
        if asked.hint:
            self._lines.addWidget(line.hint, row_number + 1, 1, 1, 2)
        self._of[key] = line

    def _say(self, path: str, field: str, value: str) -> None:
        """The planner answers one, with the day of the answer where it has one."""
        day = self._of[path, field].day
        self.answered.emit(path, field, value if day is None else f"{value}@{iso_day(day.day_s)}")


RIGHT: Final = ""
"""The answer that the rates are as they should be."""

ANSWERS: Final = views_of("odd_rate")
"""Unit of the price, its words, and what is done then."""


class FileQuestion(QFrame):
    """Told what is asked of a file before anything is taken in, or nothing; emits the answer."""

    answered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        sign = PlainLabel()
        sign.setPixmap(icon("triangle", "amber").pixmap(16, 16))
        self._title, self._sentence = label(step="strong"), muted_label()
        self.buttons: dict[str, QPushButton] = {}
        self._answers = column(spacing=4)
        asked = column(self._title, self._sentence, self._answers, spacing=4)
        row(placed(sign, TOP), share(asked), on=self, margins=(20, 8, 20, 10), spacing=10)
        self.hide()

    def show_question(
        self,
        title: str,
        words: str = "",
        answers: Sequence[tuple[str, Text, Text]] = (),
        *,
        is_best_first: bool = False,
    ) -> None:
        """Ask; answers: value, words and tip. is_best_first: the first is preselected. No title: hide."""
        self.setVisible(bool(title))
        self._title.setText(title)
        self._sentence.setText(words)
        self.setAccessibleName(title)
        self.setAccessibleDescription(words)
        if [*self.buttons] == [value for value, *_ in answers]:
            return
        emptied(self._answers)
        self.buttons = {
            value: named_button(
                words, tip, lambda _=False, value=value: self.answered.emit(value), takes_enter=True
            )
            for value, words, tip in answers
        }
        if is_best_first:
            best = next(iter(self.buttons.values()))
            best.setProperty("primary", True)
            best.setFocus()
            add(self._answers, *(row(button, STRETCH) for button in self.buttons.values()))
        else:
            add(self._answers, row(*self.buttons.values(), STRETCH, spacing=8))


def rate_answers(unit: str) -> list[tuple[str, Text, Text]]:
    """Return what rates may be for. unit: in which they were read, empty where no other can be chosen."""
    return [answer for answer in ANSWERS if answer[0] == RIGHT or (unit and answer[0] != unit)]


def rows_words(message: Text) -> Text:
    """Return what the issue says of its rows, without what it says of all such rows."""
    if isinstance(message, Message) and message.values:
        so = next(iter(message.values.values()))
        rows = [*so.values.values()][-1] if isinstance(so, Message) and len(so.values) > 1 else None
        if isinstance(rows, Message | str):
            return spoken(rows)
    return in_window_words(message)
