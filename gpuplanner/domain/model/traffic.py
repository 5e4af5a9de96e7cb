"""Traffic of an endpoint: the tokens it read and generated, hour by hour."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traffic:
    """Tokens of one endpoint. start_s and end_s: first second and first after the last request, epoch UTC.

    hours: (epoch seconds of a whole hour, context tokens, generated tokens), ascending, hours with requests only.
    """

    start_s: int
    end_s: int
    hours: tuple[tuple[int, int, int], ...]
    source: str = ""  # the file's name
