#!/usr/bin/env python3
"""Checks frames.json with other code than Parley's.

Exits with 0 and one line if every frame follows from its items and the rules in docs/protocol.md.
"""
import items
from items import encode, same

KINDS = {
    "hello": 1, "goodbye": 3, "conversations": 5, "envelope": 7, "stored": 9, "feed": 11,
    "have": 13, "want": 15, "blobWant": 17, "blobChunk": 19, "audit": 21, "credit": 23,
    "ping": 25, "pong": 27, "peers": 29, "pairing": 31, "origin": 33,
}


def main():
    first = bytes.fromhex(items.load("envelope.json")["envelopes"][0]["envelope"])
    for frame in items.load("frames.json")["frames"]:
        name = frame["name"]
        same(f"{name}: type", frame["type"], KINDS[name.split(",")[0]])
        if "prefix" in frame:
            prefix = frame["prefix"]
            body = prefix["conversation"].to_bytes(4, "big") + bytes([prefix["hops"], 0, 0, 0])
            body += prefix["position"].to_bytes(8, "big") + first
        else:
            body = encode(frame["body"])
        whole = len(body).to_bytes(3, "big") + bytes([frame["type"]]) + body
        same(f"{name}: bytes", frame["bytes"], whole.hex())
    print(f"frames.json: {items.checked} values are right")


main()
