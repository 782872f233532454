#!/usr/bin/env python3
"""Checks frames.json with other code than Parley's.

Exits with 0 and one line if every frame follows from its items and the rules in docs/protocol.md.
"""
import items
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from items import derive, encode, same

KINDS = {
    "hello": 1, "goodbye": 3, "conversations": 5, "envelope": 7, "stored": 9, "feed": 11,
    "have": 13, "want": 15, "blobWant": 17, "blobChunk": 19, "audit": 21, "credit": 23,
    "ping": 25, "pong": 27, "peers": 29, "pairing": 31, "origin": 33,
    "spare": 36, "members": 37, "receipts": 38, "signal": 40, "knock": 42,
}


def is_record(entry):
    """Whether a pair of kind and record about members is one."""
    kind, record = int(entry["array"][0]["number"]), bytes.fromhex(entry["array"][1]["bytes"])
    if kind != 3:
        return len(record) <= 1_024
    return len(record) == 133 and record[64] in (1, 2, 3) and any(record[65:69])


def is_legal(name, item):
    """Whether the content of a frame keeps the rules that its encoding does not show."""
    keys = {entry["key"]: entry for entry in item["map"]}
    if name == "knock":
        lengths = {1: (32, 32), 2: (1, 512), 3: (1, 1)}
        step, count = int(keys[1]["number"]), len(keys[5]["bytes"]) // 2
        return step in lengths and lengths[step][0] <= count <= lengths[step][1]
    if name == "receipts":
        count = len(keys[5]["bytes"]) // 2
        return count % 80 == 0 and 80 <= count <= 16_000
    if name == "members" and 3 in keys:
        return 0 < len(keys[3]["array"]) <= 64 and all(map(is_record, keys[3]["array"]))
    if name == "hello":
        return int(keys[13]["number"]) >= 262_144
    if name == "goodbye":
        return 2 in keys
    if name == "conversations":
        return len(keys[1]["bytes"]) > 0 and len(keys[1]["bytes"]) % (2 * 16 * 8) == 0
    if name == "stored":
        return is_position(keys[3]) and (5 not in keys or keys[5]["bool"])
    if name == "feed":
        return is_position(keys[5]) and is_position(keys[9])
    if name == "audit":
        return is_position(keys[3]) and is_position(keys[5])
    if name in ("have", "want"):
        packed = bytes.fromhex(keys[3]["bytes"])
        entries = [packed[start:start + 64] for start in range(0, len(packed), 64)]
        return len(entries) > 0 and all(is_legal_entry(entry, name) for entry in entries)
    if name == "blobWant":
        indices = [int(index["number"]) for index in keys[5]["array"]]
        return len(indices) > 0 and all(a < b for a, b in zip(indices, indices[1:]))
    if name == "pairing":
        step, length = int(keys[1]["number"]), len(keys[3]["bytes"]) // 2
        lengths = {1: (32, 32), 2: (32, 32), 3: (0, 0), 4: (1, 512), 5: (1, 1), 6: (45, 108),
                   7: (1, 512), 8: (32, 32)}
        low, high = lengths.get(step, (1, 0))
        offers = [key for key in (5, 7) if key in keys]
        return (low <= length <= high and len(offers) <= 1
                and all(keys[key]["bool"] and step == 1 for key in offers))
    if name == "spare":
        return int(keys[1]["number"]) <= 1
    if name == "origin" and 11 in keys:
        host = keys[11]["array"]
        return len(host) == 3 and 1 <= int(host[2]["number"]) <= 64
    if name == "signal":
        return (0 < int(keys[5]["number"]) < 1 << 48 and int(keys[7]["number"]) < 256
                and len(keys[9]["bytes"]) <= 2 * 512)
    if name == "peers":
        return len(keys[3]["array"]) > 0
    return True


def is_position(item):
    """Whether a node can have reached this position."""
    return int(item["number"]) < 1 << 62


def is_legal_entry(entry, name):
    position, sequence, revision = (int.from_bytes(entry[start:start + 8], "big")
                                    for start in (0, 40, 48))
    # The highest bit requests the confirmation of a position, which 0 is not.
    if position == 1 << 63 or position & (1 << 63) - 1 >= 1 << 62:
        return False
    position &= (1 << 63) - 1
    if sequence > 0 and revision > 0:
        return True
    if name == "want":
        return False
    if sequence > 0:
        return position == 0
    return position > 0 and not any(entry[8:])


