"""A load of stated requests."""

from gpuplanner.domain.serving.load import Load, LoadHour


def load_at(*rates: float) -> Load:
    hours = tuple(LoadHour(at, rate) for at, rate in enumerate(rates))
    return Load(
        hours=hours,
        requests_per_month=1e6,
        context_tokens=100.0,
        generated_tokens=10.0,
        longest_tokens=110.0,
        are_tokens_known=True,
    )
