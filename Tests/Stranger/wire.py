"""What Parley sends, as bytes: the encoding, keys, invites, generations and envelopes.

The source of this file is docs/protocol.md with docs/protocol.cddl, and no other code.
"""

import base64
import hashlib
import hmac
import struct

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from nacl import bindings as sodium
from nacl.exceptions import CryptoError

RELAY, READER, WRITER = 1, 2, 3
NOWHERE = 2**32 - 1

HELLO, GOODBYE, CONVERSATIONS, ENVELOPE, STORED, FEED, HAVE, WANT, BLOB_WANT, BLOB_CHUNK = range(1, 20, 2)
AUDIT, CREDIT, PING, PONG, PEERS, PAIRING, ORIGIN, BATCH, MEMBERS = range(21, 38, 2)
SPARE, RECEIPTS, SIGNAL, KNOCK = 36, 38, 40, 42
MAPS = {HELLO, GOODBYE, CONVERSATIONS, STORED, FEED, HAVE, WANT, BLOB_WANT, BLOB_CHUNK, AUDIT, CREDIT,
        PING, PONG, PEERS, PAIRING, ORIGIN, MEMBERS, SPARE, RECEIPTS, SIGNAL, KNOCK}

OTHER, STOPPING, INCOMPATIBLE, NOTHING_SHARED, DUPLICATE, MALFORMED, OVER_LIMIT, SILENT = range(8)
LEFT, BUSY, SELF_LINK, FORGED, NOT_NEEDED, REMOVED = range(8, 14)


class Refused(Exception):
    """A reason to end the link, as `goodbye` has it."""

    def __init__(self, reason, text):
        super().__init__(text)
        self.reason = reason


def need(condition, text, reason=MALFORMED):
    if not condition:
        raise Refused(reason, text)


# ---------------------------------------------------------------- Encoding


def head(major, number):
    if number < 24:
        return bytes([major << 5 | number])
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if number < 1 << (8 * size):
            return bytes([major << 5 | code]) + number.to_bytes(size, "big")
    raise ValueError("a number of more than 64 bits")


def encode(item):
    if isinstance(item, bool):
        return b"\xf5" if item else b"\xf4"
    if isinstance(item, int):
        return head(0, item) if item >= 0 else head(1, -1 - item)
    if isinstance(item, bytes):
        return head(2, len(item)) + item
    if isinstance(item, str):
        text = item.encode()
        return head(3, len(text)) + text
    if isinstance(item, (list, tuple)):
        return head(4, len(item)) + b"".join(encode(element) for element in item)
    return head(5, len(item)) + b"".join(encode(key) + encode(item[key]) for key in sorted(item))


def decode_first(data, at=0, depth=0):
    """The item at a place, and the place behind it."""
    need(at < len(data), "the bytes end within an item")
    major, low = data[at] >> 5, data[at] & 31
    if major == 7:
        need(data[at] in (0xF4, 0xF5), "a simple value or a float")
        return data[at] == 0xF5, at + 1
    at += 1
    if low < 24:
        number = low
    else:
        need(low < 28, "an indefinite length")
        size = 1 << (low - 24)
        need(at + size <= len(data), "the bytes end within a head")
        number = int.from_bytes(data[at : at + size], "big")
        need(number >= (24 if size == 1 else 1 << (4 * size)), "a head that is too long")
        at += size
    if major == 0:
        return number, at
    if major == 1:
        return -1 - number, at
    if major in (2, 3):
        need(number <= len(data) - at, "a length beyond the bytes")
        part = bytes(data[at : at + number])
        if major == 2:
            return part, at + number
        try:
            return part.decode(), at + number
        except UnicodeDecodeError:
            raise Refused(MALFORMED, "text that is not UTF-8") from None
    need(major in (4, 5), "a tag")
    need(depth < 6, "items that are nested too deep")
    need(number * (major - 3) <= len(data) - at, "a length beyond the bytes")
    if major == 4:
        items = []
        for _ in range(number):
            item, at = decode_first(data, at, depth + 1)
            items.append(item)
        return items, at
    pairs, last = {}, -1
    for _ in range(number):
        key, at = decode_first(data, at, depth + 1)
        need(type(key) is int and key > last, "keys that do not ascend")
        pairs[key], at = decode_first(data, at, depth + 1)
        last = key
    return pairs, at


