#!/usr/bin/env python3
"""Checks members.json with other code than Parley's.

Exits with 0 and one line if every value follows from the rules in docs/protocol.md.
"""
import items
from items import derive, encode, head, load, same, sha256
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
import hashlib

ADMISSION = 133


def read(data, start):
    """A number or a byte string, and where it ends."""
    major, short = data[start] >> 5, data[start] & 31
    width = {24: 1, 25: 2, 26: 4, 27: 8}.get(short, 0)
    argument = int.from_bytes(data[start + 1:start + 1 + width], "big") if width else short
    end = start + 1 + width
    if major == 0:
        return argument, end
    return data[end:end + argument], end + argument


def read_map(data):
    values, place = {}, 1
    for _ in range(data[0] & 31):
        key, place = read(data, place)
        values[key], place = read(data, place)
    same("end of the map", place, len(data))
    return values


def item(value):
    return {"number": value} if isinstance(value, int) else {"bytes": value.hex()}


def id_of(values):
    statement = encode({"map": [{"key": key, **item(values[key])} for key in range(1, 20, 2)]})
    return sha256(b"parley generation 1" + statement)


def verify(name, key, signature, signed):
    items.checked += 1
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
    except InvalidSignature:
        raise SystemExit(f"{name}: the signature is wrong")


def device_id(key):
    return sha256(bytes.fromhex("302a300506032b6570032100") + key)


def rank_of(values, creator):
    """The rank of an author: the steps, the numbers of its admissions, its ID."""
    path = values[11]
    steps = [path[at:at + ADMISSION] for at in range(0, len(path), ADMISSION)]
    reached = device_id(creator)
    for step in steps:
        same("path", device_id(step[:32]), reached)
        same("path, role", step[64], 3)
        verify("path", step[:32], step[69:], b"parley admission 1" + values[1] + step[32:69])
        reached = step[32:64]
    same("path, author", device_id(values[9]), reached)
    return len(steps), [int.from_bytes(step[65:69], "big") for step in steps], reached


def listing(conversation, device, role=3):
    return sha256(b"parley stays" + conversation + device)[:15] + bytes([role])


def check_generation(vectors):
    stored, conversation = vectors["generation"], bytes.fromhex(vectors["birth"]["conversation"])
    values = read_map(bytes.fromhex(stored["record"]))
    seed, parent = bytes.fromhex(stored["seed"]), bytes.fromhex(stored["parentSeed"])
    boxes = bytes.fromhex(stored["boxes"])
    read_key = derive(seed, b"parley read")
    parent_key = Ed25519PrivateKey.from_private_bytes(derive(parent, b"parley write"))
    write_key = Ed25519PrivateKey.from_private_bytes(derive(seed, b"parley write"))
    same("conversation", values[1], conversation)
    same("parent", values[3], conversation)
    same("number", values[5], 2)
    same("public W", values[7], write_key.public_key().public_bytes_raw())
    same("check", values[17], sha256(b"parley check" + read_key)[:16])
    same("boxes", values[19], sha256(boxes))
    same("ID", stored["id"], id_of(values).hex())
    same("sum", stored["sum"], sha256(b"parley member 1\1" + id_of(values)).hex())
    signed = b"parley rotation 1" + id_of(values)
    verify("W", parent_key.public_key().public_bytes_raw(), values[21], signed)
    verify("device", values[9], values[23], signed)
    earlier = AESGCM(derive(read_key, b"parley earlier"))
    same("nonce", values[15][:12], bytes(12))
    same("earlier K", earlier.decrypt(bytes(12), values[15][12:], b""),
         derive(parent, b"parley read"))
    ephemeral = X25519PrivateKey.from_private_bytes(bytes.fromhex(stored["ephemeral"]))
    same("E", boxes[:32], ephemeral.public_key().public_bytes_raw())
    check_boxes(stored, values, boxes, seed)
    return values, write_key


