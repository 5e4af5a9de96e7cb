"""A stated run: 2^33 parameters on 16 GPUs of 1,000 TFLOP/s, half of which they reach, one sequence of 4,096 a GPU."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.trained import Layout, StatedRun, TrainedModel
from gpuplanner.domain.training.answer import Answer, answer_of
from gpuplanner.domain.training.choices import Asked, Choice, choice_of
from gpuplanner.domain.training.run import Chip, Efficiency, Factors, NamedChip, Run, Step, step_of

P = 2.0**33
CHIP = Chip(
    name="H100", memory_gb=80.0, tflops={"BF16": 1000.0, "FP8": 2000.0, "FP4": 4000.0}, nic_gbps=400.0
)
SMALL = TrainedModel(name="m", parameters=P, active=P, layers=32, hidden=4096, vocabulary=2**15)
RUN = Run(model=SMALL, chip=CHIP, gpus=16, layout=Layout(), batch=16.0, sequence=4096)
MIX = replace(SMALL, active=P / 4, experts_per_token=2, expert_share=0.25)
"""All of its parameters are in experts: (P - P / 4) / (1 - 1 / 4)."""
FACTORS = Factors(
    {("H100", "BF16", "dense"): Efficiency(0.5), ("H100", "BF16", "moe"): Efficiency(0.25)}, {"H200": "H100"}
)
HOUR = Offer(
    offer_id="h",
    gpu_model="H100",
    pricing_category=PricingCategory.STANDARD,
    term_months=0,
    rate_usd_per_gpu_hour=Decimal(3),
)
ASKED = Asked(tokens=1e11, kw={"H100": 0.9})
STATED = StatedRun(model=SMALL, tokens=1e11, gpu_model="H100")
OTHER = replace(CHIP, name="H200", memory_gb=141.0)
CHOICE = choice_of(RUN, ASKED, FACTORS, (HOUR,))


def step(run: Run) -> Step:
    result = step_of(run, FACTORS)
    assert result is not None
    return result


def chip_of(name: str) -> NamedChip:
    """H100 however it is written, and H200 in nodes of four."""
    return NamedChip(*{"H100": (CHIP, 8), "h100 sxm": (CHIP, 8), "H200": (OTHER, 4)}.get(name, (None, 8)))


def answered(stated: StatedRun = STATED, *names: str, offers: Any = (HOUR,)) -> Answer:
    return answer_of(stated, names or ("H100",), offers, chip_of, FACTORS, {"H100": 0.9}, 0)


def done(hours: float, gpus: int = 16, **facts: Any) -> Choice:
    assert CHOICE.finish is not None
    run = replace(CHOICE.fit.run, gpus=gpus)
    finish = replace(CHOICE.finish, hours=hours, whole_hours=hours)
    return replace(CHOICE, fit=replace(CHOICE.fit, run=run), finish=finish, **facts)
