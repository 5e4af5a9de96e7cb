"""Tables the product ships as data (resources/): GPU models, class rules, score rows. Files reads them."""

from dataclasses import dataclass

from gpuplanner.domain.model.pool import Pool


@dataclass(frozen=True, slots=True)
class GpuModel:
    """One GPU model. Units: GB, TB/s, dense BF16 TFLOP/s (None: not stated)."""

    name: str
    memory_gb: float
    bandwidth_tb_per_s: float | None
    tflops: float | None


@dataclass(frozen=True, slots=True)
class ClassRule:
    """One row of resources/class_rules.csv: a pattern in a field names a class with a confidence.

    field: name, queue or subtype-bearing text; pattern: a regular expression searched in the folded text.
    """

    rule_id: str
    field: str
    pattern: str
    pool: Pool
    subtype: str
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One row of resources/class_scores.csv: a signal between low and high adds points to a class."""

    signal: str
    low: float
    high: float
    pool: Pool
    points: float
    reason: str


@dataclass(frozen=True, slots=True)
class Tables:
    """All the tables that evaluation needs."""

    gpu_models: tuple[GpuModel, ...] = ()
    class_rules: tuple[ClassRule, ...] = ()
    score_rows: tuple[ScoreRow, ...] = ()
