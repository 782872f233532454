#!/usr/bin/env python3
"""Checks receipts.json with other code than Parley's.

Exits with 0 and one line if every value follows from the rules in docs/protocol.md.
"""
import items
from items import derive, mac, same, sha256
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
import hashlib

PRIME = 2**255 - 19
# The seeds of the first two devices of keys.json.
SEEDS = [bytes(range(32)), bytes((0xE0 + index) & 0xFF for index in range(32))]


def converted(key):
    """The Montgomery u of an Ed25519 public key."""
    y = int.from_bytes(key, "little") & (2**255 - 1)
    return ((1 + y) * pow(1 - y, -1, PRIME) % PRIME).to_bytes(32, "little")


def agreed(seed, key):
    secret = X25519PrivateKey.from_private_bytes(hashlib.sha512(seed).digest()[:32])
    return secret.exchange(X25519PublicKey.from_public_bytes(converted(key)))


def device_id(key):
    return sha256(bytes.fromhex("302a300506032b6570032100") + key)


def main():
    stored = items.load("receipts.json")
    author, device = bytes.fromhex(stored["author"]), bytes.fromhex(stored["device"])
    origin, read_key = bytes.fromhex(stored["origin"]), bytes.fromhex(stored["readKey"])
    for seed, key in zip(SEEDS, (device, author)):
        same("shared", stored["shared"], agreed(seed, key).hex())
    lower, higher = sorted([device_id(author), device_id(device)])
    info = b"parley pair 1" + bytes.fromhex(stored["conversation"]) + lower + higher
    pair = derive(bytes.fromhex(stored["shared"]), info)
    name = mac(pair, b"id")[:8]
    same("id", stored["id"], name.hex())
    readers = derive(read_key, b"parley receipt")
    own = derive(pair, b"receipt" + device_id(device) + readers)
    for number, row in enumerate(stored["receipts"]):
        counter = row["counter"].to_bytes(8, "big")
        content = b"".join(
            first.to_bytes(8, "big") + (last - first + 1).to_bytes(4, "big")
            for first, last in row["runs"]
        )
        key = own if row["runs"] else derive(readers, b"introduction" + origin + name)
        content = content or device
        sealed = AESGCM(key).encrypt(
            bytes(4) + counter,
            content.ljust(48, b"\0"),
            b"parley receipt 1" + origin + name + counter,
        )
        same(f"receipt {number}", row["packed"], (name + counter + sealed).hex())
    print(f"receipts.json: {len(stored['receipts'])} receipts are right")


if __name__ == "__main__":
    main()
