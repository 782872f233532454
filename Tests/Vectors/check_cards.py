#!/usr/bin/env python3
"""Checks cards.json with other code than Parley's.

Exits with 0 and one line if every value follows from the rules in docs/protocol.md.
"""
import items
from items import derive, mac, same, sha256
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

# S of the conversation of keys.json.
SEED = bytes(range(0x20, 0x40))


def device_id(key):
    return sha256(bytes.fromhex("302a300506032b6570032100") + key)


def check(stored, row):
    key, packed = bytes.fromhex(stored["device"]), bytes.fromhex(row["packed"])
    read_key, device = bytes.fromhex(stored["readKey"]), device_id(key)
    role = row["role"]
    proof_end = 53 + (64 if role == 3 else 32)
    same("age", row["age"], int.from_bytes(packed[:4], "big"))
    same("key", stored["device"], packed[4:36].hex())
    same("role", role + (128 if row["isLeaving"] else 0), packed[36])
    same("generation", bytes(8).hex(), packed[37:45].hex())
    same("number", row["number"], int.from_bytes(packed[45:53], "big"))
    secret = derive(read_key, b"parley relay") if role == 1 else read_key
    if role == 3:
        write_key = Ed25519PrivateKey.from_private_bytes(derive(SEED, b"parley write"))
        signed = b"parley device 1" + device
        same("certificate", write_key.sign(signed).hex(), packed[53:proof_end].hex())
    else:
        code = mac(derive(secret, b"parley card"), device)
        same("code", code.hex(), packed[53:proof_end].hex())
    nonce, sealed = packed[proof_end:proof_end + 12], packed[proof_end + 12:-64]
    text = AESGCM(derive(secret, b"parley name" + device)).decrypt(nonce, sealed, b"")
    name, person = text[1:1 + text[0]], text[1 + text[0]:]
    same("name", stored["name"], name.decode())
    if role == 3:
        same("person's key", stored["person"]["key"], person[:32].hex())
        same("person's name", stored["person"]["name"], person[96:].decode())
        owner = Ed25519PublicKey.from_public_bytes(person[:32])
        owner.verify(person[32:96], b"parley person 1" + device + person[96:])
    else:
        same("no person", b"", person)
    signed = b"parley card 1" + bytes.fromhex(stored["conversation"]) + packed[4:-64]
    Ed25519PublicKey.from_public_bytes(key).verify(packed[-64:], signed)


def main():
    stored = items.load("cards.json")
    for row in stored["cards"]:
        check(stored, row)
    print(f"cards.json: {len(stored['cards'])} cards are right")


if __name__ == "__main__":
    main()