def decode(data):
    item, at = decode_first(data)
    need(at == len(data), "bytes behind the item")
    return item


def decode_map(data, known):
    item = decode(data)
    need(isinstance(item, dict), "no map")
    need(all(key in known or key % 2 == 0 for key in item), "an unknown odd key")
    return item


def u8(number):
    return struct.pack(">B", number)


def u32(number):
    return struct.pack(">I", number)


def u64(number):
    return struct.pack(">Q", number)


# ---------------------------------------------------------------- Primitives


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def mac(key, *parts):
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


def hkdf(key, *info):
    return mac(mac(bytes(32), key), *info, b"\x01")


def seal(key, nonce, plaintext, associated=b""):
    return AESGCM(key).encrypt(nonce, plaintext, associated)


def unseal(key, nonce, sealed, associated=b""):
    try:
        return AESGCM(key).decrypt(nonce, sealed, associated)
    except (InvalidTag, ValueError):
        return None


class Signer:
    """An Ed25519 key pair of 32 private bytes."""

    def __init__(self, private):
        self.private = private
        self.public, self.secret = sodium.crypto_sign_seed_keypair(private)

    def sign(self, *parts):
        return sodium.crypto_sign(b"".join(parts), self.secret)[:64]

    def agree(self, point):
        """X25519 of the converted private key with a point; None without one."""
        return agree(sodium.crypto_sign_ed25519_sk_to_curve25519(self.secret), point)


def agree(secret, point):
    try:
        return sodium.crypto_scalarmult(secret, point) if point else None
    except (CryptoError, RuntimeError):
        return None


def point_of(public):
    """The X25519 key of an Ed25519 key; None if it has a part of small order."""
    try:
        return sodium.crypto_sign_ed25519_pk_to_curve25519(public)
    except (CryptoError, RuntimeError):
        return None


def is_signed(public, signature, *parts):
    try:
        sodium.crypto_sign_open(signature + b"".join(parts), public)
        return True
    except (CryptoError, ValueError, TypeError):
        return False


def device_id(public):
    return sha(bytes.fromhex("302a300506032b6570032100"), public)


# ---------------------------------------------------------------- Conversations


class Keys:
    """The keys of a generation, as far as a role has them."""

    def __init__(self, role, secret, public=None):
        self.role = role
        self.seed = secret if role == WRITER else None
        self.writer = Signer(hkdf(secret, b"parley write")) if role == WRITER else None
        self.public = self.writer.public if self.writer else public
        self.read = {WRITER: hkdf(secret, b"parley read"), READER: secret}.get(role)
        self.relay = hkdf(self.read, b"parley relay") if self.read else secret

    def secret_for(self, role):
        return {WRITER: self.seed, READER: self.read, RELAY: self.relay}[role]


def check_of(read):
    return sha(b"parley check", read)[:16]


def stay_of(conversation, device, role):
    return sha(b"parley stays", conversation, device)[:15] + u8(role)


class Invite:
    """An invite with keys, versions 1, 3 and 4."""

    def __init__(self, text):
        code = text.strip().partition(":")[2]
        link = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
        if sha(b"parley invite", link[:-6])[:6] != link[-6:]:
            raise ValueError("the checksum of the invite is wrong")
        version, role, length = link[:3]
        if version not in (1, 3, 4) or role not in (RELAY, READER, WRITER):
            raise ValueError("an invite of another version or kind")
        rest = link[3:-6]
        secret, rest = rest[:32], rest[32:]
        public = None
        if role != WRITER:
            public, rest = rest[:32], rest[32:]
        self.keys = Keys(role, secret, public)
        self.creator = None
        if version == 1:
            self.conversation = sha(self.keys.public)
        elif version == 3:
            self.creator, rest = rest[:32], rest[32:]
            self.conversation = sha(b"parley birth 1", self.keys.public, self.creator)
        else:
            self.conversation, rest = rest[:32], rest[32:]
        self.is_of_birth = version != 4
        if len(rest) != length:
            raise ValueError("the length of the invite is wrong")
        self.name = rest.decode()


# ---------------------------------------------------------------- Admissions and generations


