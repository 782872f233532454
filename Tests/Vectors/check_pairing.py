#!/usr/bin/env python3
"""Checks pairing.json with other code than Parley's.

Exits with 0 and one line if every value follows from the rules in docs/protocol.md.
"""
import items
from items import same, sha256


def main():
    for number, pairing in enumerate(items.load("pairing.json")["pairings"]):
        sides = sorted((bytes.fromhex(side["device"]), bytes.fromhex(side["nonce"]))
                       for side in pairing["sides"])
        for side in pairing["sides"]:
            text = b"parley pairing commit 1" + bytes.fromhex(side["device"] + side["nonce"])
            same(f"{number}: commitment input", side["commitmentInput"], text.hex())
            same(f"{number}: commitment", side["commitment"], sha256(text).hex())
        text = b"parley pairing digits 1" + b"".join(device for device, _ in sides)
        text += b"".join(nonce for _, nonce in sides)
        same(f"{number}: digits input", pairing["digitsInput"], text.hex())
        same(f"{number}: digits hash", pairing["digitsHash"], sha256(text).hex())
        value = int.from_bytes(sha256(text)[:8], "big") % 1_000_000
        same(f"{number}: digits", pairing["digits"], f"{value:06}")
    print(f"pairing.json: {items.checked} values are right")


main()
