"""Measured points: the formula beside published figures, and what is not known."""

from math import isclose
from statistics import median

import pytest

from gpuplanner.domain.model.places import ServingPoint
from gpuplanner.domain.serving.points import point_speed
from gpuplanner.files.lists.served_models import model_named
from gpuplanner.files.system.resources import read_served_models, read_serving_tables

MODELS, TABLES = read_served_models(), read_serving_tables()
PUBLISHED = (
    # model, GPU, GPUs, precision, at once, tokens read, generated, tokens/s measured (sources: docs/formulas.md)
    ("Llama-3-8B", "A100-40GB", 2, "BF16", 16, 2048, 2048, 1086.9),
    ("Llama-2-7B", "A100-40GB", 4, "BF16", 16, 128, 128, 1983.8),
    ("Mistral-7B", "A100-80GB", 1, "BF16", 64, 2048, 128, 698.0),
    ("Llama-2-7B", "A100-80GB", 1, "BF16", 32, 128, 2048, 1459.0),
    ("Qwen3.5-397B-A17B", "B200", 8, "BF16", 64, 1024, 8192, 3148.5),
    ("Qwen3.5-397B-A17B", "B200", 8, "BF16", 8, 1024, 1024, 810.5),
    ("Llama-3.1-70B", "B200", 2, "FP4", 4, 1024, 1024, 410.7),
    ("gpt-oss-120b", "B200", 1, "FP4", 256, 8192, 1024, 6961.0),
    ("DeepSeek-R1", "B200", 8, "FP8", 64, 1024, 8192, 2905.9),
    ("Llama-3.1-70B", "B200", 8, "FP8", 128, 1024, 1024, 9232.2),
    ("Kimi-K2.5", "B200", 8, "INT4", 4, 1024, 8192, 384.9),
    ("Kimi-K2.5", "B200", 8, "INT4", 4, 8192, 1024, 334.8),
    ("Qwen3.5-397B-A17B", "B300", 8, "BF16", 32, 8192, 1024, 2037.6),
    ("Qwen3.5-397B-A17B", "B300", 4, "BF16", 4, 1024, 1024, 518.9),
    ("MiniMax-M2.5", "B300", 2, "FP4", 128, 1024, 1024, 6722.8),
    ("MiniMax-M2.5", "B300", 4, "FP4", 4, 1024, 1024, 647.0),
    ("MiniMax-M2.5", "B300", 2, "FP8", 16, 1024, 1024, 1189.8),
    ("Qwen3.5-397B-A17B", "B300", 8, "FP8", 4, 1024, 1024, 495.8),
    ("Llama-2-7B", "H100", 2, "BF16", 64, 2048, 2048, 2245.5),
    ("Llama-3-8B", "H100", 1, "BF16", 64, 1024, 1024, 3484.3),
    ("gpt-oss-120b", "H100", 4, "FP4", 64, 1024, 1024, 6525.1),
    ("gpt-oss-120b", "H100", 4, "FP4", 32, 1024, 8192, 4506.4),
    ("Qwen3-235B-A22B", "H100", 8, "FP8", 8, 512, 128, 546.0),
    ("Llama-3.1-405B", "H100", 8, "FP8", 16, 128, 2048, 432.2),
    ("gpt-oss-120b", "H200", 4, "FP4", 4, 1024, 1024, 788.3),
    ("gpt-oss-120b", "H200", 4, "FP4", 8, 1024, 1024, 1299.7),
    ("Llama-3.1-70B", "H200", 8, "FP8", 16, 1024, 8192, 1639.6),
    ("DeepSeek-R1", "H200", 8, "FP8", 4, 8192, 1024, 261.4),
    ("Kimi-K2.5", "H200", 8, "INT4", 32, 8192, 1024, 885.4),
    ("Kimi-K2.5", "H200", 8, "INT4", 4, 8192, 1024, 327.5),
    ("GPT-J-6B", "L40S", 1, "FP8", 64, 128, 128, 3630.0),
    ("Llama-2-70B", "L40S", 2, "FP8", 256, 128, 128, 1124.0),
    ("Llama-3.1-405B", "MI300X", 8, "FP8", 256, 128, 128, 1846.0),
    ("Llama-3.1-405B", "MI300X", 8, "FP8", 64, 2048, 2048, 1045.6),
)


def speed_of(*parts):
    return point_speed(ServingPoint(*parts), model_named(parts[0], MODELS), TABLES)


@pytest.mark.parametrize("point", PUBLISHED, ids=lambda one: f"{one[0]} {one[1]} {one[3]} {one[4]}")
def test_published_points_are_met_within_half(point) -> None:
    predicted = speed_of(*point[:-1]).tokens_per_s
    assert 1 / 1.5 < predicted / point[-1] < 1.5


def test_the_median_miss_of_published_points() -> None:
    misses = [abs(speed_of(*point[:-1]).tokens_per_s / point[-1] - 1) for point in PUBLISHED]
    assert median(misses) < 0.15


def test_what_is_not_known_is_said() -> None:
    known = ("Llama-3.1-8B", "H100", 1, "BF16", 8, 1000, 200)
    assert speed_of(*known).note == ""
    for at, value, said in (
        (0, "nobody", "the model nobody is not known"),
        (1, "TPU", "TPU in BF16 is not known"),
        (3, "INT3", "H100 in INT3 is not known"),
    ):
        other = [*known]
        other[at] = value
        found = speed_of(*other)
        assert (found.tokens_per_s, found.low) == (None, None) and str(found.note) == said


def test_the_band_lies_round_the_speed_and_crowds_are_remarked() -> None:
    point = speed_of("Llama-3.1-8B", "H100", 1, "BF16", 200, 1000, 200)
    assert point.low < point.tokens_per_s < point.high
    assert "over 128 at once" in str(point.note)
    assert isclose(point.tokens_per_s * point.tpot_ms, 200_000)
