"""A loaded project of three workloads, a contract and an offer, with leaks and rules, for tests of the edits."""

from decimal import Decimal

import numpy as np

from gpuplanner.domain.audit.leak_claims import Part, PartOf
from gpuplanner.domain.audit.leak_list import leak_parts
from gpuplanner.domain.audit.result import Leak
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.plan.scenario import AS_TODAY, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule, Pool, PricingCategory
from gpuplanner.domain.model.window import Window

KEYS = ("c/a/agent-rollouts", "c/b/train-llm", "c/d/vllm-chat")


def loaded() -> Project:
    index = np.array([0, 1, 2])
    return Project(
        window=Window(0, 24),
        cube=cube_from_entries(24, ("H100",), index, np.zeros(3, np.int64), index, np.array([5, 6, 7])),
        workloads=tuple(
            Workload(key=key, name=key.rsplit("/", 1)[1], cluster="c", owner=key.split("/")[1])
            for key in KEYS
        ),
        contracts=(
            Contract(
                contract_id="k1",
                cluster="c",
                gpu_model="H100",
                milli_gpus=8000,
                rate_usd_per_gpu_hour=Decimal("2.75"),
                start_s=-3600,
            ),
        ),
        offers=(
            Offer(
                offer_id="o1",
                gpu_model="H100",
                pricing_category=PricingCategory.COMMITTED,
                term_months=12,
                rate_usd_per_gpu_hour=Decimal("2.10"),
            ),
        ),
        scenarios=(Scenario(name="Plan A"), Scenario(name="Plan B", start=AS_TODAY)),
    )


def found(pool: Pool, confidence: float, source: str = "score") -> Classification:
    return Classification(
        pool=pool, subtype="", confidence=confidence, reasons=(), runner_up=None, source=source
    )


CLASSES = {
    KEYS[0]: found(Pool.BURST, 0.9),
    KEYS[1]: found(Pool.TRAINING, 0.5),
    KEYS[2]: found(Pool.INFERENCE, 0.2, source="label"),
}


ROLLOUTS = ClassRule(
    rule_id="burst-rollout",
    field="name",
    pattern="rollouts?",
    pool=Pool.BURST,
    subtype="",
    confidence=0.97,
    reason="",
)


LONG = ClassRule(
    rule_id="training-long",
    field="queue",
    pattern="long",
    pool=Pool.TRAINING,
    subtype="training run",
    confidence=0.95,
    reason="it is {word}",
)


LEFT = {**{("workload", key): 4.0 for key in KEYS}, ("contract", "k"): 5.0}


LEAK = Leak(
    code="contention",
    subject="c: vllm-chat",
    action="Give inference its own GPUs.",
    leak_id="contention:c",
    cluster="c",
    parts=tuple(leak_parts([Part(PartOf("workload", key), 4.0, 8.0) for key in KEYS], LEFT, 1.0)),
)


TAIL = Leak(
    code="idle_tail",
    subject="c: 1 tail",
    action="Release the GPUs.",
    leak_id="idle_tail:c",
    cluster="c",
    parts=tuple(leak_parts([Part(PartOf("contract", "k"), 5.0, None)], LEFT, 1.0)),
)


EURO = ExchangeRate("EUR", Decimal("1.25"), "2026-10-01")


UNRATED = Contract(
    contract_id="k9",
    cluster="c",
    gpu_model="H100",
    milli_gpus=4000,
    rate_usd_per_gpu_hour=None,
    start_s=0,
    currency="EUR",
    exchange=None,
)


LEAK_CLASSES = {key: one.pool for key, one in CLASSES.items()}
