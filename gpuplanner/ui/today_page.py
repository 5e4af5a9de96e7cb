"""Today's page: the clusters as they were, above the board where each workload stands where it ran."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gpuplanner.domain.audit.result import Audit, ClusterAudit
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.contract import Contract
from gpuplanner.ui import numbers
from gpuplanner.ui.drawing import draw_text, text_width
from gpuplanner.ui.figure_table import Bar, Cell, Column, FigureTable, Row
from gpuplanner.ui.theme import Palette
from gpuplanner.ui.type_scale import font

_COLUMNS = (
    Column("Cluster", False, 96),
    Column("Paid to", False),
    Column("GPUs"),
    Column("Utilization\n ", False, 160, ((0.0, "0"), (0.4, "40"), (1.0, "100%"))),
    Column("Utilization"),
    Column("Break-even"),
    Column("Activity"),
    Column("Hours without\ntraining"),
    Column("Used in\nthose hours"),
    Column("Cost\n$ per month"),
    Column("Stranded, audit\n$ per month"),
    Column("Stranded, metered\n$ per month"),
)


class ClustersCard(QFrame):
    """The clusters table of today with its heading and the key to its marks."""

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setAccessibleName("Clusters")
        self._title = QLabel("Clusters")
        self._title.setFont(font("title"))
        self._span = QLabel()
        self._span.setProperty("role", "muted")
        self._span.setFont(font("small"))
        self._key = _MarksKey(palette)
        self.table = FigureTable("Clusters today", palette)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._title)
        head.addWidget(self._span)
        head.addStretch(1)
        head.addWidget(self._key)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 8, 14, 8)
        layout.setSpacing(2)
        layout.addLayout(head)
        layout.addWidget(self.table)

    def show_evaluation(self, evaluation: Evaluation) -> None:
        """Show the clusters of an audit."""
        window = evaluation.project.window
        self._span.setText(numbers.span(window.start_s, window.end_s))
        self.table.show_rows(_COLUMNS, cluster_rows(evaluation.audit, evaluation.project.contracts))
        self.table.fit_height()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.table.show_palette(palette)
        self._key.show_palette(palette)


class _MarksKey(QWidget):
    """What the two marks on the bars mean, written out beside them."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self.setAccessibleName("Solid mark: 40% flag. Dashed mark: break-even against on demand.")

    def show_palette(self, palette: Palette) -> None:
        self._palette = palette
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(text_width("40% flag" + "Break-even against on demand", font("small")) + 40, 18)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, at = QPainter(self), 2
        for text, is_dashed in (("40% flag", False), ("Break-even against on demand", True)):
            pen = QPen(self._palette.colour("text"), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
            if is_dashed:
                pen.setDashPattern([1, 1])
            painter.setPen(pen)
            painter.drawLine(at, 3, at, 14)
            rect = QRect(at + 7, 0, self.width() - at - 7, 18)
            at += 7 + draw_text(painter, rect, text, font("small"), self._palette.muted) + 16


def cluster_rows(audit: Audit, contracts: tuple[Contract, ...]) -> tuple[Row, ...]:
    """One row a cluster, and their sum; unknown figures say what would fill them."""
    break_even = {
        row.cluster: row.break_even_utilization for row in audit.contracts if row.break_even_utilization
    }
    rows = [_cluster_row(cluster, contracts, break_even.get(cluster.cluster)) for cluster in audit.clusters]
    if len(rows) > 1:
        rows.append(_total_row(audit, contracts))
    return tuple(rows)


def _money(values: list[float | None]) -> list[str]:
    return [
        numbers.UNKNOWN if value is None else numbers.whole(value)
        for value in numbers.largest_remainder(values)
    ]


def _cluster_row(cluster: ClusterAudit, contracts: tuple[Contract, ...], break_even: float | None) -> Row:
    mine = [contract for contract in contracts if contract.cluster == cluster.cluster]
    flagged = cluster.below_40_percent
    no_contract = "Unknown: no contract names this cluster. Import its contract."
    no_offer = "Unknown: no on-demand price to compare with. Import prices."
    no_activity = "Unknown: not every job of this cluster has an activity figure."
    why = "" if mine else no_contract
    bar = (
        Bar(cluster.utilization, "amber" if flagged else "neutral", 0.4, break_even)
        if cluster.utilization is not None
        else None
    )
    return Row(
        (
            Cell(cluster.cluster, is_strong=True),
            Cell(paid_to(mine), "muted", tip=paid_to(mine)),
            Cell(gpus_of(mine), tip=why),
            Cell(
                bar=bar, tip="Below 40%" if flagged else "Solid mark: the 40% flag. Dashed mark: break-even."
            ),
            Cell(
                numbers.percent(cluster.utilization),
                icon="triangle" if flagged else "",
                icon_role="amber",
                tip="Used less than 40% of its GPU-hours" if flagged else why,
            ),
            Cell(numbers.percent(break_even), tip="" if break_even else no_offer),
            Cell(numbers.percent(cluster.activity), tip="" if cluster.activity is not None else no_activity),
            Cell(numbers.whole(cluster.non_training_hours)),
            Cell(numbers.percent(cluster.non_training_utilization), tip=why),
            Cell(numbers.whole(cluster.cost_usd_per_month), tip=numbers.cents(cluster.cost_usd_per_month)),
            Cell(numbers.whole(cluster.stranded_audit_usd_per_month), is_strong=True),
            Cell(numbers.whole(cluster.stranded_metered_usd_per_month), is_strong=True),
        ),
        key=cluster.cluster,
    )


def _total_row(audit: Audit, contracts: tuple[Contract, ...]) -> Row:
    clusters = audit.clusters
    used = audit.effective_utilization_now
    return Row(
        (
            Cell(numbers.counted(len(clusters), "cluster")),
            Cell(),
            Cell(
                numbers.gpus(sum(contract.gpus for contract in contracts)) if contracts else numbers.UNKNOWN
            ),
            Cell(bar=Bar(used, "neutral", 0.4) if used is not None else None),
            Cell(numbers.percent(used)),
            Cell(),
            Cell(),
            Cell(),
            Cell(),
            Cell(
                numbers.whole(known_sum([cluster.cost_usd_per_month for cluster in clusters])),
                tip="Contracts alone; what ran beyond them is in Paid.",
            ),
            Cell(numbers.whole(known_sum([cluster.stranded_audit_usd_per_month for cluster in clusters]))),
            Cell(numbers.whole(known_sum([cluster.stranded_metered_usd_per_month for cluster in clusters]))),
        ),
        is_total=True,
    )


def paid_to(contracts: list[Contract]) -> str:
    """Vela Cloud, 12-month commitment; or how many contracts there are."""
    if not contracts:
        return "No contract"
    if len(contracts) > 1:
        providers = list(dict.fromkeys(contract.provider or "provider unknown" for contract in contracts))
        return f"{numbers.counted(len(contracts), 'contract')} \u00b7 {', '.join(providers)}"
    contract = contracts[0]
    provider = contract.provider or "Provider unknown"
    if not contract.is_committed:
        return f"{provider} \u00b7 on demand, since {numbers.date(contract.start_s)}"
    term = f"{contract.term_months}-month commitment" if contract.term_months else "commitment"
    return f"{provider} \u00b7 {term}"


def gpus_of(contracts: list[Contract]) -> str:
    """96 H100; each model of a cluster once."""
    by_model: dict[str, float] = {}
    for contract in contracts:
        model = contract.gpu_model or "unknown"
        by_model[model] = by_model.get(model, 0.0) + contract.gpus
    return ", ".join(f"{numbers.gpus(gpus)} {model}" for model, gpus in by_model.items()) or numbers.UNKNOWN