def check_boxes(stored, values, boxes, seed):
    read_key = derive(seed, b"parley read")
    secrets = {3: seed, 2: read_key, 1: derive(read_key, b"parley relay")}
    listings = [values[13][at:at + 16] for at in range(0, len(values[13]), 16)]
    same("ascending", listings, sorted(set(listings)))
    same("length of the boxes", len(boxes), 32 + 49 * len(listings))
    for stays in stored["stays"]:
        private = bytes.fromhex(stays["deviceSeed"])
        key = Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()
        place = 32 + 49 * listings.index(listing(values[1], device_id(key), stays["role"]))
        same("role", boxes[place], stays["role"])
        # The X25519 secret that belongs to an Ed25519 key: the scalar of RFC 8032.
        own = X25519PrivateKey.from_private_bytes(hashlib.sha512(private).digest()[:32])
        shared = own.exchange(X25519PublicKey.from_public_bytes(boxes[:32]))
        info = b"parley box 1" + values[1] + values[3] + values[7] + boxes[:32] + key
        box_key = derive(sha256(shared), info + bytes([stays["role"]]))
        opened = AESGCM(box_key).decrypt(bytes(12), boxes[place + 1:place + 49], b"")
        same("secret", opened, secrets[stays["role"]])


def check_vouch(vectors, generation, write_key):
    record = bytes.fromhex(vectors["vouch"]["record"])
    statement, signatures = record[:-128], record[-128:]
    digests = [statement[at:at + 16] for at in range(112, len(statement), 16)]
    same("vouch, conversation", statement[:32], generation[1])
    same("vouch, generation", statement[32:64], id_of(generation))
    same("vouch, digests", digests, sorted(set(digests)))
    same("vouch, ID", vectors["vouch"]["id"], sha256(statement).hex())
    signed = b"parley vouch 1" + sha256(statement)
    verify("vouch, W", write_key.public_key().public_bytes_raw(), signatures[:64], signed)
    verify("vouch, device", statement[64:96], signatures[64:], signed)


def check_frame(vectors):
    birth, made = vectors["birth"], vectors["generation"]
    record = bytes.fromhex(made["record"])
    generation = len(record).to_bytes(4, "big") + record + bytes.fromhex(made["boxes"])
    frame = bytes.fromhex(vectors["frame"])
    records = [(1, bytes.fromhex(birth["writeKey"] + birth["creator"])), (2, generation)]
    # The admission is of no other value here, and is taken from the frame.
    vouch = bytes.fromhex(vectors["vouch"]["record"])
    before = head(5, 3) + head(0, 1) + head(0, 1) + head(0, 3) + head(4, 4)
    for kind, packed in records:
        before += head(4, 2) + head(0, kind) + head(2, len(packed)) + packed
    before += head(4, 2) + head(0, 3) + head(2, ADMISSION)
    after = head(4, 2) + head(0, 4) + head(2, len(vouch)) + vouch + head(0, 5) + head(0, 7)
    start = frame.index(before[:20])
    body = frame[start:]
    same("frame, beginning", body[:len(before)], before)
    same("frame, end", body[len(before) + ADMISSION:], after)


def line_of(records, creator, conversation):
    """The line by the rules, from the set of records."""
    by_id = {id_of(values): values for values in records}
    ranks = {key: rank_of(values, creator) for key, values in by_id.items()}

    def children(parent):
        return [key for key, values in by_id.items() if values[3] == parent]

    def best(key):
        return min([ranks[key]] + [best(child) for child in children(key)])

    def place(key):
        author = listing(conversation, device_id(by_id[key][9]))
        stays = [by_id[key][13][at:at + 16] for at in range(0, len(by_id[key][13]), 16)]
        return best(key), ranks[key], author in stays, key

    line, parent = [], conversation
    while children(parent):
        parent = min(children(parent), key=place)
        line.append(parent.hex())
    return line


def main():
    vectors = load("members.json")
    birth = vectors["birth"]
    creator = bytes.fromhex(birth["creator"])
    conversation = sha256(b"parley birth 1" + bytes.fromhex(birth["writeKey"]) + creator)
    same("conversation ID", birth["conversation"], conversation.hex())
    generation, write_key = check_generation(vectors)
    check_vouch(vectors, generation, write_key)
    check_frame(vectors)
    for tree in vectors["lines"]:
        records = [read_map(bytes.fromhex(record)) for record in tree["records"]]
        same(tree["name"], tree["line"], line_of(records, creator, conversation))
    print(f"members.json: {items.checked} values are right")


main()
