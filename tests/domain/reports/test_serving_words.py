"""What is said of serving: one GPU is told as one."""

import re
from types import SimpleNamespace

from gpuplanner.domain.reports.serving_words import describe_spares
from gpuplanner.domain.serving.regions import SPARE_WAYS


def test_one_gpu_of_a_way_to_hold_spares_is_told_as_one() -> None:
    way, dear, unknown = SPARE_WAYS
    found = SimpleNamespace(
        gpus={way: 1, dear: 2, unknown: 1}, usd_per_month={way: 5.0, dear: 9.0, unknown: None}
    )
    words = str(describe_spares(found))  # type: ignore[arg-type]
    assert re.findall(r"\d GPUs?(?: \(\$\d)?", words) == ["1 GPU ($5", "2 GPUs ($9", "1 GPU"]
