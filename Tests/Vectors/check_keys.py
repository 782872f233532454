#!/usr/bin/env python3
"""Checks keys.json with other code than Parley's: Python's hashlib, hmac and `cryptography`.

Exits with 0 and one line if every value follows from the rules in docs/protocol.md.
"""
import base64
import hashlib
import hmac
import json
import pathlib
import re

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.hazmat.primitives.serialization import load_pem_private_key

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
ROLES = {"relay": 1, "reader": 2, "writer": 3}
checked = 0


def same(name, stored, computed):
    global checked
    checked += 1
    if stored != computed:
        raise SystemExit(f"{name}: the file has {stored}, the rules give {computed}")


def sha256(data):
    return hashlib.sha256(data).digest()


def derive(key, label):
    library = HKDF(algorithm=SHA256(), length=32, salt=b"", info=label.encode()).derive(key)
    pseudorandom = hmac.new(bytes(32), key, hashlib.sha256).digest()
    by_hand = hmac.new(pseudorandom, label.encode() + b"\1", hashlib.sha256).digest()
    same("HKDF", library, by_hand)
    return library


def check_character(group):
    total = 0
    for index, letter in enumerate(reversed(group)):
        product = ALPHABET.index(letter) * (1 if index % 2 else 2)
        total += product // 32 + product % 32
    return ALPHABET[-total % 32]


def id_text(device):
    plain = base64.b32encode(device).decode().rstrip("=")
    groups = [plain[start : start + 13] for start in range(0, 52, 13)]
    letters = "".join(group + check_character(group) for group in groups)
    return "-".join(letters[start : start + 7] for start in range(0, 56, 7))


def link(role, keys, name):
    content = bytes([1, ROLES[role], len(name)]) + keys + name
    content += sha256(b"parley invite" + content)[:6]
    return "parley:" + base64.urlsafe_b64encode(content).decode().rstrip("=")


def conversation(stored, seed, name, is_open):
    write_key = Ed25519PrivateKey.from_private_bytes(derive(seed, "parley write"))
    public = write_key.public_key().public_bytes_raw()
    read_key = derive(seed, "parley read")
    relay_key = derive(read_key, "parley relay")
    same("public W", stored["publicWriteKey"], public.hex())
    same("conversation ID", stored["id"], sha256(public).hex())
    invites = {
        "writer": "open:" + name.decode() if is_open else link("writer", seed, name),
        "reader": link("reader", read_key + public, name),
        "relay": link("relay", relay_key + public, name),
    }
    same("invites", stored["invites"], invites)
    return write_key, read_key, relay_key


def main():
    vectors = json.loads(pathlib.Path(__file__).with_name("keys.json").read_text())
    for device in vectors["devices"]:
        key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(device["seed"]))
        information = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        same("public key", device["publicKey"], key.public_key().public_bytes_raw().hex())
        same("device ID", device["id"], sha256(information).hex())
        same("text", device["text"], id_text(sha256(information)))
        same("short text", device["short"], re.sub("-", "", device["text"])[:8])
        loaded = load_pem_private_key(device["pem"].encode(), None)
        same("PEM", device["seed"], loaded.private_bytes_raw().hex())
    for stored in vectors["conversations"]:
        seed = bytes.fromhex(stored["writerSeed"])
        write_key, read_key, relay_key = conversation(
            stored, seed, stored["name"].encode(), False
        )
        same("K", stored["readKey"], read_key.hex())
        same("R", stored["relayKey"], relay_key.hex())
        for device, certificate in zip(vectors["devices"], stored["certificates"]):
            signed = b"parley device 1" + bytes.fromhex(device["id"])
            same("certificate", certificate, write_key.sign(signed).hex())
            public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(stored["publicWriteKey"]))
            public.verify(bytes.fromhex(certificate), signed)
        same("certificates", len(stored["certificates"]), len(vectors["devices"]))
    for stored in vectors["openConversations"]:
        name = bytes.fromhex(stored["nameBytes"])
        same("name", stored["name"].encode(), name)
        same("open seed", stored["writerSeed"], sha256(b"parley open 1" + name).hex())
        conversation(stored, bytes.fromhex(stored["writerSeed"]), name, True)
    print(f"keys.json: {checked} values are right")


main()