def prefix_bytes(prefix):
    """The bytes in front of an envelope in a frame of its own."""
    return (prefix["conversation"].to_bytes(4, "big") + bytes([prefix["hops"], 0, 0, 0])
            + prefix["position"].to_bytes(8, "big"))


def expanded(body, depth):
    """The bodies of the envelope frames that a batch frame stands for, all with short indices."""
    conversation, signature, rest = body[:4], body[4:68], body[68:]
    path = b""
    while rest:
        position, hops, steps, index = rest[:8], rest[8:9], rest[9], rest[10:12]
        length = int.from_bytes(rest[12:16], "big")
        hashes, rest = rest[16:16 + 32 * steps], rest[16 + 32 * steps:]
        items, rest = rest[:length], rest[length:]
        path = hashes + path[32 * steps:]
        proof = bytes([0x84, 2, 0x58, 64]) + signature + index[1:] + bytes([0x58, 32 * depth])
        yield conversation + hops + bytes(3) + position + items + proof + path


def check_signal(stored):
    """A signal of the first device of envelope.json, in its conversation and first session."""
    vectors = items.load("envelope.json")
    conversation, device = vectors["conversation"], vectors["devices"][0]
    keys = {entry["key"]: entry for entry in stored["map"]}
    dot = bytes.fromhex(device["origin"]) + int(keys[5]["number"]).to_bytes(8, "big")
    prefix = b"parley signal 1" + bytes.fromhex(conversation["id"]) + dot
    key = derive(bytes.fromhex(conversation["readKey"]), b"parley signal" + dot[:16])
    content = b"\xa2\x01\x01\x03\x50" + bytes.fromhex(vectors["sessions"][0]["bytes"])
    sealed = bytes.fromhex(keys[9]["bytes"])
    encrypted = AESGCM(key).encrypt(sealed[:12], content, prefix)
    same("signal: sealed", keys[9]["bytes"], (sealed[:12] + encrypted).hex())
    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(device["privateKey"]))
    same("signal: signature", keys[11]["bytes"], private.sign(prefix + sealed).hex())


def main():
    first = bytes.fromhex(items.load("envelope.json")["envelopes"][0]["envelope"])
    for frame in items.load("frames.json")["frames"]:
        name = frame["name"]
        same(f"{name}: type", frame["type"], KINDS[name.split(",")[0]])
        if "prefix" in frame:
            body = prefix_bytes(frame["prefix"]) + first
        else:
            body = encode(frame["body"])
            same(f"{name}: legal", is_legal(name.split(",")[0], frame["body"]), True)
            if name == "signal":
                check_signal(frame["body"])
        whole = len(body).to_bytes(3, "big") + bytes([frame["type"]]) + body
        same(f"{name}: bytes", frame["bytes"], whole.hex())
    for frame in items.load("frames.json")["refused"]:
        name, body = frame["name"], encode(frame["body"])
        same(f"{name}: type", frame["type"], KINDS[name.split(",")[0]])
        whole = len(body).to_bytes(3, "big") + bytes([frame["type"]]) + body
        same(f"{name}: bytes", frame["bytes"], whole.hex())
        same(f"{name}: legal", is_legal(name.split(",")[0], frame["body"]), False)
        same(f"{name}: goodbye", frame["goodbye"],
             "overLimit" if "2^62" in name else "malformed")
    batch = items.load("frames.json")["batch"]
    whole = bytes.fromhex(batch["bytes"])
    same("batch: header", whole[:4], (len(whole) - 4).to_bytes(3, "big") + bytes([35]))
    bodies = list(expanded(whole[4:], 2))
    same("batch: count", len(bodies), len(batch["envelopes"]))
    envelopes = items.load("envelope.json")["envelopes"]
    for body, member in zip(bodies, batch["envelopes"]):
        envelope = bytes.fromhex(envelopes[member["envelope"]]["envelope"])
        same("batch: envelope", body.hex(), (prefix_bytes(member["prefix"]) + envelope).hex())
    print(f"frames.json: {items.checked} values are right")


main()
