"""Cards that are kept as pictures: what is seen is always what would be drawn afresh."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import QLocale, QRect, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.cards.card_dates import CardDates
from gpuplanner.ui.cards.delegate import CARD_HEIGHT, BoardDelegate, CardPictures, is_whole, write_dollars
from gpuplanner.ui.cards.marks import Mark
from gpuplanner.ui.cards.model import CardModel, Face
from gpuplanner.ui.kit.palettes import DARK, LIGHT, Palette, use
from gpuplanner.ui.words import numbers

CARD = CardFigures(
    key="atlas/nlp/tune",
    name="tune",
    cluster="atlas",
    owner="nlp",
    classification=Classification(
        pool=Pool.TRAINING,
        subtype="fine-tune",
        confidence=0.91,
        reasons=("long runs",),
        runner_up=Pool.BURST,
        source="score",
    ),
    pool=Pool.TRAINING,
    in_review=False,
    is_pinned=False,
    milli_gpu_seconds=4_442_400_000,
    times=1.0,
    gpu_hours_per_month=1234.0,
    gpu_models=("H100",),
)

LONG = "aurora-of-the-north-and-the-south-large-pretrain"


@dataclass(frozen=True, kw_only=True)
class Look:
    """One way in which a card is seen."""

    card: CardFigures = CARD
    usd: float | None = 5678.0
    marks: tuple[Mark, ...] = ()
    apart: str = ""
    ends: tuple[str, ...] = ()
    largest: float = 2000.0
    is_settling: bool = False
    palette: Palette = LIGHT
    is_target: bool = False
    width: int = 232
    ratio: float = 1.0
    state: QStyle.StateFlag = QStyle.StateFlag.State_Enabled
    locale: QLocale.Language = QLocale.Language.English


LOOKS = (
    Look(),
    Look(card=replace(CARD, name="tune again")),
    Look(card=replace(CARD, is_pinned=True)),
    Look(card=replace(CARD, in_review=True)),
    Look(card=replace(CARD, pool=Pool.BURST)),
    Look(card=replace(CARD, gpu_hours_per_month=1235.0)),
    Look(card=replace(CARD, classification=replace(CARD.classification, confidence=0.4))),
    Look(card=replace(CARD, classification=replace(CARD.classification, pool=Pool.INFERENCE))),
    Look(usd=5679.0),
    Look(usd=1234567.0),
    Look(usd=None),
    Look(marks=(Mark(icon="fit", role="red", text="too small"),)),
    Look(marks=(Mark(icon="fit", role="amber", text="too small"),)),
    Look(apart="vega"),
    Look(card=replace(CARD, name=LONG), ends=("\u2026large-pretrain", "\u2026pretrain")),
    Look(card=replace(CARD, name=LONG), ends=("\u2026pretrain",)),
    Look(largest=8000.0),
    Look(is_settling=True),
    Look(palette=DARK),
    Look(is_target=True),
    Look(width=200),
    Look(ratio=2.0),
    Look(ratio=1.5),
    Look(state=QStyle.StateFlag.State_Selected),
    Look(state=QStyle.StateFlag.State_MouseOver),
    Look(locale=QLocale.Language.German),
)


@pytest.fixture
def as_before() -> Iterator[None]:
    """The locale of the other tests, whatever happens."""
    yield
    numbers.use_locale(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))


def drawn(delegate: BoardDelegate, look: Look) -> QImage:
    """A card on its column, by a delegate that is told whatever a column tells it."""
    model = CardModel()
    model.show_cards(
        [look.card], {CARD.key: look.usd}, {CARD.key: look.marks}, look.largest, look.is_settling,
        {CARD.key: look.apart}, {look.card.name: look.ends},
    )  # fmt: skip
    ground = (
        look.palette.lanes[next(iter(look.palette.lanes))].tint if look.is_target else look.palette.surface
    )
    delegate.ground = ground
    image = QImage(QSize(look.width + 8, CARD_HEIGHT + 8) * look.ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(look.ratio)
    image.fill(ground)
    option = QStyleOptionViewItem()
    option.rect = QRect(4, 4, look.width, CARD_HEIGHT)
    option.state = look.state
    painter = QPainter(image)
    delegate.paint(painter, option, model.index(0))
    painter.end()
    return image


def test_a_kept_card_is_never_another_than_one_drawn_afresh(qtbot: QtBot, as_before: None) -> None:
    kept, palette, language, seen = BoardDelegate(), LIGHT, QLocale.Language.English, []
    numbers.use_locale(QLocale(language))
    for look in (*LOOKS, *reversed(LOOKS)):
        if look.locale is not language:  # each time it is set all pictures go
            language = look.locale
            numbers.use_locale(QLocale(language))
        if look.palette is not palette:
            palette = look.palette
            use(palette)
        image = drawn(kept, look)
        assert image == drawn(BoardDelegate(), look), look
        seen.append(image)
    assert len(kept.pictures) > 0
    for number, look in enumerate(LOOKS[1:], 1):
        assert seen[number] != seen[0], f"{look} is not seen"
        assert seen[number] != seen[number - 1], f"{look} is not seen"


def test_a_card_that_is_the_same_is_drawn_once_and_the_oldest_are_forgotten(qtbot: QtBot) -> None:
    size, drawings = QSize(10, 10), []
    pictures = CardPictures(most_bytes=3 * 10 * 10 * 4)
    for of in ("a", "b", "a", "c", "d", "a", "b"):
        pictures.picture(of, 1, size, 1.0, "#ffffff", lambda _, of=of: drawings.append(of))
        assert len(pictures) <= 3
    assert drawings == ["a", "b", "c", "d", "b"]
    for of in (2, 2, 3):  # drawn from something else
        pictures.picture("b", of, size, 1.0, "#ffffff", lambda _, of=of: drawings.append(of))
        assert len(pictures) <= 3
    assert drawings[5:] == [2, 3]
    pictures.clear()
    assert len(pictures) == 0


def test_pictures_are_kept_only_where_they_stand_on_whole_pixels() -> None:
    assert is_whole(1.0)
    assert is_whole(2.0)
    assert not is_whole(1.25)


@pytest.mark.parametrize(("confidence", "is_badged"), [(0.91, False), (0.8, False), (0.79, True)])
def test_a_card_has_a_badge_only_where_its_class_is_not_sure(
    qtbot: QtBot, confidence: float, is_badged: bool
) -> None:
    use(LIGHT)
    numbers.use_locale(QLocale(QLocale.Language.English))
    card = replace(CARD, classification=replace(CARD.classification, confidence=confidence))
    assert (drawn(BoardDelegate(), Look(card=card)) != drawn(BoardDelegate(), Look())) is is_badged


def test_dollars_of_a_card_have_their_unit_and_a_run_costs_what_all_of_it_does() -> None:
    a_month = Face(usd=5678.0, bar=0.5, marks=(), is_settling=False)
    assert write_dollars(a_month) == ("$5,678", "/mo")
    assert write_dollars(replace(a_month, usd=None)) == ("\u2014", "")
    assert write_dollars(replace(a_month, dates=CardDates(("from 1 Feb",), run_usd="$2.0M"))) == (
        "$2.0M",
        " in all",
    )


def test_a_mark_has_its_word_where_the_card_has_room_for_it(qtbot: QtBot) -> None:
    marked = Look(marks=(Mark(icon="fit", role="red", text="too small"),))
    others = Look(marks=(Mark(icon="octagon", role="red", text="too small"),))
    seen = [drawn(BoardDelegate(), replace(look, width=300)) for look in (marked, others)]
    assert seen[0].copy(252, 6, 40, 20) != seen[1].copy(252, 6, 40, 20)
