"""Answers about figures of reports, row by row: of a past, of cash, of a month of the log and of waits.

Inference at the published split would cost four times training: 4 x $2,569.60. The gangs wait 0, 9, 18, 27 and 36 h."""

import pytest

from gpuplanner.domain.evidence.outcomes import OF_MONTHS, OF_PAYMENTS, OF_WAITS, Told
from gpuplanner.domain.evidence.past import WHY
from gpuplanner.domain.queue.rows import log_waits
from tests.arrived import arrived
from tests.domain import worlds
from tests.domain.reports.test_rows_by_hand import months
from tests.domain.tables import answer_of, cases_of

MIX = """
useful_rate::atlas/team/sft 4.4 rate Useful GPU-hour sft = 2569.6 ÷ ( 1168 × 0.5 ) = 4.4
  cost per month | 2569.6 -> held_usd::atlas/team/sft
  its GPU-hours | 1168 -> held_hours::atlas/team/sft
  activity | 0.5 -> held_activity::atlas/team/sft

useful_rate::atlas/team/chat 2.55 rate Useful GPU-hour chat = 2978.4 ÷ ( 1460 × 0.8 ) = 2.55
  cost per month | 2978.4 -> held_usd::atlas/team/chat
  its GPU-hours | 1460 -> held_hours::atlas/team/chat
  activity | 0.8 -> held_activity::atlas/team/chat

held_activity::atlas/team/sft 0.5 share Activity sft = 0.5 ...
  ... | 0.5

held_activity::atlas/team/chat 0.8 share Activity chat = 0.8 ...
  ... | 0.8

held_hours::atlas/team/sft 1168 gpu_hours GPU-hours sft = 1168 its jobs
  its jobs | 1168

held_hours::atlas/team/chat 1460 gpu_hours GPU-hours chat = 1460 its jobs
  its jobs | 1460

held_usd::atlas/team/sft 2569.6 usd Cost sft = 2569.6 ...
  ... | 2569.6

held_usd::atlas/team/chat 2978.4 usd Cost chat = 2978.4 ...
  ... | 2978.4

idle_nights::team 795.174 usd Idle nights team = 2 795.174
  sft | 449.68
  chat | 345.494

idle_nights::nobody - usd Idle nights nobody = 1 -
  dev | -

idle_nights:: 0 usd Idle nights = 0 0

idle_nights_known::team 795.174 usd At least team = 2 795.174
  sft | 449.68
  chat | 345.494

idle_nights_known::nobody 0 usd At least nobody = 0 0

idle_nights_known:: 0 usd At least = 0 0

held_nights::nobody 635.1 gpu_hours ... nobody = 1 635.1
  dev | 635.1

held_nights::team 1255.6 gpu_hours ... team = 2 1255.6
  sft | 408.8
  chat | 846.8

held_nights:: 0 gpu_hours ... = 0 0

past_run_idle_hours:idle_tails:atlas~~1782972000 30 decimal Idle for sft h = 30 ...
  ... | 30

tail_gpu_hours:idle_tails:atlas~~1782972000 180 gpu_hours Leaked sft GPU-h = 180 ...
  ... | 180

tail_leaked_per_month:idle_tails:atlas~~1782972000 2628 usd Leaked sft per month = 360 ÷ 0.136986 = 2628
  Leaked | 360
  ... | 0.136986

published_own::inference_share 0.32381 share ... = 2978.4 ÷ 9198 = 0.32381
  Class cost | 2978.4
  ... | 9198

published_own::inference_to_training 0.536842 share ... = 2978.4 ÷ 5548 = 0.536842
  Class cost | 2978.4
  ... | 5548

published_own::inference_activity 0.8 share ... = 0.8 ...
  ... | 0.8

published_at_long_run::inference_to_training 10278.4 usd Inference at 80:20 ... per month = 2569.6 × 4 =
    10278.4
  Training cost | 2569.6 -> class_cost::training

published_at_long_run::inference_share - usd Inference at 80:20 ... per month = - × 4 = -
  Training cost | - -> class_cost::training

published_to_long_run::inference_to_training 7300 usd Increase ... per month = 10278.4 − 2978.4 = 7300
  Inference at 80:20 | 10278.4 -> published_at_long_run::inference_to_training
  Inference cost | 2978.4 -> class_cost::inference

published_to_long_run::inference_share - usd Increase ... per month = - − - = -
  Inference at 80:20 | - -> published_at_long_run::inference_share
  Inference cost | - -> class_cost::inference

published_to_long_run::inference_activity - usd Increase ... per month = - − - = -
  Inference at 80:20 | - -> published_at_long_run::inference_activity
  Inference cost | - -> class_cost::inference

published_to_long_run::hidden_share - usd Increase ... per month = - − - = -
  Inference at 80:20 | - -> published_at_long_run::hidden_share
  Inference cost | - -> class_cost::inference

equivalent_h100_gpu_hours::A100~H100 400 gpu_hours H100-hours A100 GPU-h = 200 ÷ 0.5 = 400
  Paid GPU-h | 200 -> model_gpu_hours::A100~H100
  Work of one | 0.5 -> model_ratio::A100~H100

equivalent_h100_gpu_hours::H100~H100 800 gpu_hours H100-hours H100 GPU-h = 800 ÷ 1 = 800
  Paid GPU-h | 800 -> model_gpu_hours::H100~H100
  Work of one | 1 -> model_ratio::H100~H100

equivalent_h100_rate::A100~H100 0.5 rate Per H100-hour A100 = 1 × 0.5 = 0.5
  Rate | 1 -> model_rate::A100~H100
  Work of one | 0.5 -> model_ratio::A100~H100

equivalent_h100_rate::H100~H100 2 rate Per H100-hour H100 = 2 × 1 = 2
  Rate | 2 -> model_rate::H100~H100
  Work of one | 1 -> model_ratio::H100~H100

model_ratio::A100~H100 0.5 exact H100 A100 = 0.5 ...
  ... | 0.5

model_ratio::H100~H100 1 exact H100 H100 = 1 ...
  ... | 1

model_gpu_hours::A100~H100 200 gpu_hours Paid GPU-h A100 GPU-h = 1 200
  k2 | 200 | 1 | 200

model_gpu_hours::H100~H100 800 gpu_hours Paid GPU-h H100 GPU-h = 1 800
  k1 | 800 | 2 | 1600

model_gpu_hours:: 0 gpu_hours Paid GPU-h unknown model GPU-h = 0 0

model_rate::A100~H100 1 rate Rate A100 = 1 1
  k2 | 200 | 1 | 200

model_rate::H100~H100 2 rate Rate H100 = 1 2
  k1 | 800 | 2 | 1600

model_premium::H100~A100 8760 usd ... H100 per month = 800 × ( 2 − 1 ÷ 2 ) ÷ 0.136986 = 8760
  Paid GPU-h | 800 -> model_gpu_hours::H100~A100
  Rate | 2 -> model_rate::H100~A100
  The other's rate | 1 -> model_against_rate::H100~A100
  Work of one | 2 -> model_ratio::H100~A100
  ... | 0.136986

model_against_rate::H100~A100 1 rate Rate A100 = 1 1
  k2 | 200 | 1 | 200

run_kind_runs:: 2 count ... unknown model = 2 ...
  ... | 2

run_kind_median_usd:: 176 usd Cost, median unknown model in that time = 2 176
  sft | 80
  sft | 96

run_kind_median_hours:: 15 exact Length, median unknown model = 2 15
  sft | 5
  sft | 10

run_kind_low_usd:: 160 usd Cost, P10 unknown model in that time = 1 160
  sft | 160

run_kind_high_usd:: 192 usd Cost, P90 unknown model in that time = 1 192
  sft | 192

run_kind_low_hours:: 10 exact Length, P10 unknown model = 1 10
  sft | 10

run_kind_high_hours:: 20 exact Length, P90 unknown model = 1 20
  sft | 20

week_h00::class~inference~2 0.25 share Utilization Inference Wednesday 00 01 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h00::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 00 01 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h00::class~inference~0 - share Utilization Inference Monday 00 01 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h00::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 00 01 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h01::class~inference~2 0.25 share Utilization Inference Wednesday 01 02 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h01::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 01 02 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h01::class~inference~0 - share Utilization Inference Monday 01 02 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h01::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 01 02 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h02::class~inference~2 0.25 share Utilization Inference Wednesday 02 03 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h02::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 02 03 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h02::class~inference~0 - share Utilization Inference Monday 02 03 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h02::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 02 03 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h03::class~inference~2 0.25 share Utilization Inference Wednesday 03 04 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h03::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 03 04 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h03::class~inference~0 - share Utilization Inference Monday 03 04 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h03::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 03 04 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h04::class~inference~2 0.25 share Utilization Inference Wednesday 04 05 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h04::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 04 05 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h04::class~inference~0 - share Utilization Inference Monday 04 05 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h04::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 04 05 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h05::class~inference~2 0.25 share Utilization Inference Wednesday 05 06 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h05::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 05 06 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h05::class~inference~0 - share Utilization Inference Monday 05 06 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h05::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 05 06 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h06::class~inference~2 0.25 share Utilization Inference Wednesday 06 07 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h06::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 06 07 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h06::class~inference~0 - share Utilization Inference Monday 06 07 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h06::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 06 07 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h07::class~inference~2 0.25 share Utilization Inference Wednesday 07 08 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h07::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 07 08 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h07::class~inference~0 - share Utilization Inference Monday 07 08 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h07::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 07 08 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h08::class~inference~2 0.25 share Utilization Inference Wednesday 08 09 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h08::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 08 09 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h08::class~inference~0 - share Utilization Inference Monday 08 09 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h08::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 08 09 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h09::class~inference~2 0.25 share Utilization Inference Wednesday 09 10 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h09::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 09 10 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h09::class~inference~0 - share Utilization Inference Monday 09 10 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h09::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 09 10 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h10::class~inference~2 0.25 share Utilization Inference Wednesday 10 11 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h10::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 10 11 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h10::class~inference~0 - share Utilization Inference Monday 10 11 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h10::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 10 11 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h11::class~inference~2 0.25 share Utilization Inference Wednesday 11 12 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h11::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 11 12 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h11::class~inference~0 - share Utilization Inference Monday 11 12 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h11::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 11 12 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h12::class~inference~2 0.25 share Utilization Inference Wednesday 12 13 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h12::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 12 13 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h12::class~inference~0 - share Utilization Inference Monday 12 13 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h12::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 12 13 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h13::class~inference~2 0.25 share Utilization Inference Wednesday 13 14 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h13::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 13 14 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h13::class~inference~0 - share Utilization Inference Monday 13 14 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h13::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 13 14 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h14::class~inference~2 0.25 share Utilization Inference Wednesday 14 15 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h14::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 14 15 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h14::class~inference~0 - share Utilization Inference Monday 14 15 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h14::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 14 15 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h15::class~inference~2 0.25 share Utilization Inference Wednesday 15 16 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h15::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 15 16 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h15::class~inference~0 - share Utilization Inference Monday 15 16 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h15::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 15 16 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h16::class~inference~2 0.25 share Utilization Inference Wednesday 16 17 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h16::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 16 17 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h16::class~inference~0 - share Utilization Inference Monday 16 17 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h16::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 16 17 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h17::class~inference~2 0.25 share Utilization Inference Wednesday 17 18 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h17::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 17 18 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h17::class~inference~0 - share Utilization Inference Monday 17 18 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h17::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 17 18 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h18::class~inference~2 0.25 share Utilization Inference Wednesday 18 19 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h18::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 18 19 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h18::class~inference~0 - share Utilization Inference Monday 18 19 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h18::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 18 19 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h19::class~inference~2 0.25 share Utilization Inference Wednesday 19 20 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h19::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 19 20 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h19::class~inference~0 - share Utilization Inference Monday 19 20 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h19::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 19 20 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h20::class~inference~2 0.25 share Utilization Inference Wednesday 20 21 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h20::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 20 21 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h20::class~inference~0 - share Utilization Inference Monday 20 21 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h20::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 20 21 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h21::class~inference~2 0.25 share Utilization Inference Wednesday 21 22 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h21::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 21 22 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h21::class~inference~0 - share Utilization Inference Monday 21 22 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h21::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 21 22 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h22::class~inference~2 0.25 share Utilization Inference Wednesday 22 23 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h22::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 22 23 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h22::class~inference~0 - share Utilization Inference Monday 22 23 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h22::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 22 23 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h23::class~inference~2 0.25 share Utilization Inference Wednesday 23 24 = 7.2e+06 ÷ 2.88e+07 = 0.25
    Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h23::workload~atlas/team/chat~2 0.25 share Utilization atlas/team/chat Wednesday 23 24 = 7.2e+06 ÷
    2.88e+07 = 0.25 Allocation, not activity.
  used GPU-h | 7.2e+06
  paid GPU-h | 2.88e+07

week_h23::class~inference~0 - share Utilization Inference Monday 23 24 = 0 ÷ 0 = - Allocation, not activity.
  used GPU-h | 0
  paid GPU-h | 0

week_h23::workload~atlas/team/chat~0 - share Utilization atlas/team/chat Monday 23 24 = 0 ÷ 0 = - Allocation,
    not activity.
  used GPU-h | 0
  paid GPU-h | 0

cluster_class_gpu_hours:training:atlas 160 gpu_hours Demand Training atlas GPU-h = 1 160
  sft | 160 | 2569.6 -> workload_cost::atlas/team/sft

cluster_class_gpu_hours:inference:atlas 200 gpu_hours Demand Inference atlas GPU-h = 1 200
  chat | 200 | 2978.4 -> workload_cost::atlas/team/chat

cluster_class_gpu_hours:burst:bora 150 gpu_hours Demand Burst bora GPU-h = 1 150
  dev | 150 | 3650 -> workload_cost::bora/team/dev

cluster_class_gpu_hours:training: 0 gpu_hours Demand Training GPU-h = 0 0

cluster_class_gpu_hours:inference: 0 gpu_hours Demand Inference GPU-h = 0 0

cluster_class_cost:training:atlas 2569.6 usd Cost Training atlas per month = 1 2569.6
  sft | 160 | 2569.6 -> workload_cost::atlas/team/sft

cluster_class_cost:inference:atlas 2978.4 usd Cost Inference atlas per month = 1 2978.4
  chat | 200 | 2978.4 -> workload_cost::atlas/team/chat

cluster_class_cost:burst:bora 3650 usd Cost Burst bora per month = 1 3650
  dev | 150 | 3650 -> workload_cost::bora/team/dev

cluster_class_cost:training: 0 usd Cost Training per month = 0 0

cluster_class_cost:inference: 0 usd Cost Inference per month = 0 0
"""
CASH = """
owed::K1 35040 usd ... K1 in all = 4 × 2 × 4380 = 35040
  GPUs | 4 -> owed_gpus::K1
  rate | 2 -> owed_rate::K1
  ... | 4380 -> owed_hours::K1

owed:: 52560 usd ... = 3 52560
  K1 | 35040 -> owed::K1
  K2 | 17520 -> owed::K2
  K3 | 0 -> owed::K3

owed::K2 17520 usd ... K2 in all = 8 × 1.5 × 1460 = 17520
  GPUs | 8 -> owed_gpus::K2
  rate | 1.5 -> owed_rate::K2
  ... | 1460 -> owed_hours::K2

owed::K3 0 usd ... K3 in all = 5 × 1 × 0 = 0
  GPUs | 5 -> owed_gpus::K3
  rate | 1 -> owed_rate::K3
  ... | 0 -> owed_hours::K3

owed_gpus::K1 4 gpus GPUs K1 = 4 the contract
  the contract | 4

owed_gpus::K2 8 gpus GPUs K2 = 8 the contract
  the contract | 8

owed_gpus::K3 5 gpus GPUs K3 = 5 the contract
  the contract | 5

owed_rate::K1 2 rate Rate K1 = 2 the contract
  the contract | 2

owed_rate::K2 1.5 rate Rate K2 = 1.5 the contract
  the contract | 1.5

owed_rate::K3 1 rate Rate K3 = 1 the contract
  the contract | 1

owed_hours::K1 4380 exact ... K1 = 4380 ...
  ... | 4380

owed_hours::K2 1460 exact ... K2 = 1460 ...
  ... | 1460

owed_hours::K3 0 exact ... K3 = 0 ...
  ... | 0

cash::2026-01-31T10:00:00Z 59370 usd Cash 2026 Q1 in that time = 4380 + 54990 = 59370
  On single days | 4380 -> cash_at_once::2026-01-31T10:00:00Z
  Hour by hour | 54990 -> cash_by_hour::2026-01-31T10:00:00Z

cash:: 320450 usd Cash = 5 320450
  2026 Q1 | 59370 -> cash::2026-01-31T10:00:00Z
  2026 Q2 | 70128 -> cash::2026-04-01
  2026 Q3 | 79308 -> cash::2026-07-01
  2026 Q4 | 83904 -> cash::2026-10-01
  2027 Q1 | 27740 -> cash::2027-01-01

cash::2026-04-01 70128 usd Cash 2026 Q2 in that time = 0 + 70128 = 70128
  On single days | 0 -> cash_at_once::2026-04-01
  Hour by hour | 70128 -> cash_by_hour::2026-04-01

cash::2026-07-01 79308 usd Cash 2026 Q3 in that time = 0 + 79308 = 79308
  On single days | 0 -> cash_at_once::2026-07-01
  Hour by hour | 79308 -> cash_by_hour::2026-07-01

cash_at_once::2026-01-31T10:00:00Z 4380 usd On single days 2026 Q1 = 4380 ...
  ... | 4380

cash_at_once::2026-04-01 0 usd On single days 2026 Q2 = 0 ...
  ... | 0

cash_at_once::2026-07-01 0 usd On single days 2026 Q3 = 0 ...
  ... | 0

cash_at_once::2026-10-01 0 usd On single days 2026 Q4 = 0 ...
  ... | 0

cash_by_hour::2026-01-31T10:00:00Z 54990 usd Hour by hour 2026 Q1 = 54990 ...
  ... | 54990

cash_by_hour::2026-04-01 70128 usd Hour by hour 2026 Q2 = 70128 ...
  ... | 70128

cash_by_hour::2026-07-01 79308 usd Hour by hour 2026 Q3 = 79308 ...
  ... | 79308

cash_by_hour::2026-10-01 83904 usd Hour by hour 2026 Q4 = 83904 ...
  ... | 83904
"""
MONTHS = """
month_gpu_hours::2026-07 510 gpu_hours Demand 2026-07 = 510 ...
  ... | 510

month_paid_in_window::2026-07 1800 usd Paid 2026-07 in that time = 1800 ...
  ... | 1800

month_utilization::2026-07 0.44 share Utilization 2026-07 = 0.44 ...
  ... | 0.44

month_stranded_audit::2026-07 9490 usd Stranded (audit estimate) 2026-07 per month = 9490 ...
  ... | 9490

month_stranded_metered::2026-07 6862 usd Stranded (metered) 2026-07 per month = 6862 ...
  ... | 6862

month_experiments::2026-07 0 count Experiment kinds 2026-07 = 0 ...
  ... | 0

month_found::2026-07 1300 usd Leaks found 2026-07 in that time = 1300 ...
  ... | 1300

month_counted::2026-07 1300 usd Leaks counted 2026-07 in that time = 1300 ...
  ... | 1300

month_accepted::2026-07 720 usd Leaks accepted 2026-07 in that time = 720 ...
  ... | 720

month_dismissed::2026-07 0 usd Leaks dismissed 2026-07 in that time = 0 ...
  ... | 0

month_gpu_hours_share:training:2026-07 0.313725 share Share of GPU-hours Training 2026-07 = 160 ÷ 510 =
    0.313725 ...
  class GPU-hours | 160
  all lookback GPU-hours | 510

month_gpu_hours_share:inference:2026-07 0.392157 share Share of GPU-hours Inference 2026-07 = 200 ÷ 510 =
    0.392157 ...
  class GPU-hours | 200
  all lookback GPU-hours | 510

month_gpu_hours_share:burst:2026-07 0.294118 share Share of GPU-hours Burst 2026-07 = 150 ÷ 510 = 0.294118 ...
  class GPU-hours | 150
  all lookback GPU-hours | 510

month_usd_share:training:2026-07 0.279365 share Spend share Training 2026-07 = 352 ÷ 1260 = 0.279365
  Class cost | 352
  ... | 1260

month_usd_share:inference:2026-07 0.32381 share Spend share Inference 2026-07 = 408 ÷ 1260 = 0.32381
  Class cost | 408
  ... | 1260

month_usd_share:burst:2026-07 0.396825 share Spend share Burst 2026-07 = 500 ÷ 1260 = 0.396825
  Class cost | 500
  ... | 1260
"""
WAITING = """
wait_gpus:sizes:inference~H100~2~False~False 2 gpus GPUs Inference H100 2 = 2 ...
  ... | 2

wait_gpus:sizes:training~H100~4~False~False 4 gpus GPUs Training H100 4 = 4 ...
  ... | 4

wait_gpus:sizes:burst~A100~3~False~False 3 gpus GPUs Burst A100 3 = 3 ...
  ... | 3

wait_usd_per_month:sizes:inference~H100~2~False~False 2753.33 usd Cost Inference H100 2 per month = 730 × ( 2
    × 1.66667 + 320 ÷ 730 ) = 2753.33 ...
  ... | 730
  GPUs | 2
  mean commitment rate | 1.66667
  ... | 320
  lookback hours | 730

wait_usd_per_month:sizes:training~H100~4~False~False 6205 usd Cost Training H100 4 per month = 730 × ( 4 ×
    2.125 + 0 ÷ 730 ) = 6205 ...
  ... | 730
  GPUs | 4
  mean commitment rate | 2.125
  ... | 0
  lookback hours | 730

wait_usd_per_month:sizes:burst~A100~3~False~False 2190 usd Cost Burst A100 3 per month = 730 × ( 3 × 1 + 0 ÷
    730 ) = 2190 ...
  ... | 730
  GPUs | 3
  mean commitment rate | 1
  ... | 0
  lookback hours | 730

wait_p50_h:sizes:training~H100~4~False~False 9 decimal Wait, P50 Training H100 4 h = 3 9
  50 3 | 9
  90 6 | 36
  99 6 | 36

wait_p50_h:log:pool~training 9 decimal Wait, P50 Training h = 3 9
  50 3 | 9
  90 6 | 36
  99 6 | 36

wait_p50_h:log:hour_of_week~5 9 decimal Wait, P50 Mon 05:00 h = 1 9
  50 1 | 9
  90 1 | 9
  99 1 | 9

wait_p50_h:plan:training~H100 9 decimal Wait, P50 Training H100 ... h = 3 9
  50 3 | 9
  90 6 | 36
  99 6 | 36

wait_p50_h:today:training~ 9 decimal Wait, P50 Training on today's GPUs h = 3 9
  50 3 | 9
  90 6 | 36
  99 6 | 36

wait_p50_h:sizes:inference~H100~2~False~False 0 decimal Wait, P50 Inference H100 2 h = 2 0
  50 2 | 0
  90 3 | 0
  99 3 | 0

wait_p90_h:sizes:training~H100~4~False~False 36 decimal Wait, P90 Training H100 4 h = 6 36 (... 36) (... 36)
  50 3 | 9
  90 6 | 36
  99 6 | 36

wait_p90_h:sizes:burst~A100~3~False~False 5 decimal Wait, P90 Burst A100 3 h = 2 5 (... 5) (... 5)
  50 1 | 0
  90 2 | 5
  99 2 | 5

wait_p90_h:log:pool~training 36 decimal Wait, P90 Training h = 6 36
  50 3 | 9
  90 6 | 36
  99 6 | 36

wait_p90_h:log:team~team 27 decimal Wait, P90 team h = 10 27
  50 6 | 0
  90 10 | 27
  99 11 | 36

wait_p90_h:log:gpu_model~A100 5 decimal Wait, P90 A100 h = 2 5
  50 1 | 0
  90 2 | 5
  99 2 | 5

wait_p90_h:log:size~2-4 27 decimal Wait, P90 2-4 h = 9 27
  50 5 | 0
  90 9 | 27
  99 10 | 36

wait_share_over_1h:sizes:training~H100~4~False~False 0.666667 share ... Training H100 4 = 4 ÷ 6 = 0.666667
  ... | 4
  jobs | 6 -> wait_jobs:sizes:training~H100~4~False~False

wait_share_over_1h:sizes:burst~A100~3~False~False 0.5 share ... Burst A100 3 = 1 ÷ 2 = 0.5
  ... | 1
  jobs | 2 -> wait_jobs:sizes:burst~A100~3~False~False

wait_share_over_1h:log:pool~training 0.666667 share ... Training = 4 ÷ 6 = 0.666667
  ... | 4
  jobs | 6 -> wait_jobs:log:pool~training

wait_share_over_1h:log:team~team 0.454545 share ... team = 5 ÷ 11 = 0.454545
  ... | 5
  jobs | 11 -> wait_jobs:log:team~team

wait_share_over_1h:log:gpu_model~A100 0.5 share ... A100 = 1 ÷ 2 = 0.5
  ... | 1
  jobs | 2 -> wait_jobs:log:gpu_model~A100

wait_share_over_1h:log:size~2-4 0.5 share ... 2-4 = 5 ÷ 10 = 0.5
  ... | 5
  jobs | 10 -> wait_jobs:log:size~2-4

wait_never:sizes:training~H100~4~False~False 1 count ... Training H100 4 = 1 ...
  ... | 1

wait_never:sizes:inference~H100~2~False~False 0 count ... Inference H100 2 = 0 ...
  ... | 0

wait_never:sizes:burst~A100~3~False~False 0 count ... Burst A100 3 = 0 ...
  ... | 0

wait_jobs:log:pool~inference 3 count Jobs Inference = 3 ...
  ... | 3

wait_jobs:log:team~team 11 count Jobs team = 11 ...
  ... | 11

wait_jobs:log:gpu_model~A100 2 count Jobs A100 = 2 ...
  ... | 2

wait_jobs:log:size~2-4 10 count Jobs 2-4 = 10 ...
  ... | 10

wait_jobs:log:hour_of_week~4 1 count Jobs Mon 04:00 = 1 ...
  ... | 1

wait_jobs:plan:inference~H100 3 count Jobs Inference H100 ... = 3 ...
  ... | 3

wait_mean_h:log:pool~training 15 decimal Wait, mean Training h = 90 ÷ 6 = 15
  total hours waited | 90
  jobs | 6 -> wait_jobs:log:pool~training

wait_mean_h:log:team~team 8.63636 decimal Wait, mean team h = 95 ÷ 11 = 8.63636
  total hours waited | 95
  jobs | 11 -> wait_jobs:log:team~team

wait_mean_h:log:gpu_model~A100 2.5 decimal Wait, mean A100 h = 5 ÷ 2 = 2.5
  total hours waited | 5
  jobs | 2 -> wait_jobs:log:gpu_model~A100

wait_mean_h:log:size~2-4 9.5 decimal Wait, mean 2-4 h = 95 ÷ 10 = 9.5
  total hours waited | 95
  jobs | 10 -> wait_jobs:log:size~2-4

wait_mean_h:log:hour_of_week~5 9 decimal Wait, mean Mon 05:00 h = 9 ÷ 1 = 9
  total hours waited | 9
  jobs | 1 -> wait_jobs:log:hour_of_week~5

wait_mean_h:plan:training~H100 15 decimal Wait, mean Training H100 ... h = 90 ÷ 6 = 15
  total hours waited | 90
  jobs | 6 -> wait_jobs:plan:training~H100

wait_p99_h:log:pool~training 36 decimal Wait, P99 Training h = 6 36
  50 3 | 9
  90 6 | 36
  99 6 | 36

wait_p99_h:log:team~team 36 decimal Wait, P99 team h = 11 36
  50 6 | 0
  90 10 | 27
  99 11 | 36

wait_p99_h:log:gpu_model~A100 5 decimal Wait, P99 A100 h = 2 5
  50 1 | 0
  90 2 | 5
  99 2 | 5

wait_p99_h:log:size~2-4 36 decimal Wait, P99 2-4 h = 10 36
  50 5 | 0
  90 9 | 27
  99 10 | 36

wait_p99_h:log:hour_of_week~5 9 decimal Wait, P99 Mon 05:00 h = 1 9
  50 1 | 9
  90 1 | 9
  99 1 | 9

wait_p99_h:plan:training~H100 36 decimal Wait, P99 Training H100 ... h = 6 36
  50 3 | 9
  90 6 | 36
  99 6 | 36

wait_waited_gpu_hours:log:pool~training 360 gpu_hours GPU-hours waited for Training GPU-h = 360 ...
  ... | 360

wait_waited_gpu_hours:log:team~team 375 gpu_hours GPU-hours waited for team GPU-h = 375 ...
  ... | 375

wait_waited_gpu_hours:log:gpu_model~A100 15 gpu_hours GPU-hours waited for A100 GPU-h = 15 ...
  ... | 15

wait_waited_gpu_hours:log:size~2-4 375 gpu_hours GPU-hours waited for 2-4 GPU-h = 375 ...
  ... | 375

wait_waited_gpu_hours:log:hour_of_week~5 36 gpu_hours GPU-hours waited for Mon 05:00 GPU-h = 36 ...
  ... | 36

wait_waited_gpus_most:log:pool~training 16 gpus ... Training = 16 ...
  ... | 16

wait_waited_gpus_most:log:team~team 16 gpus ... team = 16 ...
  ... | 16

wait_waited_gpus_most:log:gpu_model~A100 3 gpus ... A100 = 3 ...
  ... | 3

wait_waited_gpus_most:log:size~2-4 16 gpus ... 2-4 = 16 ...
  ... | 16

wait_waited_gpus_most:log:hour_of_week~5 4 gpus ... Mon 05:00 = 4 ...
  ... | 4

wait_contended_hours:log:pool~training 730 count Contended hours Training = 730 ...
  ... | 730

wait_contended_hours:log:team~team 730 count Contended hours team = 730 ...
  ... | 730

wait_contended_hours:log:gpu_model~A100 730 count Contended hours A100 = 730 ...
  ... | 730

wait_contended_hours:log:size~2-4 730 count Contended hours 2-4 = 730 ...
  ... | 730

wait_contended_hours:log:hour_of_week~4 4 count Contended hours Mon 04:00 = 4 ...
  ... | 4

wait_waited_with_room:log:pool~inference - share ... Inference = 0 ÷ 0 = -
  ... | 0
  total hours waited | 0

wait_waited_with_room:log:pool~training 0 share ... Training = 0 ÷ 90 = 0
  ... | 0
  total hours waited | 90

wait_waited_with_room:log:team~team 0 share ... team = 0 ÷ 95 = 0
  ... | 0
  total hours waited | 95

wait_waited_with_room:log:gpu_model~A100 0 share ... A100 = 0 ÷ 5 = 0
  ... | 0
  total hours waited | 5

wait_waited_with_room:log:size~2-4 0 share ... 2-4 = 0 ÷ 95 = 0
  ... | 0
  total hours waited | 95

wait_waited_with_room:log:size~17-64 - share ... 17-64 = 0 ÷ 0 = -
  ... | 0
  total hours waited | 0

wait_sent_out_jobs:plan:inference~H100 0 count ... Inference H100 ... = 0 0

wait_sent_out_jobs:plan:training~H100 0 count ... Training H100 ... = 0 0

wait_sent_out_jobs:plan:burst~A100 0 count ... Burst A100 ... = 0 0

wait_sent_out_jobs:today:inference~ 0 count ... Inference on today's GPUs = 0 0

wait_sent_out_jobs:today:training~ 0 count ... Training on today's GPUs = 0 0

wait_sent_out_jobs:today:burst~ 0 count ... Burst on today's GPUs = 0 0

wait_sent_out_gpu_hours:plan:inference~H100 0 gpu_hours ... Inference H100 ... GPU-h = 0 0

wait_sent_out_gpu_hours:plan:training~H100 0 gpu_hours ... Training H100 ... GPU-h = 0 0

wait_sent_out_gpu_hours:plan:burst~A100 0 gpu_hours ... Burst A100 ... GPU-h = 0 0

wait_sent_out_gpu_hours:today:inference~ 0 gpu_hours ... Inference on today's GPUs GPU-h = 0 0

wait_sent_out_gpu_hours:today:training~ 0 gpu_hours ... Training on today's GPUs GPU-h = 0 0

wait_sent_out_gpu_hours:today:burst~ 0 gpu_hours ... Burst on today's GPUs GPU-h = 0 0

wait_sent_out_usd:plan:inference~H100 0 usd ... Inference H100 ... = 0 0

wait_sent_out_usd:plan:training~H100 0 usd ... Training H100 ... = 0 0

wait_sent_out_usd:plan:burst~A100 0 usd ... Burst A100 ... = 0 0

wait_sent_out_usd:today:inference~ 0 usd ... Inference on today's GPUs = 0 0

wait_sent_out_usd:today:training~ 0 usd ... Training on today's GPUs = 0 0

wait_sent_out_usd:today:burst~ 0 usd ... Burst on today's GPUs = 0 0

wait_utilization:plan:inference~H100 0.0205479 share ... Inference H100 ... = 4.32e+08 ÷ 2.1024e+10 =
    0.0205479
  Used GPU-h | 4.32e+08
  Available GPU-hours | 2.1024e+10

wait_utilization:plan:training~H100 0.0430323 share ... Training H100 ... = 7.56e+08 ÷ 1.75682e+10 = 0.0430323
  Used GPU-h | 7.56e+08
  Available GPU-hours | 1.75682e+10

wait_utilization:plan:burst~A100 0.00986301 share ... Burst A100 ... = 1.296e+08 ÷ 1.314e+10 = 0.00986301
  Used GPU-h | 1.296e+08
  Available GPU-hours | 1.314e+10

wait_utilization:today:inference~ 0.0205479 share ... Inference on today's GPUs = 4.32e+08 ÷ 2.1024e+10 =
    0.0205479
  Used GPU-h | 4.32e+08
  Available GPU-hours | 2.1024e+10

wait_utilization:today:training~ 0.0719178 share ... Training on today's GPUs = 7.56e+08 ÷ 1.0512e+10 =
    0.0719178
  Used GPU-h | 7.56e+08
  Available GPU-hours | 1.0512e+10

wait_utilization:today:burst~ 0.00986301 share ... Burst on today's GPUs = 1.296e+08 ÷ 1.314e+10 = 0.00986301
  Used GPU-h | 1.296e+08
  Available GPU-hours | 1.314e+10
"""
OF = {
    "MIX": (MIX, WHY, lambda: worlds.past().past),
    "CASH": (CASH, OF_PAYMENTS, lambda: worlds.plan()),
    "MONTHS": (MONTHS, OF_MONTHS, lambda: months()),
    "WAITING": (WAITING, OF_WAITS, lambda: Told(worlds.waiting(), log_waits(worlds.queueing()))),
}
CASES = cases_of(OF)


@pytest.mark.parametrize(("world", "figure_id"), CASES)
def test_an_answer_is_what_hours_gpus_and_rates_come_to(world: str, figure_id: str) -> None:
    _, answers, evidence = OF[world]
    trace = answers.answer(evidence(), figure_id)
    came = arrived(trace)
    assert came == (None if trace.value is None else pytest.approx(trace.value, rel=1e-9, abs=1e-4))
    assert answer_of(trace) == CASES[world, figure_id]
