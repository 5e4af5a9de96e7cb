"""Answers about the small past, row by row: each follows from hours, GPUs and rates of `tests/domain/worlds.py`.

k1 is paid 8 x 100 GPU-h and used 340: 200 of chat and 160 of sft less the 20 that overflowed, shared 4 to 16 by GPU
time. 70 hours have no training: 140 of 560 are used in them. A month is 7.3 windows."""

import pytest

from gpuplanner.app.past.audit_answers import ANSWERS
from gpuplanner.domain.evidence import unit_costs
from tests.arrived import arrived
from tests.domain import worlds
from tests.domain.tables import answer_of, cases_of

PAST = """
paid_hours::atlas 800 gpu_hours atlas GPU-h = 800 = 800 ...
  k1 | 8 | 100 | 800

paid_hours:idle:atlas 560 gpu_hours atlas GPU-h = 560 = 560 ...
  k1 | 8 | 70 | 560

paid_hours:busy:atlas 240 gpu_hours atlas GPU-h = 240 = 240 ...
  k1 | 8 | 30 | 240

paid_hours:day-2:atlas 192 gpu_hours atlas Wednesday GPU-h = 192 = 192 ...
  k1 | 8 | 24 | 192

paid_hours:hour-2-10:atlas 8 gpu_hours atlas Wednesday 10 11 GPU-h = 8 = 8 ...
  k1 | 8 | 1 | 8

paid_hours:busy:bora 0 gpu_hours bora GPU-h = 0 = 0 ...
  k2 | 2 | 0 | 0

used::atlas 340 gpu_hours atlas GPU-h = 1.296e+09 − 20 = 340 ...
  chat | 7.2e+08 | 4 | 196 -> jobs::atlas/team/chat
  sft | 5.76e+08 | 16 | 144 -> jobs::atlas/team/sft

used:idle:atlas 140 gpu_hours atlas GPU-h = 5.04e+08 − 0 = 140 ...
  chat | 5.04e+08 | 0 | 140 -> jobs:idle:atlas/team/chat

used::bora 100 gpu_hours bora GPU-h = 5.4e+08 − 50 = 100 ...
  dev | 5.4e+08 | 50 | 100 -> jobs::bora/team/dev

used:busy:atlas 200 gpu_hours atlas GPU-h = 7.92e+08 − 20 = 200 ...
  sft | 5.76e+08 | 16 | 144 -> jobs:busy:atlas/team/sft
  chat | 2.16e+08 | 4 | 56 -> jobs:busy:atlas/team/chat

used:day-2:atlas 104 gpu_hours atlas Wednesday GPU-h = 3.744e+08 − 0 = 104 ...
  sft | 2.016e+08 | 0 | 56 -> jobs:day-2:atlas/team/sft
  chat | 1.728e+08 | 0 | 48 -> jobs:day-2:atlas/team/chat

used:hour-2-10:atlas 6 gpu_hours atlas Wednesday 10 11 GPU-h = 2.16e+07 − 0 = 6 ...
  sft | 1.44e+07 | 0 | 4 -> jobs:hour-2-10:atlas/team/sft
  chat | 7.2e+06 | 0 | 2 -> jobs:hour-2-10:atlas/team/chat

utilization::atlas 0.425 share Utilization atlas = 340 ÷ 800 = 0.425 Allocation, not activity.
  used GPU-h | 340 -> used::atlas
  paid GPU-h | 800 -> paid_hours::atlas

utilization:idle:atlas 0.25 share Utilization atlas = 140 ÷ 560 = 0.25 Allocation, not activity.
  used GPU-h | 140 -> used:idle:atlas
  paid GPU-h | 560 -> paid_hours:idle:atlas

utilization:: 0.44 share Effective utilization all clusters = 440 ÷ 1000 = 0.44 Allocation, not activity.
  atlas | 340 | 800 | 0.425 -> utilization::atlas
  bora | 100 | 200 | 0.5 -> utilization::bora

utilization:idle: 0.315789 share Effective utilization all clusters = 240 ÷ 760 = 0.315789 Allocation, not
    activity.
  atlas | 140 | 560 | 0.25 -> utilization:idle:atlas
  bora | 100 | 200 | 0.5 -> utilization:idle:bora

utilization:busy: 0.833333 share Effective utilization all clusters = 200 ÷ 240 = 0.833333 Allocation, not
    activity.
  atlas | 200 | 240 | 0.833333 -> utilization:busy:atlas
  bora | 0 | 0 | - -> utilization:busy:bora

utilization:day-2: 0.533333 share Effective utilization all clusters Wednesday = 128 ÷ 240 = 0.533333
    Allocation, not activity.
  atlas | 104 | 192 | 0.541667 -> utilization:day-2:atlas
  bora | 24 | 48 | 0.5 -> utilization:day-2:bora

activity::atlas 0.666667 share atlas = 0.666667 ...
  chat | 200 | 0.8 | 160 -> jobs::atlas/team/chat
  sft | 160 | 0.5 | 80 -> jobs::atlas/team/sft

idle_hours::atlas 70 hours atlas ... = 100 − 30 = 70 ... -> training_workloads::atlas
  2026-07-01 | 24 | 14 | 10
  2026-07-02 | 24 | 6 | 18
  2026-07-03 | 24 | 10 | 14
  2026-07-04 | 24 | 0 | 24
  2026-07-05 | 4 | 0 | 4

cost::atlas 11680 usd Cost atlas per month = 11680 = 11680 ... ...
  k1 | 800 | 2 | 11680 -> contract_paid_hours::k1

cost:: 13140 usd Spend per month = 11680 + 1460 = 13140 ... ...
  atlas | 800 | 11680 -> cost::atlas
  bora | 200 | 1460 -> cost::bora

stranded_audit::atlas 8760 usd Stranded (audit estimate) atlas per month = 0.75 × 11680 = 8760 ...
  ... | 0.75 -> utilization:idle:atlas
  cost | 11680 -> cost::atlas

stranded_audit:: 9490 usd Stranded (audit estimate) per month = 8760 + 730 = 9490 ... (... 6862) (... 3650) ->
    idle:idle: -> scaled::
  atlas | 70 | 140 | 560 | 0.25 | 11680 | 8760 -> stranded_audit::atlas
  bora | 100 | 100 | 200 | 0.5 | 1460 | 730 -> stranded_audit::bora

idle:idle:atlas 6132 usd Stranded (metered) atlas per month = 6132 = 6132 ... ... ...
  k1 | 420 | 2 | 6132 -> contract_idle_hours:idle:k1

idle::atlas 6716 usd Unused atlas per month = 6716 = 6716 ... ...
  k1 | 460 | 2 | 6716 -> contract_idle_hours::k1

idle:busy:atlas 584 usd ... atlas per month = 584 = 584 ... ...
  k1 | 40 | 2 | 584 -> contract_idle_hours:busy:k1

idle:: 7446 usd Unused per month = 6716 + 730 = 7446 ... ...
  atlas | 460 | 6716 -> idle::atlas
  bora | 100 | 730 -> idle::bora

idle:idle: 6862 usd Stranded (metered) per month = 6132 + 730 = 6862 ... ... ...
  atlas | 420 | 6132 -> idle:idle:atlas
  bora | 100 | 730 -> idle:idle:bora

idle:busy: 584 usd ... per month = 584 + 0 = 584 ... ...
  atlas | 40 | 584 -> idle:busy:atlas
  bora | 0 | 0 -> idle:busy:bora

served::atlas 4964 usd Allocated to jobs atlas per month = 4964 = 4964 ...
  k1 | 340 | 2 | 4964 -> contract_used::k1

served:: 5694 usd Allocated to jobs per month = 4964 + 730 = 5694 ...
  atlas | 340 | 4964 -> served::atlas
  bora | 100 | 730 -> served::bora

served:idle: 2774 usd Allocated to jobs per month = 2044 + 730 = 2774 ...
  atlas | 140 | 2044 -> served:idle:atlas
  bora | 100 | 730 -> served:idle:bora

served:busy: 2920 usd Allocated to jobs per month = 2920 + 0 = 2920 ...
  atlas | 200 | 2920 -> served:busy:atlas
  bora | 0 | 0 -> served:busy:bora

served:day-2: 1693.6 usd Allocated to jobs per month = 1518.4 + 175.2 = 1693.6 ...
  atlas | 104 | 1518.4 -> served:day-2:atlas
  bora | 24 | 175.2 -> served:day-2:bora

served:hour-2-10: 102.2 usd Allocated to jobs per month = 87.6 + 14.6 = 102.2 ...
  atlas | 6 | 87.6 -> served:hour-2-10:atlas
  bora | 2 | 14.6 -> served:hour-2-10:bora

scaled::atlas 2628 usd ... atlas per month = 8760 − 6132 = 2628 ...
  stranded (audit estimate) | 8760 -> stranded_audit::atlas
  stranded (metered) | 6132 -> idle:idle:atlas

scaled:idle: 2628 usd ... per month = 2628 + 0 = 2628 ...
  atlas | 2628 -> scaled::atlas
  bora | 0 -> scaled::bora

contract_gpus::k1 8 gpus k1 under contract = 8 ...
  k1 | H100 | 8

contract_paid_hours::k1 800 gpu_hours Paid k1 GPU-h = 8 × 100 = 800 ...
  GPUs | 8 -> contract_gpus::k1
  hours it ran | 100

contract_paid_hours:idle:k1 560 gpu_hours Paid k1 GPU-h = 8 × 70 = 560 ...
  GPUs | 8 -> contract_gpus::k1
  hours it ran | 70

contract_paid_hours:busy:k1 240 gpu_hours Paid k1 GPU-h = 8 × 30 = 240 ...
  GPUs | 8 -> contract_gpus::k1
  hours it ran | 30

contract_paid_hours:day-2:k1 192 gpu_hours Paid k1 Wednesday GPU-h = 8 × 24 = 192 ...
  GPUs | 8 -> contract_gpus::k1
  hours it ran | 24

contract_paid_hours:hour-2-10:k1 8 gpu_hours Paid k1 Wednesday 10 11 GPU-h = 8 × 1 = 8 ...
  GPUs | 8 -> contract_gpus::k1
  hours it ran | 1

contract_paid_hours:busy:k2 0 gpu_hours Paid k2 GPU-h = 2 × 0 = 0 ...
  GPUs | 2 -> contract_gpus::k2
  hours it ran | 0

contract_used::k1 340 gpu_hours k1 GPU-h = 340 2 ...
  chat | 7.2e+08 | 196 -> jobs::atlas/team/chat
  sft | 5.76e+08 | 144 -> jobs::atlas/team/sft

contract_used::k2 100 gpu_hours k2 GPU-h = 100 1 ...
  dev | 5.4e+08 | 100 -> jobs::bora/team/dev

contract_used:idle:k1 140 gpu_hours k1 GPU-h = 140 1 ...
  chat | 5.04e+08 | 140 -> jobs:idle:atlas/team/chat

contract_used:busy:k1 200 gpu_hours k1 GPU-h = 200 2 ...
  sft | 5.76e+08 | 144 -> jobs:busy:atlas/team/sft
  chat | 2.16e+08 | 56 -> jobs:busy:atlas/team/chat

contract_used:day-2:k1 104 gpu_hours k1 Wednesday GPU-h = 104 2 ...
  sft | 2.016e+08 | 56 -> jobs:day-2:atlas/team/sft
  chat | 1.728e+08 | 48 -> jobs:day-2:atlas/team/chat

contract_used:hour-2-10:k1 6 gpu_hours k1 Wednesday 10 11 GPU-h = 6 2 ...
  sft | 1.44e+07 | 4 -> jobs:hour-2-10:atlas/team/sft
  chat | 7.2e+06 | 2 -> jobs:hour-2-10:atlas/team/chat

contract_utilization::k1 0.425 share Utilization k1 = 340 ÷ 800 = 0.425 ...
  used GPU-h | 340 -> contract_used::k1
  paid GPU-h | 800 -> contract_paid_hours::k1

contract_utilization:idle:k1 0.25 share Utilization k1 = 140 ÷ 560 = 0.25 ...
  used GPU-h | 140 -> contract_used:idle:k1
  paid GPU-h | 560 -> contract_paid_hours:idle:k1

contract_utilization:busy:k1 0.833333 share Utilization k1 = 200 ÷ 240 = 0.833333 ...
  used GPU-h | 200 -> contract_used:busy:k1
  paid GPU-h | 240 -> contract_paid_hours:busy:k1

contract_utilization:day-2:k1 0.541667 share Utilization k1 Wednesday = 104 ÷ 192 = 0.541667 ...
  used GPU-h | 104 -> contract_used:day-2:k1
  paid GPU-h | 192 -> contract_paid_hours:day-2:k1

contract_utilization:hour-2-10:k1 0.75 share Utilization k1 Wednesday 10 11 = 6 ÷ 8 = 0.75 ...
  used GPU-h | 6 -> contract_used:hour-2-10:k1
  paid GPU-h | 8 -> contract_paid_hours:hour-2-10:k1

contract_utilization:busy:k2 - share Utilization k2 = 0 ÷ 0 = - ...
  used GPU-h | 0 -> contract_used:busy:k2
  paid GPU-h | 0 -> contract_paid_hours:busy:k2

break_even::k1 0.5 share Break-even utilization k1 = 2 ÷ 4 = 0.5 ...
  rate paid | 2
  od | 4

break_even:day-2:k1 0.5 share Break-even utilization k1 Wednesday = 2 ÷ 4 = 0.5 ...
  rate paid | 2
  od | 4

break_even:hour-2-10:k1 0.5 share Break-even utilization k1 Wednesday 10 11 = 2 ÷ 4 = 0.5 ...
  rate paid | 2
  od | 4

contract_unused::k1 6716 usd Unused k1 per month = 460 × 2 ÷ 0.136986 = 6716 ... ...
  idle GPU-h | 460 -> contract_idle_hours::k1
  rate | 2
  ... | 0.136986

contract_unused:idle:k1 6132 usd Unused k1 per month = 420 × 2 ÷ 0.136986 = 6132 ... ...
  idle GPU-h | 420 -> contract_idle_hours:idle:k1
  rate | 2
  ... | 0.136986

contract_unused:busy:k1 584 usd Unused k1 per month = 40 × 2 ÷ 0.136986 = 584 ... ...
  idle GPU-h | 40 -> contract_idle_hours:busy:k1
  rate | 2
  ... | 0.136986

contract_unused:day-2:k1 1284.8 usd Unused k1 Wednesday per month = 88 × 2 ÷ 0.136986 = 1284.8 ... ...
  idle GPU-h | 88 -> contract_idle_hours:day-2:k1
  rate | 2
  ... | 0.136986

contract_unused:hour-2-10:k1 29.2 usd Unused k1 Wednesday 10 11 per month = 2 × 2 ÷ 0.136986 = 29.2 ... ...
  idle GPU-h | 2 -> contract_idle_hours:hour-2-10:k1
  rate | 2
  ... | 0.136986

contract_unused:busy:k2 0 usd Unused k2 per month = 0 × 1 ÷ 0.136986 = 0 ... ...
  idle GPU-h | 0 -> contract_idle_hours:busy:k2
  rate | 1
  ... | 0.136986

class_workloads::training 1 count Training Workloads = 1 1 ...
  sft | 1 | 1 | 5.76e+08 | 2569.6 -> jobs::atlas/team/sft

class_jobs::training 1 count Training Jobs = 1 1 ...
  sft | 1 | 1 | 5.76e+08 | 2569.6 -> jobs::atlas/team/sft

class_gpu_hours::training 5.76e+08 milli_gpu_seconds Training Demand GPU-h = 1 5.76e+08 ...
  sft | 1 | 1 | 5.76e+08 | 2569.6 -> jobs::atlas/team/sft

class_share::training 0.313725 share Share of GPU-hours Training = 160 ÷ 510 = 0.313725 ...
  class GPU-hours | 160 -> class_gpu_hours::training
  all lookback GPU-hours | 510 -> classes::

class_cost::training 2569.6 usd Training Cost per month = 1 2569.6 ...
  sft | 1 | 1 | 5.76e+08 | 2569.6 -> workload_cost::atlas/team/sft

energy_kwh::contract~k1 3797.52 count Energy k1 kWh per month = 2921.17 × 1.3 = 3797.52 0.3 0.7 0.8 A100 0.5
    H100 1
  GPU kWh | 2921.17
  PUE | 1.3

energy_kwh:: 4640.61 count Energy = 4 4640.61
  k1 | 3797.52 -> energy_kwh::contract~k1
  k2 | 521.95 -> energy_kwh::contract~k2
  atlas | 131.342 -> energy_kwh::overflow~atlas
  bora | 189.8 -> energy_kwh::overflow~bora

energy_co2::contract~k1 - count CO2 k1 kg per month = - × 1.3 = - 0.3 0.7 0.8 A100 0.5 H100 1
  GPU CO2 | -
  PUE | 1.3

energy_co2:: - count CO2 = 4 -
  k1 | - -> energy_co2::contract~k1
  k2 | - -> energy_co2::contract~k2
  atlas | - -> energy_co2::overflow~atlas
  bora | - -> energy_co2::overflow~bora

energy_peak::contract~k1 10.556 decimal Largest hour the window kW = 8.12 × 1.3 = 10.556 2026-07-03 12:00 0.3
    0.7 0.8 A100 0.5 H100 1
  GPU kW | 8.12
  PUE | 1.3

energy_peak:idle: 10.556 decimal Largest hour the window kW = 8.12 × 1.3 = 10.556 2026-07-03 12:00 0.3 0.7 0.8
    A100 0.5 H100 1
  GPU kW | 8.12
  PUE | 1.3

energy_peak:day-2: 10.556 decimal Largest hour the window kW = 8.12 × 1.3 = 10.556 2026-07-03 12:00 0.3 0.7
    0.8 A100 0.5 H100 1
  GPU kW | 8.12
  PUE | 1.3

leak::idle_tail:atlas 5256 usd Idle after training atlas per month = 360 ... × 2 per GPU-h 0.136986 5256 ...
    ...
  k1 | 460 | 360 | 2628 | 2 | 5256 -> contract_idle_hours::k1

leak::contention:atlas 584 usd Hours over capacity atlas per month = 20 ... × 4 per GPU-h 0.136986 584 ... 10
    10
  sft | 160 | 16 | 116.8 | 4 | 467.2 -> jobs::atlas/team/sft
  chat | 200 | 4 | 29.2 | 4 | 116.8 -> jobs::atlas/team/chat

leak:idle:idle_tail:atlas 5256 usd Idle after training atlas per month = 360 ... × 2 per GPU-h 0.136986 5256
    ... ...
  k1 | 460 | 360 | 2628 | 2 | 5256 -> contract_idle_hours::k1

leak:hour-2-10:idle_tail:atlas 5256 usd Idle after training atlas per month = 360 ... × 2 per GPU-h 0.136986
    5256 ... ...
  k1 | 460 | 360 | 2628 | 2 | 5256 -> contract_idle_hours::k1

leak_hours::idle_tail:atlas 2628 gpu_hours Idle after training atlas GPU-h per month = 360 ... 0.136986 2628
    ... ...
  k1 | 460 | 360 | 2628 | 2 | 5256 -> contract_idle_hours::k1

leak_hours::contention:atlas 146 gpu_hours Hours over capacity atlas GPU-h per month = 20 ... 0.136986 146 ...
    10 10
  sft | 160 | 16 | 116.8 | 4 | 467.2 -> jobs::atlas/team/sft
  chat | 200 | 4 | 29.2 | 4 | 116.8 -> jobs::atlas/team/chat

leak_hours:idle:idle_tail:atlas 2628 gpu_hours Idle after training atlas GPU-h per month = 360 ... 0.136986
    2628 ... ...
  k1 | 460 | 360 | 2628 | 2 | 5256 -> contract_idle_hours::k1

leak_hours:hour-2-10:idle_tail:atlas 2628 gpu_hours Idle after training atlas GPU-h per month = 360 ...
    0.136986 2628 ... ...
  k1 | 460 | 360 | 2628 | 2 | 5256 -> contract_idle_hours::k1

training_workloads::atlas 1 count atlas = 1 workloads ...
  sft | 30 | 5.76e+08 -> jobs::atlas/team/sft

contract_idle_hours:idle:k1 420 gpu_hours Idle k1 GPU-h = 560 − 140 = 420
  paid GPU-h | 560 -> contract_paid_hours:idle:k1
  used GPU-h | 140 -> contract_used:idle:k1

contract_idle_hours::k1 460 gpu_hours Idle k1 GPU-h = 800 − 340 = 460
  paid GPU-h | 800 -> contract_paid_hours::k1
  used GPU-h | 340 -> contract_used::k1

contract_idle_hours:busy:k1 40 gpu_hours Idle k1 GPU-h = 240 − 200 = 40
  paid GPU-h | 240 -> contract_paid_hours:busy:k1
  used GPU-h | 200 -> contract_used:busy:k1

contract_idle_hours:day-2:k1 88 gpu_hours Idle k1 Wednesday GPU-h = 192 − 104 = 88
  paid GPU-h | 192 -> contract_paid_hours:day-2:k1
  used GPU-h | 104 -> contract_used:day-2:k1

contract_idle_hours:hour-2-10:k1 2 gpu_hours Idle k1 Wednesday 10 11 GPU-h = 8 − 6 = 2
  paid GPU-h | 8 -> contract_paid_hours:hour-2-10:k1
  used GPU-h | 6 -> contract_used:hour-2-10:k1

contract_idle_hours:busy:k2 0 gpu_hours Idle k2 GPU-h = 0 − 0 = 0
  paid GPU-h | 0 -> contract_paid_hours:busy:k2
  used GPU-h | 0 -> contract_used:busy:k2

classes:: 1.836e+09 milli_gpu_seconds GPU-hours by class GPU-h = 1.836e+09 ... ... ...
  Training | 1 | 1 | 5.76e+08 | 0.313725 -> class_gpu_hours::training
  Inference | 1 | 1 | 7.2e+08 | 0.392157 -> class_gpu_hours::inference
  Burst | 1 | 1 | 5.4e+08 | 0.294118 -> class_gpu_hours::burst

workload_cost::atlas/team/sft 2569.6 usd sft per month = 2569.6 = 2569.6 ... -> jobs::atlas/team/sft
  1 | 160 | 2.2 | 2569.6

gpus:: 10 gpus GPUs under contract = 8 + 2 = 10 ...
  k1 | H100 | 8
  k2 | A100 | 2

below_40:: 0 count Under 40% 2 = 0 2 ...
  k1 | 340 | 800 | 0.425 | 0.5 | 0 -> contract_utilization::k1
  k2 | 100 | 200 | 0.5 | 0.125 | 0 -> contract_utilization::k2

contracts_unused:: 7446 usd ... per month = 7446 ... ...
  k1 | 460 | 6716 -> contract_unused::k1
  k2 | 100 | 730 -> contract_unused::k2

cluster_break_even::atlas 0.5 share Break-even utilization atlas = 2 ÷ 4 = 0.5 ... -> break_even::k1
  rate paid | 2
  ... | 4

overflow::atlas 584 usd atlas per month = 467.2 + 116.8 = 584 ... ... -> used::atlas
  Training H100 | 16 | 4 | 467.2
  Inference H100 | 4 | 4 | 116.8

spend:: 16644 usd Spend per month = 11680 + 584 + 1460 + 2920 = 16644 ...
  atlas | 800 | 11680 -> cost::atlas
  atlas | 20 | 584 -> overflow::atlas
  bora | 200 | 1460 -> cost::bora
  bora | 50 | 2920 -> overflow::bora

lock_in_now:: 11.5677 decimal ... $-weighted months = 152000 ÷ 13140 = 11.5677 months ...
  k1 | 11680 | 13.0137 | 152000
  k2 | 1460 | 0 | 0

longest_now:: 13 exact Longest commitment today months = 13 k1 ...
  k1 | 13

review:: 0 usd Workloads in review per month = 0 0 ...

workloads_of_all:: 3 count Workloads = 3
  Training | 1 -> class_workloads::training
  Inference | 1 -> class_workloads::inference
  Burst | 1 -> class_workloads::burst

jobs_of_all:: 3 count Jobs = 3
  Training | 1 -> class_jobs::training
  Inference | 1 -> class_jobs::inference
  Burst | 1 -> class_jobs::burst

workloads_cost:: 9198 usd Cost per month = 9198
  Training | 2569.6 -> class_cost::training
  Inference | 2978.4 -> class_cost::inference
  Burst | 3650 -> class_cost::burst

fit:red:training 1 count Training does not fit workloads = 1 ...
  sft | H100 | Own cluster 80 Memory per GPU 80 141 Bare metal ... | 5.76e+08 | 2569.6 -> jobs::atlas/team/sft

fit:green:inference 1 count Inference fits workloads = 1 ...
  chat | H100 | nothing amiss | 7.2e+08 | 2978.4 -> jobs::atlas/team/chat

fit:amber:burst 1 count Burst over-specified workloads = 1 ...
  dev | A100 | Commitment length has no end 50 | 5.4e+08 | 3650 -> jobs::bora/team/dev

fit:green:training 0 count Training fits workloads = 0 ...

fit:amber:training 0 count Training over-specified workloads = 0 ...

fit:red:inference 0 count Inference does not fit workloads = 0 ...

fit_cost:red:training 2569.6 usd Training does not fit per month = 1 : 2569.6 ...
  sft | H100 | Own cluster 80 Memory per GPU 80 141 Bare metal ... | 5.76e+08 | 2569.6 ->
      workload_cost::atlas/team/sft

fit_cost:green:inference 2978.4 usd Inference fits per month = 1 : 2978.4 ...
  chat | H100 | nothing amiss | 7.2e+08 | 2978.4 -> workload_cost::atlas/team/chat

fit_cost:amber:burst 3650 usd Burst over-specified per month = 1 : 3650 ...
  dev | A100 | Commitment length has no end 50 | 5.4e+08 | 3650 -> workload_cost::bora/team/dev

fit_cost:green:training 0 usd Training fits per month = 0 : 0 ...

fit_cost:amber:training 0 usd Training over-specified per month = 0 : 0 ...

fit_cost:red:inference 0 usd Inference does not fit per month = 0 : 0 ...

leaks:: 9490 usd ... per month = 4 9490 ...
  Idle after training atlas | 2628 | 5256 | 2628 | 5256 -> leak::idle_tail:atlas
  Hours over capacity atlas | 146 | 584 | 146 | 584 -> leak::contention:atlas
  Hours over capacity bora | 365 | 2920 | 365 | 2920 -> leak::contention:bora
  ... bora | 730 | 730 | 730 | 730 -> leak::permanent_burst:bora

leaks_dismissed:: 0 usd Dismissed per month = 0 0 ...

worth:: 9490 usd Worth acting on per month = 4 9490 ...
  Idle after training atlas | 2628 | 5256 | 2628 | 5256 -> leak::idle_tail:atlas
  Hours over capacity atlas | 146 | 584 | 146 | 584 -> leak::contention:atlas
  Hours over capacity bora | 365 | 2920 | 365 | 2920 -> leak::contention:bora
  ... bora | 730 | 730 | 730 | 730 -> leak::permanent_burst:bora

leaks_hours:: 3869 gpu_hours ... GPU-h per month = 4 3869 ...
  Idle after training atlas | 2628 | 5256 | 2628 | 5256 -> leak_hours::idle_tail:atlas
  Hours over capacity atlas | 146 | 584 | 146 | 584 -> leak_hours::contention:atlas
  Hours over capacity bora | 365 | 2920 | 365 | 2920 -> leak_hours::contention:bora
  ... bora | 730 | 730 | 730 | 730 -> leak_hours::permanent_burst:bora

leaks_dismissed_hours:: 0 gpu_hours Dismissed GPU-h per month = 0 0 ...

worth_hours:: 3869 gpu_hours Worth acting on GPU-h per month = 4 3869 ...
  Idle after training atlas | 2628 | 5256 | 2628 | 5256 -> leak_hours::idle_tail:atlas
  Hours over capacity atlas | 146 | 584 | 146 | 584 -> leak_hours::contention:atlas
  Hours over capacity bora | 365 | 2920 | 365 | 2920 -> leak_hours::contention:bora
  ... bora | 730 | 730 | 730 | 730 -> leak_hours::permanent_burst:bora

leak_sum:gpu_hours:idle_tail:atlas 360 gpu_hours Idle after training atlas Leaked ... = 1 360 ...
  k1 | 360 -> leak_part:gpu_hours:idle_tail:atlas~k1

leak_sum:leaked_per_month:idle_tail:atlas 5256 usd Idle after training atlas Leaked $ per month = 1 5256 ...
  k1 | 5256 -> leak_part:leaked_per_month:idle_tail:atlas~k1

leak_sum:gpu_hours:contention:atlas 20 gpu_hours Hours over capacity atlas Leaked ... = 2 20 ...
  sft | 16 -> leak_part:gpu_hours:contention:atlas~atlas/team/sft
  chat | 4 -> leak_part:gpu_hours:contention:atlas~atlas/team/chat

leak_sum:leaked_per_month:contention:atlas 584 usd Hours over capacity atlas Leaked $ per month = 2 584 ...
  sft | 467.2 -> leak_part:leaked_per_month:contention:atlas~atlas/team/sft
  chat | 116.8 -> leak_part:leaked_per_month:contention:atlas~atlas/team/chat

transit:: - ms ... ms one way = 0 0 0 ... - unknown 200 1.6 2

leak_part:gpu_hours:idle_tail:atlas~k1 360 gpu_hours Leaked ... k1 = 360 paid and idle ...
  paid and idle | 360 -> contract_idle_hours::k1

leak_part:leaked_per_month:idle_tail:atlas~k1 5256 usd Leaked k1 per month = 360 × 2 ÷ 0.136986 = 5256 ...
  leaked GPU-h | 360 -> leak_part:gpu_hours:idle_tail:atlas~k1
  rate | 2
  ... | 0.136986
"""
COSTS = """
run_hours::atlas/team/sft~1783080000 80 gpu_hours GPU-hours sft = 80 the job log
  the job log | 80 -> jobs::atlas/team/sft

run_gpus::atlas/team/sft~1783080000 8 gpus Mean GPUs sft = 80 ÷ 10 = 8
  run GPU-hours | 80 -> run_hours::atlas/team/sft~1783080000
  hours it ran | 10

run_usd::atlas/team/sft~1783080000 192 usd Cost sft ... = 2 192 ...
  k1 | 64 | 2 | 128
  H100 | 16 | 4 | 64

run_usd::atlas/team/sft~1782900000 160 usd Cost sft ... = 1 160 ...
  k1 | 80 | 2 | 160

run_kwh::atlas/team/sft~1783080000 67.6 count Run energy sft kWh = 986.96 × 0.136986 × 80 ÷ 160 = 67.6
  workload energy | 986.96 -> energy_kwh::workload~atlas/team/sft
  ... | 0.136986
  run GPU-hours | 80 -> run_hours::atlas/team/sft~1783080000
  all its GPU-hours | 160

run_co2::atlas/team/sft~1783080000 - count Run CO2 sft kg = - × 0.136986 × 80 ÷ 160 = -
  workload CO2 | - -> energy_co2::workload~atlas/team/sft
  ... | 0.136986
  run GPU-hours | 80 -> run_hours::atlas/team/sft~1783080000
  all its GPU-hours | 160

model_hours::unknown~ 510 gpu_hours GPU-hours unknown model = 3 510
  bora/team/dev | 1 | 150 | 3650 -> part_usd::unknown~~bora/team/dev
  atlas/team/chat | 1 | 200 | 2978.4 -> part_usd::unknown~~atlas/team/chat
  atlas/team/sft | 1 | 160 | 2569.6 -> part_usd::unknown~~atlas/team/sft

model_usd::unknown~ 9198 usd Cost unknown model per month = 3 9198
  bora/team/dev | 1 | 150 | 3650 -> part_usd::unknown~~bora/team/dev
  atlas/team/chat | 1 | 200 | 2978.4 -> part_usd::unknown~~atlas/team/chat
  atlas/team/sft | 1 | 160 | 2569.6 -> part_usd::unknown~~atlas/team/sft

model_workloads::unknown~ 3 count Workloads unknown model = 3 3
  bora/team/dev | 1 | 150 | 3650 -> part_usd::unknown~~bora/team/dev
  atlas/team/chat | 1 | 200 | 2978.4 -> part_usd::unknown~~atlas/team/chat
  atlas/team/sft | 1 | 160 | 2569.6 -> part_usd::unknown~~atlas/team/sft

endpoint_usd::atlas/team/chat 2978.4 usd Cost chat per month = 7 2978.4
  Monday | 0
  Tuesday | 0
  Wednesday | 700.8
  Thursday | 700.8
  Friday | 759.2
  Saturday | 700.8
  Sunday | 116.8

endpoint_idle::atlas/team/chat 595.68 usd Inactive cost chat per month = 2978.4 − 2978.4 × 0.8 = 595.68
  cost | 2978.4 -> endpoint_usd::atlas/team/chat
  activity | 0.8

endpoint_idle:workload:atlas/team/chat 595.68 usd Inactive cost chat per month = 2978.4 − 2978.4 × 0.8 =
    595.68
  cost | 2978.4 -> endpoint_usd::atlas/team/chat
  activity | 0.8

endpoint_tokens::atlas/team/chat 108.8 rate ... chat = 408 ÷ ( 3e+06 + 750000 ) × 1e+06 = 108.8 ...
  ... | 408
  tokens read | 3e+06
  tokens generated | 750000

endpoint_premium::atlas/team/chat 2440.78 usd Consolidation premium chat per month = ( 938.353 − 604 ) ÷
    0.136986 = 2440.78 4.69176 3.02
  ... | 938.353 -> endpoint_paid::atlas/team/chat
  ya, od | 604 -> endpoint_at_offer::atlas/team/chat
  ... | 0.136986

endpoint_premium:workload:atlas/team/chat 2440.78 usd Consolidation premium chat per month = ( 938.353 − 604 )
    ÷ 0.136986 = 2440.78 4.69176 3.02
  ... | 938.353 -> endpoint_paid::atlas/team/chat
  ya, od | 604 -> endpoint_at_offer::atlas/team/chat
  ... | 0.136986

business_usd::orders~2026-07~ 2280 usd orders 2026-07 = 2280 100
  100 | 2280

business_each::orders~2026-07~ 16.9632 each Spend per unit orders 2026-07 = 2280 ÷ ( 1000 × 0.134409 ) =
    16.9632 ...
  ... | 2280 -> business_usd::orders~2026-07~
  its count | 1000
  ... | 0.134409

business_each:workload:orders~2026-07~ 16.9632 each Spend per unit orders 2026-07 = 2280 ÷ ( 1000 × 0.134409 )
    = 16.9632 ...
  ... | 2280 -> business_usd::orders~2026-07~
  its count | 1000
  ... | 0.134409

business_unserved::orders~2026-07~ - gpu_hours orders 2026-07 = - ... ...
  ... | -

charge_total:team:=team 1680 usd Charged team = 680 + 920 + 80 = 1680
  direct | 680 -> charge_direct:team:=team
  shared idle | 920 -> charge_idle:team:=team
  overflow | 80 -> charge_overflow:team:=team

charge_total:workload:=atlas/team/chat 919.111 usd Charged atlas/team/chat = 392 + 511.111 + 16 = 919.111
  direct | 392 -> charge_direct:workload:=atlas/team/chat
  shared idle | 511.111 -> charge_idle:workload:=atlas/team/chat
  overflow | 16 -> charge_overflow:workload:=atlas/team/chat

charge_total:model:unnamed 2280 usd Charged Unknown model = 780 + 1020 + 480 = 2280
  direct | 780 -> charge_direct:model:unnamed
  shared idle | 1020 -> charge_idle:model:unnamed
  overflow | 480 -> charge_overflow:model:unnamed

charge_total:endpoint:unnamed 1360.89 usd Charged Work without endpoint = 388 + 508.889 + 464 = 1360.89
  direct | 388 -> charge_direct:endpoint:unnamed
  shared idle | 508.889 -> charge_idle:endpoint:unnamed
  overflow | 464 -> charge_overflow:endpoint:unnamed

charge_budget:team:=team 68.4932 usd Budget team = 500 × 0.136986 = 68.4932
  budget per month | 500
  ... | 0.136986

charge_budget:team:nobody - usd Budget Nobody = - × 0.136986 = -
  budget per month | -
  ... | 0.136986

charge_left:team:=team -1611.51 usd Budget left team = 68.4932 − 1680 = -1611.51
  budget | 68.4932 -> charge_budget:team:=team
  charged | 1680 -> charge_total:team:=team

charge_left:team:nobody - usd Budget left Nobody = - − 600 = -
  budget | - -> charge_budget:team:nobody
  charged | 600 -> charge_total:team:nobody

charge_hours:team:=team 360 gpu_hours GPU-hours team ... = 2 360
  atlas/team/sft | 160 -> jobs::atlas/team/sft
  atlas/team/chat | 200 -> jobs::atlas/team/chat

charge_hours:team:nobody 150 gpu_hours GPU-hours Nobody ... = 1 150
  bora/team/dev | 150 -> jobs::bora/team/dev

charge_hours:workload:=atlas/team/chat 200 gpu_hours GPU-hours atlas/team/chat ... = 1 200
  atlas/team/chat | 200 -> jobs::atlas/team/chat

charge_hours:workload:all 510 gpu_hours GPU-hours All ... = 3 510
  atlas/team/chat | 200 -> jobs::atlas/team/chat
  atlas/team/sft | 160 -> jobs::atlas/team/sft
  bora/team/dev | 150 -> jobs::bora/team/dev

charge_hours:model:unnamed 510 gpu_hours GPU-hours Unknown model ... = 3 510
  atlas/team/sft | 160 -> jobs::atlas/team/sft
  atlas/team/chat | 200 -> jobs::atlas/team/chat
  bora/team/dev | 150 -> jobs::bora/team/dev

charge_hours:endpoint:unnamed 310 gpu_hours GPU-hours Work without endpoint ... = 2 310
  atlas/team/sft | 160 -> jobs::atlas/team/sft
  bora/team/dev | 150 -> jobs::bora/team/dev

charge_direct:team:=team 680 usd Direct team ... = 2 680
  atlas/team/sft | 288 -> charge_direct:workload:=atlas/team/sft
  atlas/team/chat | 392 -> charge_direct:workload:=atlas/team/chat

charge_direct:team:nobody 100 usd Direct Nobody ... = 1 100
  bora/team/dev | 100 -> charge_direct:workload:=bora/team/dev

charge_direct:workload:=atlas/team/chat 392 usd Direct atlas/team/chat ... = 1 392 ...
  k1 | 196 | 2 | 392

charge_direct:workload:all 780 usd Direct All ... = 3 780
  atlas/team/chat | 392 -> charge_direct:workload:=atlas/team/chat
  atlas/team/sft | 288 -> charge_direct:workload:=atlas/team/sft
  bora/team/dev | 100 -> charge_direct:workload:=bora/team/dev

charge_direct:model:unnamed 780 usd Direct Unknown model ... = 3 780
  atlas/team/sft | 288 -> charge_direct:workload:=atlas/team/sft
  atlas/team/chat | 392 -> charge_direct:workload:=atlas/team/chat
  bora/team/dev | 100 -> charge_direct:workload:=bora/team/dev

charge_direct:endpoint:unnamed 388 usd Direct Work without endpoint ... = 2 388
  atlas/team/sft | 288 -> charge_direct:workload:=atlas/team/sft
  bora/team/dev | 100 -> charge_direct:workload:=bora/team/dev

charge_idle:team:=team 920 usd Shared idle team ... = 1 920 by GPU-hours
  atlas | 920 | 360 | 360 | 920

charge_idle:team:all 1020 usd Shared idle All ... = 3 1020 by GPU-hours
  atlas/team/sft | 408.889 -> charge_idle:workload:=atlas/team/sft
  atlas/team/chat | 511.111 -> charge_idle:workload:=atlas/team/chat
  bora/team/dev | 100 -> charge_idle:workload:=bora/team/dev

charge_idle:workload:=atlas/team/chat 511.111 usd Shared idle atlas/team/chat ... = 1 511.111 by GPU-hours
  atlas/team/chat | 511.111

charge_idle:workload:all 1020 usd Shared idle All ... = 3 1020 by GPU-hours
  atlas/team/chat | 511.111 -> charge_idle:workload:=atlas/team/chat
  atlas/team/sft | 408.889 -> charge_idle:workload:=atlas/team/sft
  bora/team/dev | 100 -> charge_idle:workload:=bora/team/dev

charge_idle:model:unnamed 1020 usd Shared idle Unknown model ... = 3 1020 by GPU-hours
  atlas/team/sft | 408.889 -> charge_idle:workload:=atlas/team/sft
  atlas/team/chat | 511.111 -> charge_idle:workload:=atlas/team/chat
  bora/team/dev | 100 -> charge_idle:workload:=bora/team/dev

charge_idle:endpoint:unnamed 508.889 usd Shared idle Work without endpoint ... = 2 508.889 by GPU-hours
  atlas/team/sft | 408.889 -> charge_idle:workload:=atlas/team/sft
  bora/team/dev | 100 -> charge_idle:workload:=bora/team/dev

charge_overflow:team:=team 80 usd Overflow team ... = 2 80
  atlas/team/sft | 64 -> charge_overflow:workload:=atlas/team/sft
  atlas/team/chat | 16 -> charge_overflow:workload:=atlas/team/chat

charge_overflow:team:nobody 400 usd Overflow Nobody ... = 1 400
  bora/team/dev | 400 -> charge_overflow:workload:=bora/team/dev

charge_overflow:workload:=atlas/team/chat 16 usd Overflow atlas/team/chat ... = 1 16 ...
  H100 | 4 | 4 | 16

charge_overflow:workload:all 480 usd Overflow All ... = 3 480
  atlas/team/chat | 16 -> charge_overflow:workload:=atlas/team/chat
  atlas/team/sft | 64 -> charge_overflow:workload:=atlas/team/sft
  bora/team/dev | 400 -> charge_overflow:workload:=bora/team/dev

charge_overflow:model:unnamed 480 usd Overflow Unknown model ... = 3 480
  atlas/team/sft | 64 -> charge_overflow:workload:=atlas/team/sft
  atlas/team/chat | 16 -> charge_overflow:workload:=atlas/team/chat
  bora/team/dev | 400 -> charge_overflow:workload:=bora/team/dev

charge_overflow:endpoint:unnamed 464 usd Overflow Work without endpoint ... = 2 464
  atlas/team/sft | 64 -> charge_overflow:workload:=atlas/team/sft
  bora/team/dev | 400 -> charge_overflow:workload:=bora/team/dev

changed:before:atlas 11680 usd Cost atlas  before per month = 800 × 730 ÷ 50 = 11680 ...
  paid in period | 800
  ... | 730
  period hours | 50

changed:before: 13140 usd Before per month = 2 13140
  atlas | 11680 -> changed:before:atlas
  bora | 1460 -> changed:before:bora

changed:volume:atlas -1297.78 usd Volume atlas per month = 2 -1297.78
  atlas/team/sft | -233.6 | -1038.22 -> volume_usd:atlas:atlas/team/sft
  atlas/team/chat | -58.4 | -259.556 -> volume_usd:atlas:atlas/team/chat

changed:volume: -1297.78 usd Volume per month = 2 -1297.78
  atlas | -1297.78 -> changed:volume:atlas
  bora | 0 -> changed:volume:bora

changed:efficiency:atlas 1297.78 usd Efficiency atlas per month = 1 1297.78
  k1 | 1297.78 -> contract_change:efficiency:k1

changed:efficiency: 1297.78 usd Efficiency per month = 2 1297.78
  atlas | 1297.78 -> changed:efficiency:atlas
  bora | 0 -> changed:efficiency:bora

part_usd::unknown~~bora/team/dev 3650 usd Cost bora/team/dev per month = 3650 × 150 ÷ 150 = 3650 ...
  workload cost | 3650 -> workload_cost::bora/team/dev
  Lookback GPU-hours | 150 -> part_hours::unknown~~bora/team/dev
  all its GPU-hours | 150 -> jobs::bora/team/dev

endpoint_paid::atlas/team/chat 938.353 usd ... chat ... = 2 938.353
  H100 | 196 | 2 | 0.425 | 922.353
  H100 | 4 | 4 | 1 | 16

endpoint_at_offer::atlas/team/chat 604 usd At the offer chat ... = 2 604
  H100 ya | 196 | 3 | 1 | 588
  H100 od | 4 | 4 | 1 | 16

volume_usd:atlas:atlas/team/sft -1038.22 usd Volume atlas/team/sft per month = -233.6 × 4.44444 = -1038.22
  ... | -233.6 -> volume_hours:atlas:atlas/team/sft
  ... | 4.44444

contract_change:efficiency:k1 1297.78 usd Efficiency k1 per month = ( 3504 − 3212 × 0.888889 ) × 2 = 1297.78
    ...
  idle after | 3504
  idle before | 3212
  use growth | 0.888889
  ... | 2

contract_change:idle:k1 292 gpu_hours Idle k1 per month = 3504 − 3212 = 292
  idle after | 3504
  idle before | 3212

contract_change:price:k1 0 usd Price k1 per month = ( 5840 − 5840 × 1 ) × ( 2 − 2 ) = 0 ...
  paid after | 5840
  paid before | 5840
  ... | 1
  its rate | 2
  mean rate before | 2

contract_change:efficiency:k2 0 usd Efficiency k2 per month = ( 730 − 730 × 1 ) × 1 = 0 ...
  idle after | 730
  idle before | 730
  use growth | 1
  ... | 1

contract_change:idle:k2 0 gpu_hours Idle k2 per month = 730 − 730 = 0
  idle after | 730
  idle before | 730

part_hours::unknown~~bora/team/dev 150 gpu_hours GPU-hours bora/team/dev = 150 the job log
  the job log | 150 -> jobs::bora/team/dev

volume_hours:atlas:atlas/team/sft -233.6 gpu_hours Added GPU-hours atlas/team/sft per month = 934.4 − 1168 =
    -233.6
  used after | 934.4 -> jobs::atlas/team/sft
  used before | 1168 -> jobs::atlas/team/sft

retrain_runs::atlas/team/sft 2 count sft = 2 2
  2026-07-01 | 1 | 80 | 160 -> run_usd::atlas/team/sft~1782900000
  2026-07-03 | 1 | 80 | 192 -> run_usd::atlas/team/sft~1783080000

retrain_days::atlas/team/sft 2.08333 decimal sft = 2.08333 1 24 2.1
  1 24 | 2.08333

retrain_usd::atlas/team/sft 176 usd Cost per run sft ... = 352 ÷ 2 = 176
  cost of runs | 352
  its runs | 2 -> retrain_runs::atlas/team/sft
"""
OF = {
    "PAST": (PAST, ANSWERS, lambda: worlds.evidence_of_past()),
    "COSTS": (COSTS, unit_costs.WHY, lambda: worlds.evidence_of_costs()),
}
CASES = cases_of(OF)


@pytest.mark.parametrize(("world", "figure_id"), CASES)
def test_an_answer_is_what_hours_gpus_and_rates_come_to(world: str, figure_id: str) -> None:
    _, answers, evidence = OF[world]
    trace = answers.answer(evidence(), figure_id)
    came = arrived(trace)
    assert came == (None if trace.value is None else pytest.approx(trace.value, rel=1e-9, abs=1e-4))
    assert answer_of(trace) == CASES[world, figure_id]