class Admission:
    def __init__(self, record):
        need(len(record) == 133, "the length of an admission")
        self.record, self.by, self.device = record, record[:32], record[32:64]
        self.role, self.number, self.signature = record[64], int.from_bytes(record[65:69], "big"), record[69:]

    def is_valid(self, conversation):
        return is_signed(self.by, self.signature, b"parley admission 1", conversation, self.record[32:69])

    @property
    def order(self):
        return self.number, self.record[64:65] + self.signature


class Generation:
    """A record with its boxes, or the birth."""

    def __init__(self, identity, number, public, author, record=b"", boxes=b""):
        self.id, self.number, self.public, self.author = identity, number, public, author
        self.record, self.boxes, self.parent, self.path = record, boxes, None, []

    @classmethod
    def read(cls, data):
        length = int.from_bytes(data[:4], "big")
        need(4 <= len(data) and length <= len(data) - 4, "the length of a generation")
        record, boxes = data[4 : 4 + length], data[4 + length :]
        item = decode_map(record, range(1, 24, 2))
        need(all(key in item for key in range(1, 24, 2)), "a generation without a key")
        signed = encode({key: item[key] for key in item if key not in (21, 23)})
        made = cls(sha(b"parley generation 1", signed), item[5], item[7], item[9], record, boxes)
        made.conversation, made.parent, made.earlier, made.check = item[1], item[3], item[15], item[17]
        made.path = [Admission(item[11][n : n + 133]) for n in range(0, len(item[11]), 133)]
        made.stays = [item[13][n : n + 16] for n in range(0, len(item[13]), 16)]
        made.boxes_hash, made.signatures = item[19], (item[21], item[23])
        need(made.stays == sorted(set(made.stays)), "who stays does not ascend")
        return made

    @property
    def tag(self):
        return self.id[:8] if self.parent else b""

    @property
    def rank(self):
        return len(self.path), [admission.number for admission in self.path], device_id(self.author)

    def framed(self):
        return u32(len(self.record)) + self.record + self.boxes

    def place(self, device, role=RELAY):
        """The place of a device that stays with this role or a higher one, or None."""
        for listed in range(role, WRITER + 1):
            if stay_of(self.conversation, device, listed) in self.stays:
                return self.stays.index(stay_of(self.conversation, device, listed))
        return None

    def lists(self, device, role=RELAY):
        return self.place(device, role) is not None

    def is_valid(self, parent, creator):
        signed = b"parley rotation 1" + self.id
        if self.number != parent.number + 1 or not is_signed(parent.public, self.signatures[0], signed):
            return False
        if not is_signed(self.author, self.signatures[1], signed):
            return False
        if creator is None or self.author == creator:
            return not self.path
        keys = [creator] + [admission.by for admission in self.path[1:]] + [self.author]
        return bool(self.path) and all(
            one.by == by and one.device == device_id(after) and one.role == WRITER
            and one.is_valid(self.conversation) for one, by, after in zip(self.path, keys, keys[1:]))

    def open_box(self, signer):
        """The keys in the box of a device, or None."""
        device = device_id(signer.public)
        if sha(self.boxes) != self.boxes_hash or len(self.boxes) != 32 + 49 * len(self.stays):
            return None
        if not self.lists(device):
            return None
        at = 32 + 49 * self.place(device)
        point, role, sealed = self.boxes[:32], self.boxes[at], self.boxes[at + 1 : at + 49]
        shared = signer.agree(point)
        if shared is None or role not in (RELAY, READER, WRITER):
            return None
        key = hkdf(sha(shared), b"parley box 1", self.conversation, self.parent, self.public, point,
                   signer.public, u8(role))
        secret = unseal(key, bytes(12), sealed)
        if secret is None:
            return None
        keys = Keys(role, secret, self.public)
        if keys.public != self.public or keys.read and check_of(keys.read) != self.check:
            return None
        return keys

    @classmethod
    def make(cls, conversation, parent, parent_keys, author, path, stays, keys, ephemeral):
        """A generation by its author; `stays` are pairs of Ed25519 key and role."""
        point = sodium.crypto_scalarmult_base(ephemeral)
        boxes = []
        for public, role in stays:
            shared = agree(ephemeral, point_of(public))
            if shared:
                info = conversation, parent.id, keys.public, point, public, u8(role)
                key = hkdf(sha(shared), b"parley box 1", *info)
                box = u8(role) + seal(key, bytes(12), keys.secret_for(role))
                boxes.append((stay_of(conversation, device_id(public), role), box))
        boxes.sort()
        after = point + b"".join(box for _, box in boxes)
        earlier = bytes(12) + seal(hkdf(keys.read, b"parley earlier"), bytes(12), parent_keys.read)
        item = {1: conversation, 3: parent.id, 5: parent.number + 1, 7: keys.public, 9: author.public,
                11: b"".join(admission.record for admission in path), 13: b"".join(stay for stay, _ in boxes),
                15: earlier, 17: check_of(keys.read), 19: sha(after)}
        signed = b"parley rotation 1" + sha(b"parley generation 1", encode(item))
        item[21], item[23] = parent_keys.writer.sign(signed), author.sign(signed)
        record = encode(item)
        return cls.read(u32(len(record)) + record + after)


