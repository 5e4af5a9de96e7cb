"""Answers about a sized endpoint and about places, row by row; the rows are those of `rows_by_hand.py`.

8 GB of cache and 16 GB of weights; 20 requests a second on 5 a second and replica are 4, and one spare: 10 H100 at
$2.50, 7,300 GPU-h. Users of New York, Atlanta and London are 20, 10 and 7."""

import pytest

from gpuplanner.domain.evidence.serving import OF_PLACES, OF_SIZING
from tests.arrived import arrived
from tests.domain import worlds
from tests.domain.reports.rows_by_hand import sizing as sizing_by_hand
from tests.domain.tables import answer_of, cases_of

SIZING = """
size_memory::H100~BF16~2 16 decimal Memory 2 H100 BF16 GB = 16 + 0 = 16 8 8 1250 1250 144 0.9
  weights | 16
  ... | 0

size_replicas::H100~BF16~2 5 count Replicas 2 H100 BF16 = 4.4 ... 5 a.csv
  20 1 5 | 4.4
  1 | 5

size_gpus::H100~BF16~2 10 count GPUs 2 H100 BF16 = 5 × 2 = 10 -> size_memory::H100      BF16    2
  replicas at peak | 5 -> size_replicas::H100~BF16~2
  GPUs per replica | 2

size_gpus:flat:H100~BF16~2 10 count GPUs 2 H100 BF16 = 5 × 2 = 10 -> size_memory::H100  BF16    2
  replicas at peak | 5 -> size_replicas::H100~BF16~2
  GPUs per replica | 2

size_gpus:needed:H100~BF16~2 10 count GPUs 2 H100 BF16 = 5 × 2 = 10 -> size_memory::H100        BF16    2
  replicas at peak | 5 -> size_replicas::H100~BF16~2
  GPUs per replica | 2

size_gpus:by_hour:H100~BF16~2 10 count GPUs 2 H100 BF16 = 5 × 2 = 10 -> size_memory::H100       BF16    2
  replicas at peak | 5 -> size_replicas::H100~BF16~2
  GPUs per replica | 2

size_gpus:ratio:H100~BF16~2 10 count GPUs 2 H100 BF16 = 5 × 2 = 10 -> size_memory::H100 BF16    2
  replicas at peak | 5 -> size_replicas::H100~BF16~2
  GPUs per replica | 2

size_gpus:low:H100~BF16~2 10 count GPUs 2 H100 BF16 = 5 × 2 = 10 -> size_memory::H100   BF16    2
  replicas at peak | 5 -> size_replicas::H100~BF16~2
  GPUs per replica | 2

size_ttft::H100~BF16~2 54 decimal ... 2 H100 BF16 ms = 4 + 20 + 30 = 54 0.25 0.8
  ... | 4
  ... | 20
  ... | 30

size_tpot::H100~BF16~2 12 decimal ... 2 H100 BF16 = 12 30 0.9 1.1
  30 0.9 1.1 | 12

size_ratio:ratio:A100 0.5 exact A100 H100 = 0.5 A100 H100 BF16 50 0.5 0.4 0.625 measured 8
  A100 H100 BF16 50 0.5 0.4 0.625 measured 8 | 0.5

size_ratio:low:A100 0.4 exact A100 H100 = 0.4 A100 H100 BF16 50 0.5 0.4 0.625 measured 8
  A100 H100 BF16 50 0.5 0.4 0.625 measured 8 | 0.4

size_ratio:high:A100 0.625 exact A100 H100 = 0.625 A100 H100 BF16 50 0.5 0.4 0.625 measured 8
  A100 H100 BF16 50 0.5 0.4 0.625 measured 8 | 0.625

size_ratio:instead:A100 16 exact A100 H100 = 16 A100 H100 BF16 50 0.5 0.4 0.625 measured 8
  A100 H100 BF16 50 0.5 0.4 0.625 measured 8 | 16

size_ratio:usd_per_month:A100 11680 usd A100 H100 = 11680 A100 H100 BF16 50 0.5 0.4 0.625 measured 8
  A100 H100 BF16 50 0.5 0.4 0.625 measured 8 | 11680

size_ratio:ratio:L40S 0.25 exact L40S H100 = 0.25 L40S H100 BF16 50 0.25 0.2 0.3 formula -
  L40S H100 BF16 50 0.25 0.2 0.3 formula - | 0.25

size_ratio:low:L40S 0.2 exact L40S H100 = 0.2 L40S H100 BF16 50 0.25 0.2 0.3 formula -
  L40S H100 BF16 50 0.25 0.2 0.3 formula - | 0.2

size_ratio:high:L40S 0.3 exact L40S H100 = 0.3 L40S H100 BF16 50 0.25 0.2 0.3 formula -
  L40S H100 BF16 50 0.25 0.2 0.3 formula - | 0.3

size_hours:flat:H100~BF16~2 7300 gpu_hours Sized for peak 2 H100 BF16 per month = 10 × 730 = 7300
  GPUs at peak | 10 -> size_gpus::H100~BF16~2
  ... | 730

size_hours:leak:H100~BF16~2 2920 gpu_hours Peak-provisioning leak 2 H100 BF16 per month = 7300 − 4380 = 2920
  ... | 7300 -> size_hours:flat:H100~BF16~2
  ... | 4380 -> size_hours:scaled:H100~BF16~2

size_hours:scaled:H100~BF16~2 4380 gpu_hours ... 2 H100 BF16 per month = 2 4380
  4 | 486.667 | 3893.33
  1 | 243.333 | 486.667

size_hours:flat:A100~BF16~4 17520 gpu_hours Sized for peak 4 A100 BF16 per month = 24 × 730 = 17520
  GPUs at peak | 24 -> size_gpus::A100~BF16~4
  ... | 730

size_hours:leak:A100~BF16~4 5840 gpu_hours Peak-provisioning leak 4 A100 BF16 per month = 17520 − 11680 = 5840
  ... | 17520 -> size_hours:flat:A100~BF16~4
  ... | 11680 -> size_hours:scaled:A100~BF16~4

size_hours:scaled:A100~BF16~4 11680 gpu_hours ... 4 A100 BF16 per month = 2 11680
  5 | 486.667 | 9733.33
  2 | 243.333 | 1946.67

size_hours:flat:L40S~FP8~1 - gpu_hours Sized for peak 1 L40S FP8 per month = - × 730 = -
  GPUs at peak | - -> size_gpus::L40S~FP8~1
  ... | 730

size_hours:leak:L40S~FP8~1 - gpu_hours Peak-provisioning leak 1 L40S FP8 per month = - − - = -
  ... | - -> size_hours:flat:L40S~FP8~1
  ... | - -> size_hours:scaled:L40S~FP8~1

size_usd:flat:H100~BF16~2 18250 usd Sized for peak 2 H100 BF16 per month = 7300 × 2.5 = 18250 ...
  ... | 7300 -> size_hours:flat:H100~BF16~2
  h | 2.5

size_usd:leak:H100~BF16~2 7300 usd Peak-provisioning leak 2 H100 BF16 per month = 2920 × 2.5 = 7300 ...
  ... | 2920 -> size_hours:leak:H100~BF16~2
  h | 2.5

size_usd:by_hour:H100~BF16~2 10950 usd Autoscaled, on demand 2 H100 BF16 per month = 4380 × 2.5 = 10950 ...
  ... | 4380 -> size_hours:scaled:H100~BF16~2
  h | 2.5

size_usd:scaled:H100~BF16~2 10950 usd ... 2 H100 BF16 per month = 4380 × 2.5 = 10950 ...
  ... | 4380 -> size_hours:scaled:H100~BF16~2
  h | 2.5

size_usd:flat:A100~BF16~4 17520 usd Sized for peak 4 A100 BF16 per month = 17520 × 1 = 17520 ...
  ... | 17520 -> size_hours:flat:A100~BF16~4
  a | 1

size_usd:leak:A100~BF16~4 5840 usd Peak-provisioning leak 4 A100 BF16 per month = 5840 × 1 = 5840 ...
  ... | 5840 -> size_hours:leak:A100~BF16~4
  a | 1

size_usd:by_hour:A100~BF16~4 11680 usd Autoscaled, on demand 4 A100 BF16 per month = 11680 × 1 = 11680 ...
  ... | 11680 -> size_hours:scaled:A100~BF16~4
  a | 1

size_usd:scaled:A100~BF16~4 11680 usd ... 4 A100 BF16 per month = 11680 × 1 = 11680 ...
  ... | 11680 -> size_hours:scaled:A100~BF16~4
  a | 1

size_million::H100~BF16~2 14.6 rate ... 2 H100 BF16 = 18250 ÷ 1.25e+09 × 1e+06 = 14.6
  ... | 18250 -> size_usd:flat:H100~BF16~2
  ... | 1.25e+09
"""
PLACES = """
transit:: 32.6333 ms ... ms one way = 2 3 0.810811 ... 65.2667 80 200 1.6 2
  New York east measured | 20 | 5 | 100
  Atlanta east measured | 10 | 87.9 | 879

set_way::today 32.6333 ms today's sites ms one way = 2 3 0.810811 ... 65.2667 80 200 1.6 2
  New York east measured | 20 | 5 | 100
  Atlanta east measured | 10 | 87.9 | 879

set_way::best:1 32.6333 ms 1 ms one way = 2 3 0.810811 ... 65.2667 80 200 1.6 2
  New York east measured | 20 | 5 | 100
  Atlanta east measured | 10 | 87.9 | 879

set_way::best:2 32.6333 ms 2 ms one way = 2 3 0.810811 ... 65.2667 80 200 1.6 2
  New York east measured | 20 | 5 | 100
  Atlanta east measured | 10 | 87.9 | 879

set_both::today 65.2667 ms Round trip today's sites ms = 2 × 32.6333 = 65.2667
  ... | 32.6333 -> set_way::today

set_both::best:1 65.2667 ms Round trip 1 ms = 2 × 32.6333 = 65.2667
  ... | 32.6333 -> set_way::best:1

set_both::best:2 65.2667 ms Round trip 2 ms = 2 × 32.6333 = 65.2667
  ... | 32.6333 -> set_way::best:2

set_usd::today 2001 usd today's sites per month = 2 2001
  east the sites file | 1000
  west the sites file | 1001

set_usd::best:1 1000 usd 1 per month = 1 1000
  east the sites file | 1000

set_usd::best:2 2001 usd 2 per month = 2 2001
  east the sites file | 1000
  west the sites file | 1001

city_users::today~London~UK~51.5~-0.1 7 exact London = 7 the users file ...
  the users file | 7

city_way::best:1~London~UK~51.5~-0.1 49.3868 ms London east ms = 2 49.3868
  5923.36 200 1.6 | 47.3868
  ... | 2
"""
OF = {
    "SIZING": (SIZING, OF_SIZING, lambda: sizing_by_hand()),
    "PLACES": (PLACES, OF_PLACES, lambda: worlds.evidence_of_places()),
}
CASES = cases_of(OF)


@pytest.mark.parametrize(("world", "figure_id"), CASES)
def test_an_answer_is_what_hours_gpus_and_rates_come_to(world: str, figure_id: str) -> None:
    _, answers, evidence = OF[world]
    trace = answers.answer(evidence(), figure_id)
    came = arrived(trace)
    assert came == (None if trace.value is None else pytest.approx(trace.value, rel=1e-9, abs=1e-4))
    assert answer_of(trace) == CASES[world, figure_id]
