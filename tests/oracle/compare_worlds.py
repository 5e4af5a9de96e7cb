"""python -m tests.oracle.compare_worlds FIRST LAST [RULE,RULE..]: in which do engine and simulator differ?

The rules named are left out: so what one of them brings can be told from the rest.
"""

import random
import sys
from collections import Counter

from tests.oracle.comparison import disagreements, savings_differ, separation_differs
from tests.oracle.new_worlds import RULES, new_world, rules_the_engine_has

SHOWN = 3


def rules_of_world(seed, known):
    return sorted(rule for rule in known if random.Random(f"{seed} {rule}").random() < RULES[rule])


def subject(what):
    """What a difference is about, without the pool, slice or hour that it is found at."""
    parts = [part for part in (what if isinstance(what, tuple) else (what,)) if isinstance(part, str)]
    if not parts and isinstance(what, tuple):
        return subject(what[0])
    return parts[-1] if parts else str(what)


def main(first, last, without=""):
    known = rules_the_engine_has() - set(without.split(","))
    differ = 0
    for seed in range(first, last):
        world = new_world(seed, known)
        found = [*disagreements(world), *separation_differs(world), *savings_differ(world)]
        if found:
            differ += 1
            print(
                seed,
                *rules_of_world(seed, known),
                dict(Counter(subject(row[0]) for row in found)),
                flush=True,
            )
            for row in found[:SHOWN]:
                print("   ", *row)
    print(f"{differ} of {last - first} worlds differ; rules: {', '.join(sorted(known))}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