class Vouch:
    def __init__(self, record):
        count, rest = divmod(len(record) - 240, 16)
        need(rest == 0 and 1 <= count <= 3000, "the length of a vouch")
        self.record, self.conversation, self.generation = record, record[:32], record[32:64]
        self.device, self.origin = record[64:96], record[96:112]
        self.digests = {record[112 + 16 * n : 128 + 16 * n] for n in range(count)}
        self.id = sha(record[:-128])

    def is_signed_by(self, public):
        signed = b"parley vouch 1" + self.id
        return (is_signed(public, self.record[-128:-64], signed)
                and is_signed(self.device, self.record[-64:], signed))

    @classmethod
    def make(cls, conversation, generation, keys, device, origin, digests):
        data = conversation + generation + device.public + origin + b"".join(sorted(digests))
        signed = b"parley vouch 1" + sha(data)
        return cls(data + keys.writer.sign(signed) + device.sign(signed))


class Card:
    def __init__(self, record):
        need(149 <= len(record) <= 434, "the length of a card")
        self.age, self.device, self.role = int.from_bytes(record[:4], "big"), record[4:36], record[36] & 127
        self.is_leaving, self.tag = record[36] > 127, record[37:45]
        self.number = int.from_bytes(record[45:53], "big")
        proof = 64 if self.role == WRITER else 32
        self.proof, self.text = record[53 : 53 + proof], record[53 + proof : -64]
        self.signed, self.signature = record[4:-64], record[-64:]

    @classmethod
    def make(cls, conversation, device, role, tag, number, proof, text):
        signed = device.public + u8(role) + (tag or bytes(8)) + u64(number) + proof + text
        return cls(u32(0) + signed + device.sign(b"parley card 1", conversation, signed))

    def framed(self):
        return u32(self.age) + self.signed + self.signature


# ---------------------------------------------------------------- Origins


class Origin:
    """The device or guest of an origin, with its certificates checked."""

    def __init__(self, item, conversation, public_of):
        self.public, self.epoch, self.certificate = item[3], item[5], item[7]
        self.tag = item.get(9, b"")
        write = public_of(self.tag)
        need(write is not None, "an origin of an unknown generation", OTHER)
        if 11 in item:
            self.host, by_writer, seat = item[11]
            guest = sha(b"parley guest device 1", device_id(self.host), u8(seat), self.public)
            signed = b"parley guest 1" + conversation + guest + u8(seat)
            need(is_signed(self.host, self.certificate, signed), "a guest's certificate", FORGED)
            self.device, author = device_id(self.host), guest
        else:
            self.host, by_writer = self.public, self.certificate
            self.device = author = device_id(self.public)
        need(is_signed(write, by_writer, b"parley device 1", self.device), "a certificate", FORGED)
        self.id = sha(conversation, author, u64(self.epoch))[:16]
        self.author, self.item = author, item


def participant_of(conversation, author):
    name = bytearray(sha(b"parley participant", conversation, author)[:16])
    name[6], name[8] = name[6] & 0x0F | 0x80, name[8] & 0x3F | 0x80
    return bytes(name)


# ---------------------------------------------------------------- Envelopes


