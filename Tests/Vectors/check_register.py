#!/usr/bin/env python3
"""Checks register.json with other code than Parley's: the rules of docs/protocol.md, as sets.

Exits with 0 and one line if every history ends in its heads.
"""
import itertools

import items
from items import same, tie_break


class Envelope:
    def __init__(self, stored, tag):
        self.name = stored["name"]
        self.origin = stored["origin"]
        self.sequence = stored["sequence"]
        self.context = {dot["origin"]: dot["sequence"] for dot in stored["context"]}
        tie = tie_break(tag, self.origin, stored["revision"])
        same(f"{self.name}: tie break", stored["tieBreak"], tie)
        self.order = (stored["revision"], tie, stored["digest"])

    def covers(self, other):
        if other.origin == self.origin:
            saw = other.sequence <= self.sequence
        else:
            saw = self.context.get(other.origin, 0) >= other.sequence
        return saw and self.order > other.order


def merge(heads, envelope):
    known = heads if any(head is envelope for head in heads) else heads + [envelope]
    kept = [one for one in known if not any(other.covers(one) for other in known)]
    return sorted(kept, key=lambda one: one.order, reverse=True)[:64]


def heads_of(envelopes):
    heads = []
    for envelope in envelopes:
        heads = merge(heads, envelope)
    return [head.name for head in heads]


def main():
    for history in items.load("register.json")["histories"]:
        envelopes = [Envelope(stored, history["tag"]) for stored in history["envelopes"]]
        name = history["name"]
        same(f"{name}: heads", history["heads"], heads_of(envelopes))
        if len(envelopes) > 5:
            continue
        orders = [heads_of(order) for order in itertools.permutations(envelopes)]
        is_free = all(heads == history["heads"] for heads in orders)
        same(f"{name}: order-free", history["isOrderFree"], is_free)
    print(f"register.json: {items.checked} values are right")


main()
