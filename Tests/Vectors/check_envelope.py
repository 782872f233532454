#!/usr/bin/env python3
"""Checks envelope.json with other code than Parley's: Python's hashlib and `cryptography`.

Exits with 0 and one line if every value follows from the rules in docs/protocol.md.
"""
import uuid

import items
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from items import by_name, derive, encode, mac, same, sha256, tie_break

KEY_INFO = bytes.fromhex("302a300506032b6570032100")


def key_of(private):
    return Ed25519PrivateKey.from_private_bytes(private)


def seal(key, nonce, plaintext, associated):
    return nonce + AESGCM(key).encrypt(nonce, plaintext, associated)


class Conversation:
    def __init__(self, stored):
        seed = bytes.fromhex(stored["writerSeed"])
        self.write_key = key_of(derive(seed, b"parley write"))
        public = self.write_key.public_key().public_bytes_raw()
        self.read_key = derive(seed, b"parley read")
        self.relay_key = derive(self.read_key, b"parley relay")
        self.tag_key = derive(self.read_key, b"parley tag")
        self.id = sha256(public)
        same("public W", stored["publicWriteKey"], public.hex())
        same("K", stored["readKey"], self.read_key.hex())
        same("R", stored["relayKey"], self.relay_key.hex())
        same("conversation ID", stored["id"], self.id.hex())
        same("tag key", stored["tagKey"], self.tag_key.hex())

    def tag(self, session):
        return mac(self.tag_key, session)[:16]


class Device:
    def __init__(self, stored, conversation):
        self.key = key_of(bytes.fromhex(stored["privateKey"]))
        public = self.key.public_key().public_bytes_raw()
        identity = sha256(KEY_INFO + public)
        same("public key", stored["publicKey"], public.hex())
        same("device ID", stored["id"], identity.hex())
        certificate = conversation.write_key.sign(b"parley device 1" + identity)
        same("certificate", stored["certificate"], certificate.hex())
        named = conversation.id + identity + bytes.fromhex(stored["epoch"])
        same("origin input", stored["originInput"], named.hex())
        self.origin = sha256(named)[:16]
        same("origin", stored["origin"], self.origin.hex())
        name = sha256(b"parley participant" + conversation.id + identity)
        same("participant hash", stored["participantHash"], name.hex())
        same("participant", stored["participant"], participant_of(conversation, identity))
        self.public, self.id, self.certificate = public, identity, certificate
        self.epoch = bytes.fromhex(stored["epoch"])
        self.body_key = derive(conversation.read_key, b"parley body" + self.origin)
        self.blob_key = derive(conversation.read_key, b"parley blob" + self.origin)
        same("body key", stored["bodyKey"], self.body_key.hex())
        same("blob key", stored["blobKey"], self.blob_key.hex())


def participant_of(conversation, identity):
    name = bytearray(sha256(b"parley participant" + conversation.id + identity)[:16])
    name[6] = name[6] & 0x0F | 0x80
    name[8] = name[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(name))).upper()


def check_guest(stored, conversation, devices):
    host = devices[stored["host"]]
    key = key_of(bytes.fromhex(stored["privateKey"]))
    public = key.public_key().public_bytes_raw()
    identity = sha256(b"parley guest device 1" + host.id + bytes([stored["seat"]]) + public)
    same("guest: public key", stored["publicKey"], public.hex())
    same("guest: ID", stored["id"], identity.hex())
    seat = stored["seat"]
    signed = b"parley guest 1" + conversation.id + identity + bytes([seat])
    same("guest: signed", stored["signed"], signed.hex())
    certificate = host.key.sign(signed)
    same("guest: certificate", stored["certificate"], certificate.hex())
    named = conversation.id + identity + host.epoch
    same("guest: origin input", stored["originInput"], named.hex())
    same("guest: origin", stored["origin"], sha256(named)[:16].hex())
    same("guest: participant", stored["participant"], participant_of(conversation, identity))
    # The frame, written by hand: a map of five keys, the last of them an array of three.
    frame = b"\xa5\x01\x00\x03\x58\x20" + public + b"\x05\x1b" + host.epoch
    frame += b"\x07\x58\x40" + certificate
    frame += b"\x0b\x83\x58\x20" + host.public + b"\x58\x40" + host.certificate + bytes([seat])
    same("guest: frame", stored["frame"], frame.hex())
    same("guest: frame items", stored["frame"], encode(stored["frameItems"]).hex())


