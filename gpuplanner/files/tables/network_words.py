"""Names of networks, as window and papers write them."""

from collections.abc import Iterable
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, Text, joined, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.system.resources import words_table

NETWORKS: Final = words_table("interconnect")
"""Each network that we know by its name in files, such as roce_400."""
BARE_METAL: Final = worded("bare metal")


def network_words(network: str | None, is_bare_metal: bool | None) -> Message:
    """Return a network with bare metal where it is, as InfiniBand, bare metal; no words without either.

    network: of NETWORKS, or of a file that calls it otherwise.

    >>> str(network_words("roce_400", True)), str(network_words(None, True)), str(network_words("own", None))
    ('RoCE 400 Gb/s, bare metal', 'bare metal', 'own')
    """
    parts: Iterable[Text] = (NETWORKS.get(network or "", network or ""), BARE_METAL if is_bare_metal else "")
    return joined(filter(None, parts), ", ") if network or is_bare_metal else NO_WORDS


def offered_network_words(offer: Offer | None) -> Message:
    """Return the network of an offer, as of `network_words`; no words where the offer is unknown."""
    if offer is None:
        return NO_WORDS
    return network_words(offer.network or offer.interconnect, offer.bare_metal)
