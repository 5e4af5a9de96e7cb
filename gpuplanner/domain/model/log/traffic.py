"""Traffic of an endpoint: the tokens it read and generated, hour by hour."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traffic:
    """Tokens of one endpoint. start_s and end_s: first second and first after the last request, epoch UTC.

    hours: (epoch seconds of a whole hour, context tokens, generated tokens), ascending, hours with requests only.
    requests: for each of them (requests, requests of its busiest minute, most tokens of one request, read and
    generated together); empty where a project from before them was opened.
    """

    start_s: int
    end_s: int
    hours: tuple[tuple[int, int, int], ...]
    source: str = ""  # the file's name
    requests: tuple[tuple[int, int, int], ...] = ()