class Envelope:
    def __init__(self, data, conversation):
        need(len(data) <= 65_536, "an envelope that is too long")
        header, end = decode_first(data)
        sealed, after = decode_first(data, end)
        proof = decode(data[after:])
        need(isinstance(header, list) and len(header) >= 8 and isinstance(sealed, bytes), "an envelope's items")
        self.tag, self.origin, self.sequence, self.revision, context = header[:5]
        self.next, self.tombstone, self.blobs = header[5:8]
        self.generation = header[8] if len(header) > 8 else b""
        need(1 <= self.sequence < 2**48 and 1 <= self.revision < 2**48, "an envelope's numbers")
        need(len(self.tag) == 16 and len(self.origin) == 16 and len(context) % 24 == 0, "an envelope's header")
        self.context = {context[n : n + 16]: int.from_bytes(context[n + 16 : n + 24], "big")
                        for n in range(0, len(context), 24)}
        self.data, self.header, self.sealed, self.proof = data, data[:end], sealed, proof
        self.digest = sha(b"parley envelope 2", conversation, data[:after])
        self.hops, self.body = 0, None

    @property
    def dot(self):
        return self.origin, self.sequence

    @property
    def name(self):
        """What an announcement says of it, behind the position."""
        return self.tag + self.origin + u64(self.sequence) + u64(self.revision) + self.digest[:8]

    @property
    def order(self):
        bits = int.from_bytes(self.tag, "big") ^ int.from_bytes(self.origin, "big")
        turn = self.revision % 128
        return self.revision, (bits << turn | bits >> (128 - turn)) % 2**128, self.digest

    def saw(self, dot):
        origin, sequence = dot
        return origin == self.origin and sequence <= self.sequence or self.context.get(origin, 0) >= sequence

    def dominates(self, other):
        return self.order > other.order and self.saw(other.dot)

    def is_proven(self, public):
        need(isinstance(self.proof, list) and self.proof, "a proof")
        if self.proof[0] == 1:
            need(len(self.proof) == 2, "a proof")
            return is_signed(public, self.proof[1], self.digest)
        need(self.proof[0] == 2 and len(self.proof) == 4, "a proof")
        _, signature, index, path = self.proof
        need(len(path) % 32 == 0 and 1 <= len(path) // 32 <= 10 and index < 1 << len(path) // 32, "a path")
        node = self.digest
        for n in range(0, len(path), 32):
            step = path[n : n + 32]
            node = sha(b"\x01", step, node) if index >> n // 32 & 1 else sha(b"\x01", node, step)
        return is_signed(public, signature, b"parley batch 2", node)

    def open(self, read, conversation):
        plain = unseal(hkdf(read, b"parley body", self.origin), self.sealed[:12], self.sealed[12:],
                       conversation + self.header)
        try:
            self.body = decode(plain) if plain else None
        except Refused:
            self.body = None

    @classmethod
    def make(cls, conversation, keys, signer, header, body, nonce):
        first = encode(header)
        key = hkdf(keys.read, b"parley body", header[1])
        sealed = encode(nonce + seal(key, nonce, encode(body), conversation + first))
        digest = sha(b"parley envelope 2", conversation, first, sealed)
        return cls(first + sealed + encode([1, signer.sign(digest)]), conversation)


def merge(heads, new):
    """The heads of a session with a further envelope."""
    if any(head.dot == new.dot and head.digest == new.digest for head in heads):
        return heads
    known = heads + [new]
    left = [one for one in known if not any(other.dominates(one) for other in known)]
    return sorted(left, key=lambda one: one.order, reverse=True)[:64]


def unbatch(body):
    """The `envelope` frames for which a `batch` stands: number, position, hops, envelope."""
    number, signature, at, path = int.from_bytes(body[:4], "big"), body[4:68], 68, []
    need(len(body) > 68, "a batch without an entry")
    depth, entries = None, []
    while at < len(body):
        need(at + 16 <= len(body), "an entry of a batch")
        position, hops, steps, index, length = struct.unpack(">QBBHI", body[at : at + 16])
        at += 16
        need(at + 32 * steps + length <= len(body), "an entry of a batch")
        depth = steps if depth is None else depth
        need(1 <= depth <= 10 and steps <= depth and index < 1 << depth, "an entry of a batch")
        own = [body[at + 32 * n : at + 32 * n + 32] for n in range(steps)]
        path = own + path[steps:]
        at += 32 * steps
        proof = encode([2, signature, index, b"".join(path)])
        entries.append((number, position, hops, body[at : at + length] + proof))
        at += length
    return entries
