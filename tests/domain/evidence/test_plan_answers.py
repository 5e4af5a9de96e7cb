"""Answers about small plans, row by row: each follows from hours, GPUs and rates of `tests/domain/worlds.py`.

K1 and K2 are 12 H100 at 20 over 12 = $1.6667 a GPU-hour. y1 comes after ten days: 490 h of 4 x $2.5833 are $5,063.33,
the 240 h before it 4 x 240 x $4 = $3,840. Doing nothing costs the contracts and 4 x 730 x $4."""

import pytest

from gpuplanner.domain.evidence.trials import ANSWERS, OF_COMPARISON
from tests.arrived import arrived
from tests.domain import worlds
from tests.domain.tables import answer_of, cases_of

PLAN = """
ahead_nothing::next_month 29930 usd Do nothing per 730-h month = 4 29930 ...
  K1 | 5840 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | 3650 -> contract_usd::K3
  ... | 11680

ahead_plan::next_month 27153.3 usd ... per month = 7 27153.3
  Burst A100 existing | 1095 -> layer_usd::burst~A100~existing
  Inference H100 existing | 3650 -> layer_usd::inference~H100~existing
  Training H100 existing | 4866.67 -> layer_usd::training~H100~existing
  Training H100 12 | 5063.33 -> layer_usd::training~H100~12
  Training H100 on demand | 3840 -> layer_usd::training~H100~use-STANDARD
  A100 | 2555
  H100 | 6083.33

ahead_plan::month_12 28105 usd The plan 12 per 730-h month = 3 28105 ...
  K3 | 3650 -> contract_usd::K3
  ... | 21535
  Paid on demand | 2920

ahead_saved::next_month 2776.67 usd ... Next month in that time = 29930 − 27153.3 = 2776.67
  doing nothing | 29930 -> ahead_nothing::next_month
  the plan | 27153.3 -> ahead_plan::next_month

ahead_change::next_month - usd ... Next month in that time = 27153.3 − - = -
  the plan | 27153.3 -> ahead_plan::next_month
  ... | - -> ahead_before::next_month

savings_step::terms 2776.67 usd ... Terms and rates per month = 29930 − 27153.3 = 2776.67 ...
  doing nothing | 29930 -> plan_nothing::
  ... | 27153.3

savings_step::separation 0 usd ... Moves between pools per month = 27153.3 − 27153.3 = 0 ...
  ... | 27153.3
  ... | 27153.3

separation_usd::premium 3102.5 usd Consolidation premium per month = 1 3102.5
  load-001 | 3102.5 -> endpoint_premium::c2/team/load-001

separation_usd::cost 0 usd Cost of separation per month = 5 0 ...
  ... | 27153.3
  A100 | -1095
  H100 | -17420
  A100 | -2555
  H100 | -6083.33

separation_hours::contention 730 count Contended hours = 2 730
  c1 | 730 -> contended:hours:c1
  c2 | 0 -> contended:hours:c2

separation_hours::cost 0 count ... = 2 0
  c1 | 0 -> contended:beside:c1
  c2 | 0 -> contended:beside:c2

plan_energy_kwh::training 6073.6 count Energy = 3 6073.6
  Training H100 existing contracts | 3036.8 -> plan_energy_kwh:layer:2
  Training H100 12 | 2038.4 -> plan_energy_kwh:layer:3
  Training H100 on demand | 998.4 -> plan_energy_kwh:layer:4

plan_energy_kwh::inference 2277.6 count Energy = 1 2277.6
  Inference H100 existing contracts | 2277.6 -> plan_energy_kwh:layer:1

plan_energy_kwh:layer:2 3036.8 count Energy Training H100 existing contracts kWh per month = ( 2920 × 0.8 + 0
    × 0.3 ) × 1 × 1.3 = 3036.8 ...
  GPU-h in use | 2920
  ... | 0.8
  idle GPU-h | 0
  ... | 0.3
  rated power | 1
  PUE | 1.3

plan_energy_kwh:ends: 10842.3 count Energy = 7 10842.3
  Burst A100 existing contracts | 569.4 -> plan_energy_kwh:layer:0
  Inference H100 existing contracts | 2277.6 -> plan_energy_kwh:layer:1
  Training H100 existing contracts | 3036.8 -> plan_energy_kwh:layer:2
  Training H100 12 | 2038.4 -> plan_energy_kwh:layer:3
  Training H100 on demand | 998.4 -> plan_energy_kwh:layer:4
  Idle A100 | 498.225 -> plan_energy_kwh:layer:5
  Idle H100 | 1423.5 -> plan_energy_kwh:layer:6

plan_energy_co2::training - count CO2 = 3 -
  Training H100 existing contracts | - -> plan_energy_co2:layer:2
  Training H100 12 | - -> plan_energy_co2:layer:3
  Training H100 on demand | - -> plan_energy_co2:layer:4

plan_energy_co2::inference - count CO2 = 1 -
  Inference H100 existing contracts | - -> plan_energy_co2:layer:1

plan_energy_co2:layer:2 - count CO2 Training H100 existing contracts kg per month = ( 2920 × 0.8 + 0 × 0.3 ) ×
    1 × - × 1.3 = - ...
  GPU-h in use | 2920
  ... | 0.8
  idle GPU-h | 0
  ... | 0.3
  rated power | 1
  grid factor | -
  PUE | 1.3

plan_energy_co2:ends: - count CO2 = 7 -
  Burst A100 existing contracts | - -> plan_energy_co2:layer:0
  Inference H100 existing contracts | - -> plan_energy_co2:layer:1
  Training H100 existing contracts | - -> plan_energy_co2:layer:2
  Training H100 12 | - -> plan_energy_co2:layer:3
  Training H100 on demand | - -> plan_energy_co2:layer:4
  Idle A100 | - -> plan_energy_co2:layer:5
  Idle H100 | - -> plan_energy_co2:layer:6

plan_energy_peak::training 8.32 decimal Largest hour = 1 8.32
  Training | 8.32

plan_energy_peak:: 16.77 decimal Largest hour = 4 16.77 2 1
  Burst | 1.56
  Inference | 4.94
  Training | 8.32
  Idle | 1.95

contract_usd::K1 5840 usd Cost K1 per month = 4 × 730 × 2 = 5840
  GPUs | 4 -> contract_count::K1
  ... | 730
  rate | 2

contract_usd:ends:K1 -5840 usd ... K1 per month = -1 × 5840 = -5840
  Cost | 5840 -> contract_usd::K1

layer_usd::burst~A100~existing 1095 usd Cost Burst A100 existing per month = 1.5 × 1 × 730 = 1095
  mean paid GPUs | 1.5 -> layer_gpus::burst~A100~existing
  rate | 1 -> layer_rate::burst~A100~existing
  ... | 730

layer_usd::burst~A100~all 1095 usd Cost Burst A100 all layers per month = 1 1095
  existing | 1.5 | 1 | 1095 -> layer_usd::burst~A100~existing

month_nothing::0 29930 usd Do nothing per 730-h month = 4 29930 ...
  K1 | 5840 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | 3650 -> contract_usd::K3
  ... | 11680

month_plan::0 27153.3 usd The plan per 730-h month = 5 27153.3 ...
  K1 | 5840 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | 3650 -> contract_usd::K3
  ... | 5063.33
  Paid on demand | 3840 -> plan_by_use::

plan_nothing:: 29930 usd Do nothing per 730-h month = 4 29930 ...
  K1 | 5840 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | 3650 -> contract_usd::K3
  ... | 11680

plan_usd:: 27153.3 usd ... per month = 7 27153.3
  Burst A100 existing | 1095 -> layer_usd::burst~A100~existing
  Inference H100 existing | 3650 -> layer_usd::inference~H100~existing
  Training H100 existing | 4866.67 -> layer_usd::training~H100~existing
  Training H100 12 | 5063.33 -> layer_usd::training~H100~12
  Training H100 on demand | 3840 -> layer_usd::training~H100~use-STANDARD
  A100 | 2555
  H100 | 6083.33

contended:hours:c1 730 count c1 = 730 ...
  ... | 730

contended:beside:c1 0 count c1 = 0 ...
  ... | 0

contended:hours:c2 0 count c2 = 0 ...
  ... | 0

contract_count::K1 4 gpus K1 = 4 the contracts' file
  the contracts' file | 4

layer_gpus::burst~A100~existing 1.5 gpus Burst A100 existing = 1 1.5 ...
  existing | 1.5 | 1 | 1095

layer_gpus:ends:burst~A100~all 1.5 gpus Burst A100 all layers = 1 1.5 ...
  existing | 1.5 | 1 | 1095 -> layer_usd::burst~A100~existing

layer_rate::burst~A100~existing 1 rate Burst A100 existing = 1 ...
  ... | 1

layer_rate::burst~A100~all 1 rate Mean rate Burst A100 all layers = 1095 ÷ 1095 = 1
  Cost | 1095 -> layer_usd::burst~A100~all
  paid GPU-h | 1095 -> layer_paid::burst~A100~all

plan_by_use:: 3840 usd Paid on demand per month = 1 3840
  Training H100 on demand | 3840 -> layer_usd::training~H100~use-STANDARD

offer_rate::y1 2.5 rate y1 = 2.5 the price list Ada
  the price list | 2.5

offer_rate:low:a-od - rate a-od low = - the price list Bo
  the price list | -

offer_rate:high:a-od - rate a-od high = - the price list Bo
  the price list | -

layer_unserved::burst~A100~all 0 gpus Burst A100 = 0 ÷ 730 = 0 ...
  Unserved GPU-hours | 0
  ... | 730

layer_paid::burst~A100~all 1095 gpu_hours Paid GPU-h Burst A100 all layers per month = 1 1095
  existing | 1.5 | 730 | 1095

layer_used::burst~A100~all 1 share Used Burst A100 all layers = 1.5 ÷ 1.5 = 1 ...
  ... | 1.5
  mean paid GPUs | 1.5 -> layer_gpus::burst~A100~all

term_break_even::inference~H100~3 0.875 share Term break-even Inference H100 3 = 2555 ÷ ( 4 × 730 ) = 0.875
    ...
  ... | 2555 -> compared::inference~H100~3
  on-demand rate | 4
  ... | 730

compared::inference~H100~3 2555 usd ... Inference H100 3 per month = 3.5 × 730 ÷ 1 = 2555 ...
  rate including upfront | 3.5 -> offer_rate::q3
  ... | 730
  ... | 1

one_gpu::inference~H100~3 2555 usd One GPU Inference H100 3 per month = 3.5 × 730 = 2555
  rate including upfront | 3.5 -> offer_rate::q3
  ... | 730

value:layer:burst~A100~all 1095 usd Cost all layers per month = 1 1095
  existing | 2190 | 1095 | 1095

value:on_demand:burst~A100~all 2190 usd ... all layers per month = 1 2190
  existing | 2190 | 1095 | 1095

value:value:burst~A100~all 1095 usd Value all layers per month = 1 1095
  existing | 2190 | 1095 | 1095

value:layer:burst~A100~0 1095 usd Cost Burst A100 existing per month = 1.5 × 1 × 730 = 1095
  mean paid GPUs | 1.5 -> layer_gpus::burst~A100~existing
  rate | 1 -> layer_rate::burst~A100~existing
  ... | 730

value:on_demand:burst~A100~0 2190 usd ... Burst A100 existing per month = 1.5 × 2 × 730 = 2190
  ... | 1.5
  ... | 2
  ... | 730

value:value:burst~A100~0 1095 usd Value Burst A100 existing per month = 1.5 × 2 × 730 − 1095 = 1095
  ... | 1.5
  ... | 2
  ... | 730
  Cost | 1095 -> layer_usd::burst~A100~existing

spot_instead::burst~A100~all -1095 usd ... Burst A100 existing per month = 1095 − 1.5 × 2 × 730 = -1095
  Cost | 1095 -> layer_usd::burst~A100~existing
  ... | 1.5
  ... | 2
  ... | 730

spot_instead:on_demand:burst~A100~all -1095 usd ... Burst A100 existing per month = 1095 − 1.5 × 2 × 730 =
    -1095
  Cost | 1095 -> layer_usd::burst~A100~existing
  ... | 1.5
  ... | 2
  ... | 730

order_usd::inference~H100~y1~12~1772481600~growth 3771.67 usd Cost 2 H100 12 inference per month = 2 × ( 2.5 +
    730 ÷ 8760 ) × 730 = 3771.67 2026-03-02 2027-03-02 2026-02-20 ... 730 -> orders_usd::
  GPUs | 2
  y1 | 2.5
  upfront per GPU | 730
  term hours | 8760
  ... | 730

order_usd:ends:inference~H100~y1~12~1772481600~growth 3771.67 usd Cost 2 H100 12 inference per month = 2 × (
    2.5 + 730 ÷ 8760 ) × 730 = 3771.67 2026-03-02 2027-03-02 2026-02-20 ... 730 -> orders_usd::
  GPUs | 2
  y1 | 2.5
  upfront per GPU | 730
  term hours | 8760
  ... | 730

order_usd:on_demand:inference~H100~y1~12~1772481600~growth 3771.67 usd Cost 2 H100 12 inference per month = 2
    × ( 2.5 + 730 ÷ 8760 ) × 730 = 3771.67 2026-03-02 2027-03-02 2026-02-20 ... 730 -> orders_usd::
  GPUs | 2
  y1 | 2.5
  upfront per GPU | 730
  term hours | 8760
  ... | 730

order_gpus::inference~H100~y1~12~1772481600~growth 2 gpus 2 H100 12 inference = 2 12 inference 2026-03-02
    2027-03-02 2026-02-20 ... y1
  12 inference | 2

order_gpus:review:inference~H100~y1~12~1772481600~growth 2 gpus 2 H100 12 inference = 2 12 inference
    2026-03-02 2027-03-02 2026-02-20 ... y1
  12 inference | 2

orders_usd:: 7543.33 usd Commit now per month = 1 7543.33 -> orders_bind::
  4 H100 12 training | 4 | 7543.33 -> order_usd::training~H100~y1~12~1770717600~now

orders_bind:: 135780 usd ... over whole terms = 2 135780 4380
  4 H100 12 training | 4 | 90520
  2 H100 12 inference | 2 | 45260

contracts_usd:: 18250 usd All contracts per month = 3 18250 ...
  K1 | 4 | 5840 -> contract_usd::K1
  K2 | 8 | 8760 -> contract_usd::K2
  K3 | 5 | 3650 -> contract_usd::K3

plan_contracts:: 0 usd Contracts that end per month = 7 0
  Burst A100 existing | 1095 -> layer_usd::burst~A100~existing
  Inference H100 existing | 3650 -> layer_usd::inference~H100~existing
  Training H100 existing | 4866.67 -> layer_usd::training~H100~existing
  A100 | 2555
  H100 | 6083.33
  c1 | -9490
  c2 | -8760

plan_overflow:: -11680 usd Overflow per month = 2 -11680
  c1 | -11680 -> overflow::c1
  c2 | 0 -> overflow::c2

plan_signed:: 5063.33 usd Newly signed per month = 1 5063.33
  Training H100 12 | 5063.33 -> layer_usd::training~H100~12

spot_saves:: 0 usd Checkpoints on spot per month = 0 0

column_usd::training 15524.4 usd Training per month = 1 15524.4 1
  load-000 | 5840 | 15524.4 -> card_usd::c1/team/load-000

column_usd:: 0 usd per month = 0 0 0

column_usd:ends: 0 usd per month = 0 0 0 ...

column_hours:: 0 gpu_hours per month = 0 0 0

column_hours:ends: 0 gpu_hours per month = 0 0 0 ...

column_cards:: 0 count = 0 0

demand_mean::training 8 gpus training = 1 8
  load-000 | 8

card_usd::c1/team/load-000 15524.4 usd load-000 Plan A per month = 2 15524.4 ... ... -> column_usd::training
    -> layer_usd::training     H100    all -> jobs::c1/team/load-000
  ... | 1460 | 2757.78
  ... | 4380 | 12766.7

card_usd:ends:c1/team/load-000 15524.4 usd load-000 Plan A per month = 2 15524.4 ... ... ->
    column_usd::training -> layer_usd::training H100    all -> jobs::c1/team/load-000
  ... | 1460 | 2757.78
  ... | 4380 | 12766.7

card_usd:on_demand:c1/team/load-000 15524.4 usd load-000 Plan A per month = 2 15524.4 ... ... ->
    column_usd::training -> layer_usd::training    H100    all -> jobs::c1/team/load-000
  ... | 1460 | 2757.78
  ... | 4380 | 12766.7

card_hours::c1/team/load-000 5840 gpu_hours load-000 Plan A GPU-h per month = 2 5840 ... ... ->
    column_usd::training -> layer_usd::training     H100    all -> jobs::c1/team/load-000
  ... | 1460 | 2757.78
  ... | 4380 | 12766.7

card_hours:ends:c1/team/load-000 5840 gpu_hours load-000 Plan A GPU-h per month = 2 5840 ... ... ->
    column_usd::training -> layer_usd::training H100    all -> jobs::c1/team/load-000
  ... | 1460 | 2757.78
  ... | 4380 | 12766.7

card_hours:on_demand:c1/team/load-000 5840 gpu_hours load-000 Plan A GPU-h per month = 2 5840 ... ... ->
    column_usd::training -> layer_usd::training    H100    all -> jobs::c1/team/load-000
  ... | 1460 | 2757.78
  ... | 4380 | 12766.7

part_today::c1/team/load-000 17520 usd Cost load-000 per month = 2.1024e+10 ÷ 2.1024e+10 × 17520 = 17520 ...
  its GPU-hours | 2.1024e+10
  load-000 | 2.1024e+10
  load-000 | 17520 -> workload_cost::c1/team/load-000

part_today:ends:c1/team/load-000 17520 usd Cost load-000 per month = 2.1024e+10 ÷ 2.1024e+10 × 17520 = 17520
    ...
  its GPU-hours | 2.1024e+10
  load-000 | 2.1024e+10
  load-000 | 17520 -> workload_cost::c1/team/load-000

part_today:on_demand:c1/team/load-000 17520 usd Cost load-000 per month = 2.1024e+10 ÷ 2.1024e+10 × 17520 =
    17520 ...
  its GPU-hours | 2.1024e+10
  load-000 | 2.1024e+10
  load-000 | 17520 -> workload_cost::c1/team/load-000

card_change::c1/team/load-000 -1996 usd Change load-000 per month = 15524 − 17520 = -1996
  ... | 15524 -> card_usd::c1/team/load-000
  cost today | 17520 -> workload_cost::c1/team/load-000

card_class::c1/team/load-000 1 share load-000 training sure = 1 set by you training 0.333333 ... inference ->
    jobs::c1/team/load-000
  Training set by you training 0.333333 ... | 1

card_class:on_demand:c1/team/load-000 1 share load-000 training sure = 1 set by you training 0.333333 ...
    inference -> jobs::c1/team/load-000
  Training set by you training 0.333333 ... | 1

card_jobs::c1/team/load-000 6 count Jobs load-000 = 6 lookback rows counted
  lookback rows counted | 6 -> jobs::c1/team/load-000

card_peak::c1/team/load-000 8 gpus Peak GPUs load-000 = 8 ...
  ... | 8 -> jobs::c1/team/load-000

card_nodes::c1/team/load-000 0 count Nodes per job load-000 = 0 its widest job
  its widest job | 0 -> jobs::c1/team/load-000

card_longest::c1/team/load-000 100 hours load-000 = 360000 ÷ 3600 = 100
  ... | 360000
  ... | 3600

card_lost::c1/team/load-000 0.114583 share Lost on spot load-000 of its work = 0.0833333 ÷ 4 + ( 4 ÷ 2 + 0.25
    ) ÷ ( 24 ÷ 1 ) = 0.114583 ...
  ... | 0.0833333
  hours between checkpoints | 4
  hours to restart | 0.25
  ... | 24
  ... | 1 -> card_nodes::c1/team/load-000

card_lost:ends:c1/team/load-000 0.114583 share Lost on spot load-000 of its work = 0.0833333 ÷ 4 + ( 4 ÷ 2 +
    0.25 ) ÷ ( 24 ÷ 1 ) = 0.114583 ...
  ... | 0.0833333
  hours between checkpoints | 4
  hours to restart | 0.25
  ... | 24
  ... | 1 -> card_nodes::c1/team/load-000

card_lost:on_demand:c1/team/load-000 0.114583 share Lost on spot load-000 of its work = 0.0833333 ÷ 4 + ( 4 ÷
    2 + 0.25 ) ÷ ( 24 ÷ 1 ) = 0.114583 ...
  ... | 0.0833333
  hours between checkpoints | 4
  hours to restart | 0.25
  ... | 24
  ... | 1 -> card_nodes::c1/team/load-000

selected_usd:: 0 usd 0 per month = 0 0

selected_hours:: 0 gpu_hours 0 per month = 0 0

selected_class:: 0 count = 0 0

loaded_jobs:: 0 count Jobs = 0 0

loaded_workloads:: 3 count Workloads = 2 3
  c1 | 2
  c2 | 1

loaded_clusters:: 2 count Clusters = 2 2
  c1 | 1
  c2 | 1

loaded_gpus:: 17 gpus GPUs = 3 17
  K1 | 4 -> contract_usd::K1
  K2 | 8 -> contract_usd::K2
  K3 | 5 -> contract_usd::K3

loaded_hours:: 730 hours Lookback period = 730 ...
  ... | 730

use_utilization:clusters:c1 0.611111 share Utilization c1 = 4015 ÷ 6570 = 0.611111 Allocation, not activity.
  used GPU-h | 4015
  paid GPU-h | 6570

use_utilization:contracts:K1 1 share Utilization K1 = 2920 ÷ 2920 = 1 Allocation, not activity.
  used GPU-h | 2920
  paid GPU-h | 2920

use_utilization:gpu_models:H100 0.583333 share Utilization H100 = 5110 ÷ 8760 = 0.583333 Allocation, not
    activity.
  used GPU-h | 5110
  paid GPU-h | 8760

use_share:clusters:c1 0.76 share Share of GPU-hours c1 = 6935 ÷ 9125 = 0.76
  its GPU-h | 6935
  all lookback GPU-hours | 9125

use_share:contracts:K1 0.32 share Share of GPU-hours K1 = 2920 ÷ 9125 = 0.32
  its GPU-h | 2920
  all lookback GPU-hours | 9125

use_share:gpu_models:H100 0.88 share Share of GPU-hours H100 = 8030 ÷ 9125 = 0.88
  its GPU-h | 8030
  all lookback GPU-hours | 9125

use_mean:clusters:c1 9.5 gpus Mean GPUs c1 = 6935 ÷ 730 = 9.5
  its GPU-h | 6935
  lookback hours | 730

use_mean:contracts:K1 4 gpus Mean GPUs K1 = 2920 ÷ 730 = 4
  its GPU-h | 2920
  lookback hours | 730

use_mean:gpu_models:H100 11 gpus Mean GPUs H100 = 8030 ÷ 730 = 11
  its GPU-h | 8030
  lookback hours | 730

use_break_even:clusters:c1 0.5 share Break-even utilization c1 = 1.44444 ÷ 2.88889 = 0.5 ...
  K1 | 2920 | 5840 | 11680 | 0.5 -> break_even::K1
  K3 | 3650 | 3650 | 7300 | 0.5 -> break_even::K3

use_break_even:clusters:c2 0.375 share Break-even utilization c2 = 1.5 ÷ 4 = 0.375 ... -> break_even::K2
  rate paid | 1.5
  ... | 4

use_break_even:contracts:K1 0.5 share Break-even utilization K1 = 2 ÷ 4 = 0.5 ... -> break_even::K1
  rate paid | 2
  ... | 4

use_break_even:gpu_models:H100 0.416667 share Break-even utilization H100 = 1.66667 ÷ 4 = 0.416667 ...
  K1 | 2920 | 5840 | 11680 | 0.5 -> break_even::K1
  K2 | 5840 | 8760 | 23360 | 0.375 -> break_even::K2

use_break_even:gpu_models:A100 0.5 share Break-even utilization A100 = 1 ÷ 2 = 0.5 ... -> break_even::K3
  rate paid | 1
  ... | 2

use_activity:clusters:c1 - share Activity c1 = - ...
  ... | - -> activity::c1

use_activity:contracts:K1 - share Activity K1 = - ...
  ... | -

use_activity:gpu_models:H100 - share Activity H100 = - ...
  ... | -

use_usd:clusters:c1 9490 usd Paid c1 per month = 2 9490
  K1 | 5840
  K3 | 3650

use_usd:clusters:c2 8760 usd Paid c2 per month = 1 8760
  K2 | 8760

use_usd:contracts:K1 5840 usd Paid K1 per month = 1 5840
  K1 | 5840

use_usd:gpu_models:H100 14600 usd Paid H100 per month = 2 14600
  K1 | 5840
  K2 | 8760

use_usd:gpu_models:A100 3650 usd Paid A100 per month = 1 3650
  K3 | 3650

use_week:teams:0-~team 12.5 gpus Mean GPUs team , Monday = 1200 ÷ 96 = 12.5 96
  its GPU-h | 1200 -> use_hours:teams:team
  lookback hours | 96

use_week:clusters:0-~c1 0.611111 share Utilization c1 , Monday = 528 ÷ 864 = 0.611111 96
  used GPU-h | 528
  paid GPU-h | 864

offer_all_in::a-od 2 rate a-od = 1 2
  Rate | 2 -> offer_rate::a-od

path_usd:fall:advice_usd 1.13662e+06 usd The advice 0.012 ... = 3 1.13662e+06
  ... | 226704
  Inference H100 | 262924
  Training H100 | 646991

path_wrong::advice_usd 1408.88 usd ... The advice 0.029 ... = 1.9153e+06 − the lesser of 1.9153e+06 and
    1.91389e+06 = 1408.88 Its worst path.
  ... | 1.9153e+06 -> path_usd:rise:advice_usd
  ... | 1.91389e+06

plan_saved:: 2776.67 usd Today less plan the plan per month = 29930 − 27153.3 = 2776.67
  today's spend | 29930 -> spend::
  the plan | 27153.3 -> plan_usd::

plan_below_nothing:: 2776.67 usd ... the plan per month = 29930 − 27153.3 = 2776.67
  doing nothing | 29930 -> plan_nothing::
  the plan | 27153.3 -> plan_usd::

plan_utilization:: 0.595238 share Effective utilization the plan = 12.5 ÷ 21 = 0.595238 ...
  ... | 12.5
  ... | 21

plan_unused:: 8638.33 usd ... per month = 3 8638.33
  Training H100 12 | 5063.33 | 1 | 0 -> layer_usd::training~H100~12
  A100 | 2555 | 0 | 2555 -> idle_usd::A100
  H100 | 6083.33 | 0 | 6083.33 -> idle_usd::H100

plan_lock_in:: 4.17334 decimal Average term left $-weighted months = 113320 bound ÷ 27153.3 a month = 4.17334
    months ...
  K1 | 5840 | 6 | 35040 -> contract_usd::K1
  K2 | 8760 | 2 | 17520 -> contract_usd::K2
  K3 | 3650 | 0 | 0 -> contract_usd::K3
  Training H100 12 | 5063.33 | 12 | 60760 -> layer_usd::training~H100~12
  ... | 3840 | 0 | 0 -> plan_by_use::

plan_lock_in:ends: 4.17334 decimal Average term left $-weighted months = 113320 bound ÷ 27153.3 a month =
    4.17334 months ...
  K1 | 5840 | 6 | 35040 -> contract_usd::K1
  K2 | 8760 | 2 | 17520 -> contract_usd::K2
  K3 | 3650 | 0 | 0 -> contract_usd::K3
  Training H100 12 | 5063.33 | 12 | 60760 -> layer_usd::training~H100~12
  ... | 3840 | 0 | 0 -> plan_by_use::

plan_lock_in:review: 4.17334 decimal Average term left $-weighted months = 113320 bound ÷ 27153.3 a month =
    4.17334 months ...
  K1 | 5840 | 6 | 35040 -> contract_usd::K1
  K2 | 8760 | 2 | 17520 -> contract_usd::K2
  K3 | 3650 | 0 | 0 -> contract_usd::K3
  Training H100 12 | 5063.33 | 12 | 60760 -> layer_usd::training~H100~12
  ... | 3840 | 0 | 0 -> plan_by_use::

plan_longest:: 12 exact Longest commitment months = 12 Training H100 12
  Training H100 12 | 12 -> layer_usd::training~H100~12

plan_band:: 27153.3 usd Plan P90 per month = 27153.3 is P10, 27153.3 P50, 27153.3 P90 0 ...
  ... | 27153.3
  ... | 27153.3
  ... | 27153.3

idle_gpus::H100 5 gpus H100 = 3 5
  K1 | 4 -> contract_count::K1
  K2 | 8 -> contract_count::K2
  ... | -7

idle_usd::H100 6083.33 usd Cost H100 per month = 5 × 1.66667 × 730 = 6083.33
  mean idle GPUs | 5 -> idle_gpus::H100
  ... | 1.66667
  ... | 730

plan_gpus:: 21 gpus GPUs paid for = 7 21
  Burst A100 existing | 1.5 -> layer_usd::burst~A100~existing
  Inference H100 existing | 3 -> layer_usd::inference~H100~existing
  Training H100 existing | 4 -> layer_usd::training~H100~existing
  Training H100 12 | 2.68493 -> layer_usd::training~H100~12
  Training H100 on demand | 1.31507 -> layer_usd::training~H100~use-STANDARD
  A100 | 3.5 -> idle_gpus::A100
  H100 | 5 -> idle_gpus::H100

cost_line::training~both 0 usd Training both per month = 0 0 ...

check_usd::idle_beside_orders~H100~5475 5475 usd H100 per month = 5475 the plan's check 5 c2 5475 6 c1 --same
    cluster:c2=c1
  the plan's check | 5475

check_usd:ends:idle_beside_orders~H100~5475 5475 usd H100 per month = 5475 the plan's check 5 c2 5475 6 c1
    --same cluster:c2=c1
  the plan's check | 5475

check_usd:on_demand:idle_beside_orders~H100~5475 5475 usd H100 per month = 5475 the plan's check 5 c2 5475 6
    c1 --same cluster:c2=c1
  the plan's check | 5475

marginal_rate:: 4 rate ... the plan = 3840 ÷ 960 = 4 ...
  ... | 3840
  its GPU-hours | 960

bought_hours:: 694.167 gpu_hours ... the plan GPU-h per month = 2776.67 ÷ 4 = 694.167 ...
  ... | 2776.67 -> plan_below_nothing::
  ... | 4 -> marginal_rate::

bought_gpus:: 0.950913 gpus ... the plan = 694.167 ÷ 730 = 0.950913 ...
  ... | 694.167 -> bought_hours::
  ... | 730

separation:: 0 usd Cost of separation per month = 5 0 ...
  ... | 27153.3
  A100 | -1095
  H100 | -17420
  A100 | -2555
  H100 | -6083.33
"""
LIMITED = """
ahead_nothing::next_month 34894 usd Do nothing per 730-h month = 4 34894 ...
  K1 | 6132 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | 3650 -> contract_usd::K3
  ... | 16352

ahead_plan::next_month 34894 usd ... per month = 6 34894
  Burst A100 existing | 1095 -> layer_usd::burst~A100~existing
  Inference H100 existing | 3723 -> layer_usd::inference~H100~existing
  Training H100 existing | 4964 -> layer_usd::training~H100~existing
  Training H100 on demand | 16352 -> layer_usd::training~H100~use-STANDARD
  A100 | 2555
  H100 | 6205

ahead_plan::month_12 9883.4 usd The plan 12 per 730-h month = 3 9883.4 ...
  K3 | 3650 -> contract_usd::K3
  ... | 6233.4
  Paid on demand | 0

ahead_saved::month_12 30558.6 usd ... Month 12 in that time = 40442 − 9883.4 = 30558.6
  doing nothing | 40442 -> ahead_nothing::month_12
  the plan | 9883.4 -> ahead_plan::month_12

ahead_change::next_month - usd ... Next month in that time = 34894 − - = -
  the plan | 34894 -> ahead_plan::next_month
  ... | - -> ahead_before::next_month

separation_usd::premium 3011.25 usd Consolidation premium per month = 1 3011.25
  load-001 | 3011.25 -> endpoint_premium::c2/team/load-001

separation_usd::cost - usd Cost of separation per month = 1 - ...
  ... | -

plan_energy_kwh::training 7288.32 count Energy = 2 7288.32
  Training H100 existing contracts | 3036.8 -> plan_energy_kwh:layer:2
  Training H100 on demand | 4251.52 -> plan_energy_kwh:layer:3

plan_energy_kwh:ends: 12057 count Energy = 6 12057
  Burst A100 existing contracts | 569.4 -> plan_energy_kwh:layer:0
  Inference H100 existing contracts | 2277.6 -> plan_energy_kwh:layer:1
  Training H100 existing contracts | 3036.8 -> plan_energy_kwh:layer:2
  Training H100 on demand | 4251.52 -> plan_energy_kwh:layer:3
  Idle A100 | 498.225 -> plan_energy_kwh:layer:4
  Idle H100 | 1423.5 -> plan_energy_kwh:layer:5

plan_energy_co2::training - count CO2 = 2 -
  Training H100 existing contracts | - -> plan_energy_co2:layer:2
  Training H100 on demand | - -> plan_energy_co2:layer:3

plan_energy_co2:ends: - count CO2 = 6 -
  Burst A100 existing contracts | - -> plan_energy_co2:layer:0
  Inference H100 existing contracts | - -> plan_energy_co2:layer:1
  Training H100 existing contracts | - -> plan_energy_co2:layer:2
  Training H100 on demand | - -> plan_energy_co2:layer:3
  Idle A100 | - -> plan_energy_co2:layer:4
  Idle H100 | - -> plan_energy_co2:layer:5

plan_energy_peak::training 33.28 decimal Largest hour = 1 33.28
  Training | 33.28

plan_energy_peak:: 40.95 decimal Largest hour = 4 40.95 2 1
  Burst | 1.56
  Inference | 4.16
  Training | 33.28
  Idle | 1.95

contract_usd::K1 6132 usd Cost K1 per month = 4 × 730 × 2.1 = 6132
  GPUs | 4 -> contract_count::K1
  ... | 730
  rate | 2.1

contract_usd:ends:K1 -6132 usd ... K1 per month = -1 × 6132 = -6132
  Cost | 6132 -> contract_usd::K1

month_nothing::0 34894 usd Do nothing per 730-h month = 4 34894 ...
  K1 | 6132 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | 3650 -> contract_usd::K3
  ... | 16352

month_plan::0 34894 usd The plan per 730-h month = 5 34894 ...
  K1 | 6132 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | 3650 -> contract_usd::K3
  ... | 0
  Paid on demand | 16352 -> plan_by_use::

plan_by_use:: 16352 usd Paid on demand per month = 1 16352
  Training H100 on demand | 16352 -> layer_usd::training~H100~use-STANDARD

offer_rate::od 4 rate od = 4 the price list Bo
  the price list | 4

offer_rate::own 0.426945 rate Rate own = ( 8760 × ( 1 − 0.1 × ... 0.12 after 36 ) × ... 0.12 over 36 + 0.5 ×
    1.2 × 730 × 0.1 + 0.5 × 0 + 0 ) ÷ 730 = 0.426945 space_usd_per_kw_month, staff_usd_per_gpu_month Own
  ... | 8760
  residual share | 0.1
  yearly capital cost | 0.12
  life in months | 36
  kW per GPU | 0.5
  PUE | 1.2
  ... | 730
  $ per kWh | 0.1
  ... | 0
  ... | 0
  0.6 | 0.711575

order_usd::inference~H100~own~36~1775109600~lead_time 1246.68 usd Cost 4 H100 36 inference per month = 4 × (
    0.426945 + 0 ÷ 26280 ) × 730 = 1246.68 2026-04-02 2029-04-01 2026-01-31 ... 35040 -> orders_usd::
  GPUs | 4
  own | 0.426945
  upfront per GPU | 0
  term hours | 26280
  ... | 730

order_usd:ends:inference~H100~own~36~1775109600~lead_time 1246.68 usd Cost 4 H100 36 inference per month = 4 ×
    ( 0.426945 + 0 ÷ 26280 ) × 730 = 1246.68 2026-04-02 2029-04-01 2026-01-31 ... 35040 -> orders_usd::
  GPUs | 4
  own | 0.426945
  upfront per GPU | 0
  term hours | 26280
  ... | 730

order_usd:review:inference~H100~own~36~1775109600~lead_time 1246.68 usd Cost 4 H100 36 inference per month = 4
    × ( 0.426945 + 0 ÷ 26280 ) × 730 = 1246.68 2026-04-02 2029-04-01 2026-01-31 ... 35040 -> orders_usd::
  GPUs | 4
  own | 0.426945
  upfront per GPU | 0
  term hours | 26280
  ... | 730

order_usd:on_demand:inference~H100~own~36~1775109600~lead_time 1246.68 usd Cost 4 H100 36 inference per month
    = 4 × ( 0.426945 + 0 ÷ 26280 ) × 730 = 1246.68 2026-04-02 2029-04-01 2026-01-31 ... 35040 -> orders_usd::
  GPUs | 4
  own | 0.426945
  upfront per GPU | 0
  term hours | 26280
  ... | 730

order_gpus::inference~H100~own~36~1775109600~lead_time 4 gpus 4 H100 36 inference = 4 36 inference 2026-04-02
    2029-04-01 2026-01-31 ... own
  36 inference | 4

order_gpus:ends:inference~H100~own~36~1775109600~lead_time 4 gpus 4 H100 36 inference = 4 36 inference
    2026-04-02 2029-04-01 2026-01-31 ... own
  36 inference | 4

orders_usd:: 0 usd Commit now per month = 0 0 -> orders_bind::

orders_bind:: 179522 usd ... over whole terms = 3 179522 140160
  4 H100 36 inference | 4 | 44880.5
  4 H100 36 training | 4 | 44880.5
  8 H100 36 training | 8 | 89760.9

contracts_usd:: 18542 usd All contracts per month = 3 18542 ...
  K1 | 4 | 6132 -> contract_usd::K1
  K2 | 8 | 8760 -> contract_usd::K2
  K3 | 5 | 3650 -> contract_usd::K3

plan_usd:: 34894 usd ... per month = 6 34894
  Burst A100 existing | 1095 -> layer_usd::burst~A100~existing
  Inference H100 existing | 3723 -> layer_usd::inference~H100~existing
  Training H100 existing | 4964 -> layer_usd::training~H100~existing
  Training H100 on demand | 16352 -> layer_usd::training~H100~use-STANDARD
  A100 | 2555
  H100 | 6205

plan_contracts:: 0 usd Contracts that end per month = 7 0
  Burst A100 existing | 1095 -> layer_usd::burst~A100~existing
  Inference H100 existing | 3723 -> layer_usd::inference~H100~existing
  Training H100 existing | 4964 -> layer_usd::training~H100~existing
  A100 | 2555
  H100 | 6205
  c1 | -9782
  c2 | -8760

plan_signed:: 0 usd Newly signed per month = 0 0 ...

column_usd::training 11283.4 usd Training per month = 3 11283.4 3
  load-000 | 5840 | 6480.24 -> card_usd::c1/team/load-000
  again | 1168 | 2856.47 -> card_usd:://again
  once | 486.667 | 1946.67 -> card_usd::c1//once

column_usd::burst 1095 usd Burst per month = 1 1095 1
  load-002 | 1095 | 1095 -> card_usd::c1/team/load-002

card_usd:://again 2856.47 usd again Plan A per month = 2 2856.47 ... ... ... -> planned_run_usd:://again ->
    column_usd::training -> layer_usd::training H100    all
  ... | 0 | 0
  ... | 1168 | 2856.47

card_usd:ends://again 2856.47 usd again Plan A per month = 2 2856.47 ... ... ... -> planned_run_usd:://again
    -> column_usd::training -> layer_usd::training     H100    all
  ... | 0 | 0
  ... | 1168 | 2856.47

planned_run_usd:://again 188866 usd again 8760 = 2 188866 ... ...
  8 H100 36 training | 89760.9 -> order_usd::training~H100~own~36~1775109600~planned_run
  ... | 99104.9

card_hours:://again 1168 gpu_hours again Plan A GPU-h per month = 2 1168 ... ... ... ->
    planned_run_usd:://again -> column_usd::training -> layer_usd::training H100    all
  ... | 0 | 0
  ... | 1168 | 2856.47

part_today::c1/team/load-000 17812 usd Cost load-000 per month = 2.1024e+10 ÷ 2.1024e+10 × 17812 = 17812 ...
  its GPU-hours | 2.1024e+10
  load-000 | 2.1024e+10
  load-000 | 17812 -> workload_cost::c1/team/load-000

part_today:ends:c1/team/load-000 17812 usd Cost load-000 per month = 2.1024e+10 ÷ 2.1024e+10 × 17812 = 17812
    ...
  its GPU-hours | 2.1024e+10
  load-000 | 2.1024e+10
  load-000 | 17812 -> workload_cost::c1/team/load-000

part_today:on_demand:c1/team/load-000 17812 usd Cost load-000 per month = 2.1024e+10 ÷ 2.1024e+10 × 17812 =
    17812 ...
  its GPU-hours | 2.1024e+10
  load-000 | 2.1024e+10
  load-000 | 17812 -> workload_cost::c1/team/load-000

card_change::c1/team/load-000 -11332 usd Change load-000 per month = 6480 − 17812 = -11332
  ... | 6480 -> card_usd::c1/team/load-000
  cost today | 17812 -> workload_cost::c1/team/load-000

use_break_even:clusters:c1 0.515385 share Break-even utilization c1 = 1.48889 ÷ 2.88889 = 0.515385 ...
  K1 | 2920 | 6132 | 11680 | 0.525 -> break_even::K1
  K3 | 3650 | 3650 | 7300 | 0.5 -> break_even::K3

use_break_even:contracts:K1 0.525 share Break-even utilization K1 = 2.1 ÷ 4 = 0.525 ... -> break_even::K1
  rate paid | 2.1
  ... | 4

use_break_even:gpu_models:H100 0.425 share Break-even utilization H100 = 1.7 ÷ 4 = 0.425 ...
  K1 | 2920 | 6132 | 11680 | 0.525 -> break_even::K1
  K2 | 5840 | 8760 | 23360 | 0.375 -> break_even::K2

use_usd:clusters:c1 9782 usd Paid c1 per month = 2 9782
  K1 | 6132
  K3 | 3650

use_usd:contracts:K1 6132 usd Paid K1 per month = 1 6132
  K1 | 6132

use_usd:gpu_models:H100 14892 usd Paid H100 per month = 2 14892
  K1 | 6132
  K2 | 8760

plan_saved:: -4672 usd Today less plan the plan per month = 30222 − 34894 = -4672
  today's spend | 30222 -> spend::
  the plan | 34894 -> plan_usd::

plan_below_nothing:: 0 usd ... the plan per month = 34894 − 34894 = 0
  doing nothing | 34894 -> plan_nothing::
  the plan | 34894 -> plan_usd::

plan_utilization:: 0.623894 share Effective utilization the plan = 14.1 ÷ 22.6 = 0.623894 ...
  ... | 14.1
  ... | 22.6

plan_unused:: 8760 usd ... per month = 2 8760
  A100 | 2555 | 0 | 2555 -> idle_usd::A100
  H100 | 6205 | 0 | 6205 -> idle_usd::H100

plan_lock_in:: 1.55649 decimal Average term left $-weighted months = 54312 bound ÷ 34894 a month = 1.55649
    months ...
  K1 | 6132 | 6 | 36792 -> contract_usd::K1
  K2 | 8760 | 2 | 17520 -> contract_usd::K2
  K3 | 3650 | 0 | 0 -> contract_usd::K3
  ... | 16352 | 0 | 0 -> plan_by_use::

plan_lock_in:ends: 1.55649 decimal Average term left $-weighted months = 54312 bound ÷ 34894 a month = 1.55649
    months ...
  K1 | 6132 | 6 | 36792 -> contract_usd::K1
  K2 | 8760 | 2 | 17520 -> contract_usd::K2
  K3 | 3650 | 0 | 0 -> contract_usd::K3
  ... | 16352 | 0 | 0 -> plan_by_use::

plan_lock_in:on_demand: 1.55649 decimal Average term left $-weighted months = 54312 bound ÷ 34894 a month =
    1.55649 months ...
  K1 | 6132 | 6 | 36792 -> contract_usd::K1
  K2 | 8760 | 2 | 17520 -> contract_usd::K2
  K3 | 3650 | 0 | 0 -> contract_usd::K3
  ... | 16352 | 0 | 0 -> plan_by_use::

plan_longest:: 0 exact Longest commitment months = 0 ...
  ... | 0

idle_usd::H100 6205 usd Cost H100 per month = 5 × 1.7 × 730 = 6205
  mean idle GPUs | 5 -> idle_gpus::H100
  ... | 1.7
  ... | 730

plan_gpus:: 22.6 gpus GPUs paid for = 6 22.6
  Burst A100 existing | 1.5 -> layer_usd::burst~A100~existing
  Inference H100 existing | 3 -> layer_usd::inference~H100~existing
  Training H100 existing | 4 -> layer_usd::training~H100~existing
  Training H100 on demand | 5.6 -> layer_usd::training~H100~use-STANDARD
  A100 | 3.5 -> idle_gpus::A100
  H100 | 5 -> idle_gpus::H100

plan_nothing:: 34894 usd Do nothing per 730-h month = 4 34894 ...
  K1 | 6132 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | 3650 -> contract_usd::K3
  ... | 16352

check_usd::idle_beside_orders~H100~5475 5475 usd H100 per month = 5475 the plan's check 5 c2 5475 16 c1 --same
    cluster:c2=c1
  the plan's check | 5475

check_usd:ends:idle_beside_orders~H100~5475 5475 usd H100 per month = 5475 the plan's check 5 c2 5475 16 c1
    --same cluster:c2=c1
  the plan's check | 5475

check_usd:on_demand:idle_beside_orders~H100~5475 5475 usd H100 per month = 5475 the plan's check 5 c2 5475 16
    c1 --same cluster:c2=c1
  the plan's check | 5475

marginal_rate:: 4 rate ... the plan = 16352 ÷ 4088 = 4 ...
  ... | 16352
  its GPU-hours | 4088

bought_hours:: - gpu_hours ... the plan GPU-h per month = - ÷ 4 = - ...
  ... | - -> plan_below_nothing::
  ... | 4 -> marginal_rate::

bought_gpus:: - gpus ... the plan = - ÷ 730 = - ...
  ... | - -> bought_hours::
  ... | 730

separation:: - usd Cost of separation per month = 1 - ...
  ... | -
"""
UNPRICED = """
ahead_nothing::next_month - usd Do nothing per 730-h month = 4 - ...
  K1 | 5840 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | - -> contract_usd::K3
  ... | 11680

ahead_plan::next_month - usd ... per month = 6 -
  Burst A100 existing | - -> layer_usd::burst~A100~existing
  Inference H100 existing | 3650 -> layer_usd::inference~H100~existing
  Training H100 existing | 4866.67 -> layer_usd::training~H100~existing
  Training H100 on demand | 11680 -> layer_usd::training~H100~use-STANDARD
  A100 | -
  H100 | 6083.33

ahead_plan::month_12 - usd The plan 12 per 730-h month = 3 - ...
  K3 | - -> contract_usd::K3
  ... | 0
  Paid on demand | 32120

ahead_saved::next_month 0 usd ... Next month in that time = 26280 − 26280 = 0 K3
  doing nothing | 26280 -> ahead_nothing::next_month
  the plan | 26280 -> ahead_plan::next_month

ahead_change::next_month - usd ... Next month in that time = - − - = -
  the plan | - -> ahead_plan::next_month
  ... | - -> ahead_before::next_month

separation_usd::premium 0 usd Consolidation premium per month = 1 0
  load-001 | 0 -> endpoint_premium::c2/team/load-001

separation_usd::cost - usd Cost of separation per month = 1 - ...
  ... | -

plan_energy_kwh::training 6073.6 count Energy = 2 6073.6
  Training H100 existing contracts | 3036.8 -> plan_energy_kwh:layer:2
  Training H100 on demand | 3036.8 -> plan_energy_kwh:layer:3

plan_energy_kwh:ends: 10842.3 count Energy = 6 10842.3
  Burst A100 existing contracts | 569.4 -> plan_energy_kwh:layer:0
  Inference H100 existing contracts | 2277.6 -> plan_energy_kwh:layer:1
  Training H100 existing contracts | 3036.8 -> plan_energy_kwh:layer:2
  Training H100 on demand | 3036.8 -> plan_energy_kwh:layer:3
  Idle A100 | 498.225 -> plan_energy_kwh:layer:4
  Idle H100 | 1423.5 -> plan_energy_kwh:layer:5

plan_energy_co2::training - count CO2 = 2 -
  Training H100 existing contracts | - -> plan_energy_co2:layer:2
  Training H100 on demand | - -> plan_energy_co2:layer:3

plan_energy_co2:ends: - count CO2 = 6 -
  Burst A100 existing contracts | - -> plan_energy_co2:layer:0
  Inference H100 existing contracts | - -> plan_energy_co2:layer:1
  Training H100 existing contracts | - -> plan_energy_co2:layer:2
  Training H100 on demand | - -> plan_energy_co2:layer:3
  Idle A100 | - -> plan_energy_co2:layer:4
  Idle H100 | - -> plan_energy_co2:layer:5

plan_energy_peak:: 15.99 decimal Largest hour = 4 15.99 First month 1
  Burst | 1.56
  Inference | 4.16
  Training | 8.32
  Idle | 1.95

layer_usd::burst~A100~existing - usd Cost Burst A100 existing per month = 1.5 × - × 730 = -
  mean paid GPUs | 1.5 -> layer_gpus::burst~A100~existing
  rate | - -> layer_rate::burst~A100~existing
  ... | 730

layer_usd::burst~A100~all - usd Cost Burst A100 all layers per month = 1 -
  existing | 1.5 | - | - -> layer_usd::burst~A100~existing

month_nothing::0 - usd Do nothing per 730-h month = 4 - ...
  K1 | 5840 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | - -> contract_usd::K3
  ... | 11680

month_plan::0 - usd The plan per 730-h month = 5 - ...
  K1 | 5840 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | - -> contract_usd::K3
  ... | 0
  Paid on demand | 11680 -> plan_by_use::

plan_nothing:: - usd Do nothing per 730-h month = 4 - ...
  K1 | 5840 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | - -> contract_usd::K3
  ... | 11680

plan_usd:: - usd ... per month = 6 -
  Burst A100 existing | - -> layer_usd::burst~A100~existing
  Inference H100 existing | 3650 -> layer_usd::inference~H100~existing
  Training H100 existing | 4866.67 -> layer_usd::training~H100~existing
  Training H100 on demand | 11680 -> layer_usd::training~H100~use-STANDARD
  A100 | -
  H100 | 6083.33

layer_gpus::burst~A100~existing 1.5 gpus Burst A100 existing = 1 1.5 ...
  existing | 1.5 | - | -

layer_gpus:ends:burst~A100~all 1.5 gpus Burst A100 all layers = 1 1.5 ...
  existing | 1.5 | - | - -> layer_usd::burst~A100~existing

layer_rate::burst~A100~existing - rate Burst A100 existing = - ...
  ... | -

layer_rate::burst~A100~all - rate Mean rate Burst A100 all layers = - ÷ 1095 = -
  Cost | - -> layer_usd::burst~A100~all
  paid GPU-h | 1095 -> layer_paid::burst~A100~all

plan_by_use:: 11680 usd Paid on demand per month = 1 11680
  Training H100 on demand | 11680 -> layer_usd::training~H100~use-STANDARD

value:layer:burst~A100~all 0 usd Cost all layers per month = 0 0

value:on_demand:burst~A100~all 0 usd ... all layers per month = 0 0

value:value:burst~A100~all 0 usd Value all layers per month = 0 0

value:layer:burst~A100~0 0 usd Cost 0 per month = 0 0

value:on_demand:burst~A100~0 0 usd ... 0 per month = 0 0

value:value:burst~A100~0 0 usd Value 0 per month = 0 0

spot_instead::burst~A100~all - usd ... Burst A100 existing per month = - − 1.5 × - × 730 = -
  Cost | - -> layer_usd::burst~A100~existing
  ... | 1.5
  ... | -
  ... | 730

spot_instead:on_demand:burst~A100~all - usd ... Burst A100 existing per month = - − 1.5 × - × 730 = -
  Cost | - -> layer_usd::burst~A100~existing
  ... | 1.5
  ... | -
  ... | 730

orders_usd:: 0 usd Commit now per month = 0 0 -> orders_bind::

orders_bind:: 0 usd ... over whole terms = 0 0 0

contracts_usd:: - usd All contracts per month = 3 - ...
  K1 | 4 | 5840 -> contract_usd::K1
  K2 | 8 | 8760 -> contract_usd::K2
  K3 | 5 | - -> contract_usd::K3

plan_contracts:: - usd Contracts that end per month = 7 -
  Burst A100 existing | - -> layer_usd::burst~A100~existing
  Inference H100 existing | 3650 -> layer_usd::inference~H100~existing
  Training H100 existing | 4866.67 -> layer_usd::training~H100~existing
  A100 | -
  H100 | 6083.33
  c1 | -
  c2 | -8760

plan_signed:: 0 usd Newly signed per month = 0 0 ...

column_usd::training 20277.8 usd Training per month = 1 20277.8 1
  load-000 | 5840 | 20277.8 -> card_usd::c1/team/load-000

card_usd::c1/team/load-000 20277.8 usd load-000 Plan A per month = 2 20277.8 ... ... -> column_usd::training
    -> layer_usd::training     H100    all -> jobs::c1/team/load-000
  ... | 1460 | 2757.78
  ... | 4380 | 17520

card_usd:ends:c1/team/load-000 20277.8 usd load-000 Plan A per month = 2 20277.8 ... ... ->
    column_usd::training -> layer_usd::training H100    all -> jobs::c1/team/load-000
  ... | 1460 | 2757.78
  ... | 4380 | 17520

card_usd:on_demand:c1/team/load-000 20277.8 usd load-000 Plan A per month = 2 20277.8 ... ... ->
    column_usd::training -> layer_usd::training    H100    all -> jobs::c1/team/load-000
  ... | 1460 | 2757.78
  ... | 4380 | 17520

card_change::c1/team/load-000 2758 usd Change load-000 per month = 20278 − 17520 = 2758
  ... | 20278 -> card_usd::c1/team/load-000
  cost today | 17520 -> workload_cost::c1/team/load-000

use_break_even:clusters:c1 - share Break-even utilization c1 = - ÷ - = - ...
  K1 | 2920 | 5840 | 11680 | 0.5 -> break_even::K1
  K3 | 3650 | - | - | - -> break_even::K3

use_break_even:gpu_models:A100 - share Break-even utilization A100 = - ÷ - = - ... -> break_even::K3
  rate paid | -
  ... | -

use_usd:clusters:c1 - usd Paid c1 per month = 2 -
  K1 | 5840
  K3 | -

use_usd:gpu_models:A100 - usd Paid A100 per month = 1 -
  K3 | -

plan_saved:: - usd Today less plan the plan per month = - − - = -
  today's spend | - -> spend::
  the plan | - -> plan_usd::

plan_below_nothing:: 0 usd ... the plan per month = 26280 − 26280 = 0 K3
  doing nothing | 26280 -> plan_nothing::
  the plan | 26280 -> plan_usd::

plan_unused:: - usd ... per month = 2 -
  A100 | - | 0 | - -> idle_usd::A100
  H100 | 6083.33 | 0 | 6083.33 -> idle_usd::H100

plan_lock_in:: - decimal Average term left $-weighted months = - bound ÷ - a month = - months ...
  K1 | 5840 | 6 | 35040 -> contract_usd::K1
  K2 | 8760 | 2 | 17520 -> contract_usd::K2
  K3 | - | 0 | - -> contract_usd::K3
  ... | 11680 | 0 | 0 -> plan_by_use::

plan_lock_in:ends: - decimal Average term left $-weighted months = - bound ÷ - a month = - months ...
  K1 | 5840 | 6 | 35040 -> contract_usd::K1
  K2 | 8760 | 2 | 17520 -> contract_usd::K2
  K3 | - | 0 | - -> contract_usd::K3
  ... | 11680 | 0 | 0 -> plan_by_use::

plan_lock_in:review: - decimal Average term left $-weighted months = - bound ÷ - a month = - months ...
  K1 | 5840 | 6 | 35040 -> contract_usd::K1
  K2 | 8760 | 2 | 17520 -> contract_usd::K2
  K3 | - | 0 | - -> contract_usd::K3
  ... | 11680 | 0 | 0 -> plan_by_use::

plan_longest:: 0 exact Longest commitment months = 0 ...
  ... | 0

plan_gpus:: 21 gpus GPUs paid for = 6 21
  Burst A100 existing | 1.5 -> layer_usd::burst~A100~existing
  Inference H100 existing | 3 -> layer_usd::inference~H100~existing
  Training H100 existing | 4 -> layer_usd::training~H100~existing
  Training H100 on demand | 4 -> layer_usd::training~H100~use-STANDARD
  A100 | 3.5 -> idle_gpus::A100
  H100 | 5 -> idle_gpus::H100

marginal_rate:: 4 rate ... the plan = 11680 ÷ 2920 = 4 ...
  ... | 11680
  its GPU-hours | 2920

bought_hours:: - gpu_hours ... the plan GPU-h per month = - ÷ 4 = - ...
  ... | - -> plan_below_nothing::
  ... | 4 -> marginal_rate::

bought_gpus:: - gpus ... the plan = - ÷ 730 = - ...
  ... | - -> bought_hours::
  ... | 730

separation:: - usd Cost of separation per month = 1 - ...
  ... | -
"""
TRIALS = """
separation_usd::cost - usd Cost of separation per month = 1 - ...
  ... | -

alone_year::Bo 360620 usd Bo in all = 4 360620
  Existing contracts | 96360
  burst A100 | 0
  inference H100 | 80300
  training H100 | 183960

alone_year:ends:Ada 332537 usd Ada in all = 4 332537
  Existing contracts | 96360
  burst A100 | 0
  inference H100 | 82976.7
  training H100 | 153200

alone_beside::Bo 40371.7 usd ... Bo in all = 360620 − 320248 = 40371.7
  ... | 360620 -> alone_year::Bo
  ... | 320248

alone_beside:ends:Ada 12288.3 usd ... Ada in all = 332537 − 320248 = 12288.3
  ... | 332537 -> alone_year::Ada
  ... | 320248

offer_rate:low:od 3 rate od low = 3 the price list Bo
  the price list | 3

offer_rate:high:od 5 rate od high = 5 the price list Bo
  the price list | 5

column_usd::inference 6499.03 usd Inference per month = 2 6499.03 2
  load-001, 75% | 1642.5 | 4874.27 -> card_usd::c2/team/load-001#1
  load-001, 25% | 547.5 | 1624.76 -> card_usd::c2/team/load-001#2

merged_usd::training~both 15524.4 usd both per month = 1 15524.4
  load-000 | 5840 | 15524.4 -> card_usd::c1/team/load-000

merged_hours::training~both 5840 gpu_hours both per month = 1 5840
  load-000 | 5840 | 15524.4 -> card_usd::c1/team/load-000

selected_usd:: 21493.7 usd 3 per month = 3 21493.7
  load-000 | 5840 | 15524.4 -> card_usd::c1/team/load-000
  load-001, 75% | 1642.5 | 4874.27 -> card_usd::c2/team/load-001#1
  load-002 | 1095 | 1095 -> card_usd::c1/team/load-002

selected_hours:: 8577.5 gpu_hours 3 per month = 3 8577.5
  load-000 | 5840 | 15524.4 -> card_usd::c1/team/load-000
  load-001, 75% | 1642.5 | 4874.27 -> card_usd::c2/team/load-001#1
  load-002 | 1095 | 1095 -> card_usd::c1/team/load-002

quality_jobs:: 10 count ... = 10 ...
  ... | 10

quality_gaps:: 7 hours In gaps = 2 7 12 10
  2026-01-31T10:00:00Z 2026-01-31T15:00:00Z | 5
  Shorter gaps | 2

quality_hours:: 0.8 share Hours with jobs the whole log = 80 ÷ 100 = 0.8 ...
  ... | 80
  ... | 100

quality_share::time_coverage 0.8 share Hours with jobs the whole log = 80 ÷ 100 = 0.8 ...
  ... | 80
  ... | 100

case_plan:low: 25213.3 usd low per month = 7 25213.3 ...
  Burst A100 existing contracts | 1.5 | 1095
  Inference H100 existing contracts | 3 | 3650
  Training H100 existing contracts | 4 | 4866.67
  Training H100 12 | 4 | 4083.33
  Training H100 on demand | 1.31507 | 2880
  A100 | 3.5 | 2555
  H100 | 5 | 6083.33

case_plan:mid: 27153.3 usd mid per month = 7 27153.3 ...
  Burst A100 existing contracts | 1.5 | 1095
  Inference H100 existing contracts | 3 | 3650
  Training H100 existing contracts | 4 | 4866.67
  Training H100 12 | 4 | 5063.33
  Training H100 on demand | 1.31507 | 3840
  A100 | 3.5 | 2555
  H100 | 5 | 6083.33

case_plan:high: 28113.3 usd high per month = 7 28113.3 ...
  Burst A100 existing contracts | 1.5 | 1095
  Inference H100 existing contracts | 3 | 3650
  Training H100 existing contracts | 4 | 4866.67
  Training H100 12 | 4 | 5063.33
  Training H100 on demand | 1.31507 | 4800
  A100 | 3.5 | 2555
  H100 | 5 | 6083.33

case_nothing:low: 27010 usd low per month = 4 27010
  K1 | 5840 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | 3650 -> contract_usd::K3
  ... | 8760

case_nothing:mid: 29930 usd mid per month = 4 29930
  K1 | 5840 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | 3650 -> contract_usd::K3
  ... | 11680

case_nothing:high: 32850 usd high per month = 4 32850
  K1 | 5840 -> contract_usd::K1
  K2 | 8760 -> contract_usd::K2
  K3 | 3650 -> contract_usd::K3
  ... | 14600

case_saved:low: 1796.67 usd ... low per month = 27010 − 25213.3 = 1796.67 ...
  doing nothing | 27010 -> case_nothing:low:
  the plan | 25213.3 -> case_plan:low:

case_saved:mid: 2776.67 usd ... mid per month = 29930 − 27153.3 = 2776.67 ...
  doing nothing | 29930 -> case_nothing:mid:
  the plan | 27153.3 -> case_plan:mid:

case_saved:high: 4736.67 usd ... high per month = 32850 − 28113.3 = 4736.67 ...
  doing nothing | 32850 -> case_nothing:high:
  the plan | 28113.3 -> case_plan:high:

case_at_mid:low: 3 count low 5 = 3 of 5
  a-od | 2
  a-spot | 0.8
  q3 | 3.5

case_at_mid:high: 4 count high 5 = 4 of 5
  a-od | 2
  a-spot | 0.8
  q3 | 3.5
  y1 | 2.5

case_at_mid:mid: 0 count mid 5 = 0 of 5

case_layer:low:training~H100~0 4 gpus Training H100 0 low = 1 4
  od | 4 | 2880

case_layer:mid:training~H100~0 4 gpus Training H100 0 mid = 1 4
  od | 4 | 3840

case_layer:high:training~H100~0 4 gpus Training H100 0 high = 1 4
  od | 4 | 4800

case_layer:low:burst~A100~0 0 gpus Burst A100 0 low = 0 0 ...

case_layer:mid:burst~A100~0 0 gpus Burst A100 0 mid = 0 0 ...

case_layer:high:burst~A100~0 0 gpus Burst A100 0 high = 0 0 ...

path_usd:fall:advice_usd 130 usd The advice 0.012 ... = 2 130
  ... | 20
  Training H100 | 110

path_wrong::advice_usd 10 usd ... The advice 0.012 ... = 130 − the lesser of 130 and 120 = 10 Its worst path.
  ... | 130 -> path_usd:fall:advice_usd
  ... | 120

way_paid::advice 360 usd The advice in all months = 2 360
  2026-01-31 | 120
  2026-03-02 | 240

way_over::advice 0.2 share The advice = 2 0.2
  Paid ÷ hindsight | 360 | 1.2 -> way_paid::advice
  hindsight itself | 300 | -1 -> way_paid::hindsight

variant_paid::as_set 360 usd As set in all months = 2 360
  2026-01-31 | 120
  2026-03-02 | 240

variant_beside::growth -30 usd Growth = 2 -30
  Growth | 330 -> variant_paid::growth
  As set | -360 -> variant_paid::as_set

separation:: - usd Cost of separation per month = 1 - ...
  ... | -
"""
ASKED = """
ahead_plan::month_12 38480.9 usd The plan 12 per 730-h month = 3 38480.9 ...
  K3 | 3650 -> contract_usd::K3
  ... | 30416.7
  Paid on demand | 4414.19

ahead_before::next_month 27153.3 usd Plan A Next month = 27153.3 Plan A ...
  Plan A | 27153.3

ahead_change::month_12 10375.9 usd ... Month 12 in that time = 38480.9 − 28105 = 10375.9
  the plan | 38480.9 -> ahead_plan::month_12
  ... | 28105 -> ahead_before::month_12

plan_energy_peak::training 11.6577 decimal Largest hour = 1 11.6577
  Training | 11.6577

plan_energy_peak:: 19.8278 decimal Largest hour = 4 19.8278 12 1
  Burst | 2.18583
  Inference | 5.82887
  Training | 11.6577
  Idle | 0.155315

orders_bind:: 181040 usd ... over whole terms = 3 181040 5840
  4 H100 12 training | 4 | 90520
  3 H100 12 inference | 3 | 67890
  1 H100 12 training | 1 | 22630
"""
COMPARED = """
in_plan:0:plan_usd:: 27153.3 usd Plan A ... per month = 7 27153.3
  Burst A100 existing | 1095 -> in_plan:0:layer_usd::burst~A100~existing
  Inference H100 existing | 3650 -> in_plan:0:layer_usd::inference~H100~existing
  Training H100 existing | 4866.67 -> in_plan:0:layer_usd::training~H100~existing
  Training H100 12 | 5063.33 -> in_plan:0:layer_usd::training~H100~12
  Training H100 on demand | 3840 -> in_plan:0:layer_usd::training~H100~use-STANDARD
  A100 | 2555
  H100 | 6083.33

in_plan:1:plan_usd:: 27153.3 usd Q ... per month = 7 27153.3
  Burst A100 existing | 1095 -> in_plan:1:layer_usd::burst~A100~existing
  Inference H100 existing | 3650 -> in_plan:1:layer_usd::inference~H100~existing
  Training H100 existing | 4866.67 -> in_plan:1:layer_usd::training~H100~existing
  Training H100 12 | 5063.33 -> in_plan:1:layer_usd::training~H100~12
  Training H100 on demand | 3840 -> in_plan:1:layer_usd::training~H100~use-STANDARD
  A100 | 2555
  H100 | 6083.33

in_plan:0:plan_saved:: 2776.67 usd Plan A Today less plan the plan per month = 29930 − 27153.3 = 2776.67
  today's spend | 29930 -> spend::
  the plan | 27153.3 -> in_plan:0:plan_usd::

in_plan:1:plan_saved:: 2776.67 usd Q Today less plan the plan per month = 29930 − 27153.3 = 2776.67
  today's spend | 29930 -> spend::
  the plan | 27153.3 -> in_plan:1:plan_usd::

in_plan:0:plan_utilization:: 0.595238 share Plan A Effective utilization the plan = 12.5 ÷ 21 = 0.595238 ...
  ... | 12.5
  ... | 21

in_plan:1:plan_utilization:: 0.595238 share Q Effective utilization the plan = 12.5 ÷ 21 = 0.595238 ...
  ... | 12.5
  ... | 21

in_plan:0:plan_lock_in:: 4.17334 decimal Plan A Average term left $-weighted months = 113320 bound ÷ 27153.3 a
    month = 4.17334 months ...
  K1 | 5840 | 6 | 35040 -> in_plan:0:contract_usd::K1
  K2 | 8760 | 2 | 17520 -> in_plan:0:contract_usd::K2
  K3 | 3650 | 0 | 0 -> in_plan:0:contract_usd::K3
  Training H100 12 | 5063.33 | 12 | 60760 -> in_plan:0:layer_usd::training~H100~12
  ... | 3840 | 0 | 0 -> in_plan:0:plan_by_use::

in_plan:1:plan_lock_in:: 4.17334 decimal Q Average term left $-weighted months = 113320 bound ÷ 27153.3 a
    month = 4.17334 months ...
  K1 | 5840 | 6 | 35040 -> in_plan:1:contract_usd::K1
  K2 | 8760 | 2 | 17520 -> in_plan:1:contract_usd::K2
  K3 | 3650 | 0 | 0 -> in_plan:1:contract_usd::K3
  Training H100 12 | 5063.33 | 12 | 60760 -> in_plan:1:layer_usd::training~H100~12
  ... | 3840 | 0 | 0 -> in_plan:1:plan_by_use::

in_plan:0:plan_unused:: 8638.33 usd Plan A ... per month = 3 8638.33
  Training H100 12 | 5063.33 | 1 | 0 -> in_plan:0:layer_usd::training~H100~12
  A100 | 2555 | 0 | 2555 -> in_plan:0:idle_usd::A100
  H100 | 6083.33 | 0 | 6083.33 -> in_plan:0:idle_usd::H100

in_plan:1:plan_unused:: 8638.33 usd Q ... per month = 3 8638.33
  Training H100 12 | 5063.33 | 1 | 0 -> in_plan:1:layer_usd::training~H100~12
  A100 | 2555 | 0 | 2555 -> in_plan:1:idle_usd::A100
  H100 | 6083.33 | 0 | 6083.33 -> in_plan:1:idle_usd::H100

in_plan:0:column_usd::training 15524.4 usd Plan A Training per month = 1 15524.4 1
  load-000 | 5840 | 15524.4 -> in_plan:0:card_usd::c1/team/load-000

in_plan:1:column_usd::training 19781.5 usd Q Training per month = 1 19781.5 1
  load-000 | 7152.08 | 19781.5 -> in_plan:1:card_usd::c1/team/load-000

in_plan:0:orders_usd:: 7543.33 usd Plan A Commit now per month = 1 7543.33 -> in_plan:0:orders_bind::
  4 H100 12 training | 4 | 7543.33 -> in_plan:0:order_usd::training~H100~y1~12~1770717600~now

in_plan:1:orders_usd:: 7543.33 usd Q Commit now per month = 1 7543.33 -> in_plan:1:orders_bind::
  4 H100 12 training | 4 | 7543.33 -> in_plan:1:order_usd::training~H100~y1~12~1770717600~now

less_first:0:plan_usd:: 0 usd ... Plan A Plan A per month = 2 0
  Plan A | 27153 -> in_plan:0:plan_usd::
  Plan A | -27153 -> in_plan:0:plan_usd::

less_first:1:plan_usd:: 0 usd ... Q Plan A per month = 2 0
  Q | 27153 -> in_plan:1:plan_usd::
  Plan A | -27153 -> in_plan:0:plan_usd::

less_first:0:plan_saved:: 0 usd Today less plan the plan Plan A Plan A per month = 2 0
  Plan A | 2777 -> in_plan:0:plan_saved::
  Plan A | -2777 -> in_plan:0:plan_saved::

less_first:1:plan_saved:: 0 usd Today less plan the plan Q Plan A per month = 2 0
  Q | 2777 -> in_plan:1:plan_saved::
  Plan A | -2777 -> in_plan:0:plan_saved::

less_first:0:plan_utilization:: 0 exact Effective utilization the plan Plan A Plan A percentage points = 2 0
  Plan A | 59.5 -> in_plan:0:plan_utilization::
  Plan A | -59.5 -> in_plan:0:plan_utilization::

less_first:1:plan_utilization:: 0 exact Effective utilization the plan Q Plan A percentage points = 2 0
  Q | 59.5 -> in_plan:1:plan_utilization::
  Plan A | -59.5 -> in_plan:0:plan_utilization::

less_first:0:plan_lock_in:: 0 exact Average term left Plan A Plan A $-weighted months = 2 0
  Plan A | 4.2 -> in_plan:0:plan_lock_in::
  Plan A | -4.2 -> in_plan:0:plan_lock_in::

less_first:1:plan_lock_in:: 0 exact Average term left Q Plan A $-weighted months = 2 0
  Q | 4.2 -> in_plan:1:plan_lock_in::
  Plan A | -4.2 -> in_plan:0:plan_lock_in::

less_first:0:plan_unused:: 0 usd ... Plan A Plan A per month = 2 0
  Plan A | 8638 -> in_plan:0:plan_unused::
  Plan A | -8638 -> in_plan:0:plan_unused::

less_first:1:plan_unused:: 0 usd ... Q Plan A per month = 2 0
  Q | 8638 -> in_plan:1:plan_unused::
  Plan A | -8638 -> in_plan:0:plan_unused::

less_first:0:column_usd::training 0 usd Training Plan A Plan A per month = 2 0
  Plan A | 15524 -> in_plan:0:column_usd::training
  Plan A | -15524 -> in_plan:0:column_usd::training

less_first:1:column_usd::training 4257 usd Training Q Plan A per month = 2 4257
  Q | 19781 -> in_plan:1:column_usd::training
  Plan A | -15524 -> in_plan:0:column_usd::training

less_first:0:orders_usd:: 0 usd Commit now Plan A Plan A per month = 2 0
  Plan A | 7543 -> in_plan:0:orders_usd::
  Plan A | -7543 -> in_plan:0:orders_usd::

less_first:1:orders_usd:: 0 usd Commit now Q Plan A per month = 2 0
  Q | 7543 -> in_plan:1:orders_usd::
  Plan A | -7543 -> in_plan:0:orders_usd::

change_worth:1:0 47 usd ... Growth 1 2 per month = 27200 − 27153 = 47 Plan A Q
  ... | 27200
  ... | 27153 -> in_plan:0:plan_usd::

change_worth:1:1 -99 usd ... Move 2 2 per month = 27100.4 − 27200 = -99 Plan A Q ...
  ... | 27100.4 -> in_plan:1:plan_usd::
  ... | 27200 -> change_worth:1:0

moved_hours:1:1 2190 gpu_hours Move per month = 1 2190
  load-001 | 2190

moved_hours:1:0 0 gpu_hours Growth per month = 0 0

from_today:0:training -3750 usd Plan A Training per month = 4 -3750
  H100 existing contracts | 4866.67
  H100 12 | 5063.33
  H100 on demand | 3840
  ... | -17520

from_today:1:training -3750 usd Q Training per month = 4 -3750
  H100 existing contracts | 4866.67
  H100 12 | 5063.33
  H100 on demand | 3840
  ... | -17520

from_today:0:inference 365 usd Plan A Inference per month = 2 365
  H100 existing contracts | 3650
  ... | -3285

from_today:1:inference 365 usd Q Inference per month = 2 365
  H100 existing contracts | 3650
  ... | -3285

from_today:0:unused_now -8030 usd Plan A ... per month = 1 -8030
  Idle cost today | -8030 -> contracts_unused::

from_today:1:unused_now -8030 usd Q ... per month = 1 -8030
  Idle cost today | -8030 -> contracts_unused::

from_today:0:other 0 usd Plan A Other per month = 7 0
  The plan | 27153.3 -> in_plan:0:plan_usd::
  today | -29930 -> spend::
  Idle cost today | 8030 -> contracts_unused::
  Training | 3750 -> from_today:0:training
  Inference | -365 -> from_today:0:inference
  Burst | 0 -> from_today:0:burst
  ... | -8638.33 -> in_plan:0:plan_unused::

from_today:1:other 0 usd Q Other per month = 7 0
  The plan | 27153.3 -> in_plan:1:plan_usd::
  today | -29930 -> spend::
  Idle cost today | 8030 -> contracts_unused::
  Training | 3750 -> from_today:1:training
  Inference | -365 -> from_today:1:inference
  Burst | 0 -> from_today:1:burst
  ... | -8638.33 -> in_plan:1:plan_unused::

from_today:0:unused_plan 8638 usd Plan A Unused in commitments per month = 1 8638
  ... | 8638.33 -> in_plan:0:plan_unused::

from_today:1:unused_plan 8638 usd Q Unused in commitments per month = 1 8638
  ... | 8638.33 -> in_plan:1:plan_unused::

from_today:0:burst 0 usd Plan A Burst per month = 2 0
  A100 existing contracts | 1095
  ... | -1095

from_today:1:burst 0 usd Q Burst per month = 2 0
  A100 existing contracts | 1095
  ... | -1095
"""
TODAY = """
separation_usd::cost - usd Cost of separation per month = 1 - ...
  ... | -

column_usd::training 17520 usd Training per month = 1 17520 1
  load-000 | 5840 | 17520 -> workload_cost::c1/team/load-000

card_change::c1/team/load-000 0 usd Change load-000 per month = 17520 − 17520 = 0
  ... | 17520 -> card_usd::c1/team/load-000
  cost today | 17520 -> workload_cost::c1/team/load-000

separation:: - usd Cost of separation per month = 1 - ...
  ... | -
"""
OF = {
    "PLAN": (PLAN, ANSWERS, lambda: worlds.evidence_of_plan(worlds.outlook_of(worlds.plan))),
    "LIMITED": (LIMITED, ANSWERS, lambda: worlds.evidence_of_plan(worlds.limited())),
    "UNPRICED": (UNPRICED, ANSWERS, lambda: worlds.evidence_of_plan(worlds.unpriced())),
    "TRIALS": (TRIALS, ANSWERS, lambda: worlds.evidence_of_trials()),
    "ASKED": (ASKED, ANSWERS, lambda: worlds.evidence_of_plan(worlds.with_before(worlds.asked()))),
    "COMPARED": (COMPARED, OF_COMPARISON, lambda: worlds.compared()),
    "TODAY": (TODAY, ANSWERS, lambda: worlds.evidence_of_plan(worlds.plan(), is_today=True)),
}
CASES = cases_of(OF)


@pytest.mark.parametrize(("world", "figure_id"), CASES)
def test_an_answer_is_what_hours_gpus_and_rates_come_to(world: str, figure_id: str) -> None:
    _, answers, evidence = OF[world]
    trace = answers.answer(evidence(), figure_id)
    came = arrived(trace)
    exactly = (
        1.0 if isinstance(trace.value, int) and isinstance(came, float) else 1e-4
    )  # whole, so that all add up
    assert came == (None if trace.value is None else pytest.approx(trace.value, rel=1e-9, abs=exactly))
    assert answer_of(trace) == CASES[world, figure_id]