def check_envelope(stored, conversation, author):
    """Checks all but the signature; returns the digest."""
    name = stored["name"]
    header = encode(stored["headerItems"])
    body = encode(stored["bodyItems"])
    same(f"{name}: header", stored["header"], header.hex())
    same(f"{name}: body", stored["body"], body.hex())
    associated = conversation.id + header
    same(f"{name}: associated data", stored["associatedData"], associated.hex())
    sealed = seal(author.body_key, bytes.fromhex(stored["nonce"]), body, associated)
    same(f"{name}: sealed", stored["sealed"], sealed.hex())
    sealed_item = encode({"bytes": stored["sealed"]})
    digest = sha256(b"parley envelope 2" + conversation.id + header + sealed_item)
    same(f"{name}: digest", stored["digest"], digest.hex())
    items_of_header = by_name(stored["headerItems"]["array"])
    session = bytes.fromhex(by_name(stored["bodyItems"]["map"])["session"]["bytes"])
    same(f"{name}: tag", items_of_header["tag"]["bytes"], conversation.tag(session).hex())
    same(f"{name}: origin", items_of_header["origin"]["bytes"], author.origin.hex())
    tie = tie_break(
        items_of_header["tag"]["bytes"],
        items_of_header["origin"]["bytes"],
        int(items_of_header["revision"]["number"]),
    )
    same(f"{name}: tie break", stored["tieBreak"], tie)
    whole = header + sealed_item + encode(stored["proofItems"])
    same(f"{name}: envelope", stored["envelope"], whole.hex())
    return digest


def check_proof(stored, digest, author):
    proof = by_name(stored["proofItems"]["array"])
    if proof["type"]["number"] == "1":
        same(f"{stored['name']}: signature", proof["signature"]["bytes"], author.key.sign(digest).hex())
        return
    index = int(proof["index"]["number"])
    path = bytes.fromhex(proof["path"]["bytes"])
    node = digest
    for step in range(len(path) // 32):
        sibling = path[32 * step : 32 * step + 32]
        node = sha256(b"\1" + (sibling + node if index >> step & 1 else node + sibling))
    signed = author.key.sign(b"parley batch 2" + node)
    same(f"{stored['name']}: signature", proof["signature"]["bytes"], signed.hex())


def check_batch(stored, digests, author):
    level = [digests[index] for index in stored["envelopes"]]
    while len(level) < 2 or len(level) & len(level) - 1:
        level.append(bytes(32))
    levels = [level]
    while len(level) > 1:
        level = [sha256(b"\1" + level[i] + level[i + 1]) for i in range(0, len(level), 2)]
        levels.append(level)
    same("batch", stored["levels"], [[node.hex() for node in level] for level in levels])
    signed = b"parley batch 2" + level[0]
    same("batch signed", stored["signed"], signed.hex())
    same("batch signature", stored["signature"], author.key.sign(signed).hex())


# The y of the points whose order divides 8, where each is below the prime.
PRIME = 2**255 - 19
SMALL_ORDER = {
    0,
    1,
    PRIME - 1,
    int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"),
    int.from_bytes(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little"),
}


def is_excluded(point):
    """Whether a public key or an R is not reduced, or of small order: libraries differ there."""
    y = int.from_bytes(point, "little") % 2**255
    return y >= PRIME or y in SMALL_ORDER


def is_valid(stored):
    key, signature = bytes.fromhex(stored["publicKey"]), bytes.fromhex(stored["signature"])
    return not is_excluded(key) and not is_excluded(signature[:32]) and library_accepts(stored)


def library_accepts(stored):
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(stored["publicKey"]))
        key.verify(bytes.fromhex(stored["signature"]), bytes.fromhex(stored["message"]))
    except (InvalidSignature, ValueError):
        return False
    return True


def main():
    vectors = items.load("envelope.json")
    conversation = Conversation(vectors["conversation"])
    devices = [Device(stored, conversation) for stored in vectors["devices"]]
    check_guest(vectors["guest"], conversation, devices)
    for stored in vectors["sessions"]:
        session = bytes.fromhex(stored["bytes"])
        same("session", stored["uuid"], str(uuid.UUID(bytes=session)).upper())
        same("session tag", stored["tag"], conversation.tag(session).hex())
    digests = []
    for stored in vectors["envelopes"]:
        author = devices[stored["author"]]
        digests.append(check_envelope(stored, conversation, author))
        check_proof(stored, digests[-1], author)
    check_batch(vectors["batch"], digests, devices[0])
    blob = vectors["blob"]
    content = bytes.fromhex(blob["content"])
    key = devices[blob["author"]].blob_key
    sealed = seal(key, bytes.fromhex(blob["nonce"]), content, conversation.id)
    same("blob", blob["sealed"], sealed.hex())
    same("blob content", blob["contentHash"], sha256(content).hex())
    same("blob ID", blob["id"], sha256(sealed).hex())
    for stored in vectors["membership"]:
        message = bytes.fromhex(stored["exporter"]) + bytes([stored["role"]]) + conversation.id
        same("membership message", stored["message"], message.hex())
        same("membership tag", stored["tag"], mac(conversation.relay_key, message)[:16].hex())
    for stored in vectors["signatures"]:
        same("a signature's validity", stored["isValid"], is_valid(stored))
    print(f"envelope.json: {items.checked} values are right")


main()
