#!/usr/bin/env python3
"""Checks knock.json with other code than Parley's.

Exits with 0 and one line if every value follows from the rules in docs/protocol.md.
"""
import base64

import items
from items import mac, same, sha256
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def text_of(link):
    name = link["name"].encode()
    content = bytes([2, 16 + link["role"], len(name)]) + bytes.fromhex(
        link["token"] + link["conversation"] + link["device"]
    )
    content += link["number"].to_bytes(4, "big") + bytes([len(link["addresses"])])
    for address in link["addresses"]:
        content += bytes([len(address)]) + address.encode()
    content += name
    content += sha256(b"parley invite" + content)[:6]
    return "parley:" + base64.urlsafe_b64encode(content).decode().rstrip("=")


def check_admission(number, row):
    record = bytes.fromhex(row["record"])
    key, device, role = record[:32], record[32:64], record[64]
    order, signature = int.from_bytes(record[65:69], "big"), record[69:]
    same(f"admission {number}: length", len(record), 133)
    same(f"admission {number}: role", role, row["role"])
    same(f"admission {number}: number", order, row["number"])
    signed = b"parley admission 1" + bytes.fromhex(row["conversation"]) + device
    signed += bytes([role]) + order.to_bytes(4, "big")
    same(f"admission {number}: signed", row["signed"], signed.hex())
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
    except InvalidSignature:
        raise SystemExit(f"admission {number}: the signature is wrong")
    same(f"admission {number}: digest", row["digest"],
         sha256(b"parley member 1" + bytes([3]) + record).hex())


def main():
    vectors = items.load("knock.json")
    for number, link in enumerate(vectors["links"]):
        same(f"link {number}", link["text"], text_of(link))
    for number, knock in enumerate(vectors["knocks"]):
        text = b"parley knock 1" + bytes.fromhex(knock["exporter"] + knock["device"])
        same(f"knock {number}: input", knock["input"], text.hex())
        same(f"knock {number}: proof", knock["proof"],
             mac(bytes.fromhex(knock["token"]), text).hex())
    for number, row in enumerate(vectors["admissions"]):
        check_admission(number, row)
    print(f"knock.json: {items.checked} values are right")


main()
