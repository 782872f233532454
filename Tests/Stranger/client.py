#!/usr/bin/env python3
"""A client of Parley, written from docs/protocol.md and docs/protocol.cddl alone.

It is a member of one conversation with one link, which it dials. Left out are what a node may leave out or
what one link does not need: blobs, files, signals, pairing, audits of its own, pruning, slots, and the share
of each author in the records of a branch. Each start is a new epoch: the log is synced before `stored` and
receipts, and never read back.
"""

import argparse
import datetime
import os
import select
import socket
import sys
import time
from collections import deque

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from OpenSSL import SSL, crypto

from wire import *

REQUEST = 1 << 63
WINDOW = (1 << 20, 1 << 19, 409)
KNOWN_KEYS = {HELLO: range(1, 16), GOODBYE: (1, 2), FEED: range(1, 10), MEMBERS: range(1, 10, 2)}


class Link:
    """A TLS connection to a node that this client dialled."""

    def __init__(self, client, host, port):
        self.client = client
        self.received, self.inbox, self.ended = time.monotonic(), b"", None
        self.hello, self.own_tags, self.tags, self.number, self.peer_number = None, [], [], None, None
        self.peer_feed = self.told_line = self.sent_sum = self.told_role = False
        self.credit, self.used, self.given, self.taken = [0, 0, 0], [0, 0, 0], list(WINDOW), [0, 0, 0]
        self.known, self.introduced, self.arrivals, self.missing = set(), set(), deque(), {}
        self.complete = self.confirmed = self.highest = 0
        self.must_confirm = False
        self.sent = self.named = self.peer_stored = self.replay_end = 0
        self.waiting, self.answers, self.pinged = {}, deque(), 0.0
        self.socket = socket.create_connection((host, port), timeout=1)
        self.handshake()
        self.device = device_id(self.public)
        self.shared = False
        self.began = time.monotonic()
        self.send(HELLO, {1: "parley", 3: 2, 5: 2, 7: "stranger", 9: client.name, 11: client.nonce,
                          13: 262_144, 15: 0})

    # ------------------------------------------------------------ TLS

    def handshake(self):
        context = SSL.Context(SSL.TLS_CLIENT_METHOD)
        context.set_min_proto_version(SSL.TLS1_3_VERSION)
        context.use_certificate(crypto.load_certificate(crypto.FILETYPE_ASN1, self.client.certificate))
        context.use_privatekey(crypto.PKey.from_cryptography_key(self.client.private))
        context.set_verify(SSL.VERIFY_PEER, lambda *_: True)
        context.set_alpn_protos([b"parley"])
        self.tls = SSL.Connection(context, None)
        self.tls.set_connect_state()
        deadline = time.monotonic() + 5
        self.socket.settimeout(5)
        while True:
            try:
                self.tls.do_handshake()
                break
            except SSL.WantReadError:
                self.flush()
                need(time.monotonic() < deadline, "the handshake takes too long")
                data = self.socket.recv(65_536)
                need(data, "the node closed the connection before TLS was complete")
                self.tls.bio_write(data)
        self.flush()
        need(self.tls.get_alpn_proto_negotiated() == b"parley", "another protocol than parley")
        need(len(self.tls.get_peer_cert_chain()) == 1, "a chain of certificates")
        key = self.tls.get_peer_certificate().to_cryptography().public_key()
        need(isinstance(key, Ed25519PublicKey), "a certificate without an Ed25519 key")
        self.public = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.exporter = self.tls.export_keying_material(b"EXPORTER-parley", 32)

    def flush(self):
        while True:
            try:
                self.socket.sendall(self.tls.bio_read(65_536))
            except SSL.WantReadError:
                return

    def read(self):
        """What the socket has now, as frames."""
        data = self.socket.recv(65_536)
        if not data:
            return self.end(None, "the node ended the stream")
        self.received = time.monotonic()
        self.tls.bio_write(data)
        try:
            while True:
                self.inbox += self.tls.recv(65_536)
        except SSL.WantReadError:
            pass
        except SSL.ZeroReturnError:
            self.take_frames()
            return self.end(None, "the node ended TLS")
        self.take_frames()

    def take_frames(self):
        while self.ended is None and len(self.inbox) >= 4:
            length, kind = int.from_bytes(self.inbox[:3], "big"), self.inbox[3]
            need(length <= (262_144 if self.shared else 65_536), "a frame that is too long")
            if len(self.inbox) < 4 + length:
                return
            body, self.inbox = self.inbox[4 : 4 + length], self.inbox[4 + length :]
            self.take(kind, body)

    def send(self, kind, body):
        data = encode(body) if isinstance(body, dict) else body
        try:
            view = memoryview(len(data).to_bytes(3, "big") + u8(kind) + data)
            while view:
                view = view[self.tls.send(view[:16_384]) :]
            self.flush()
        except (OSError, SSL.Error) as error:
            self.end(None, f"the connection broke: {error!r}")

    def end(self, reason, text):
        if self.ended is None:
            self.ended = (reason, text)
            self.client.say(f"link ended: {reason} {text}")
            try:
                self.tls.shutdown()
                self.flush()
            except (OSError, SSL.Error):
                pass
            self.socket.close()

    def bye(self, reason, text=""):
        if self.ended is None:
            self.send(GOODBYE, {1: reason, 2: text[:256]})
            self.end(reason, f"said by this client: {text}")

    # ------------------------------------------------------------ Tags

    def send_tags(self):
        """The tags that were not sent yet: of the current generation, and of earlier ones."""
        client, tags = self.client, []
        keys = client.keys
        if keys:
            tags.append(self.tag(keys.relay, 0))
        for generation in client.earlier_generations():
            tags.append(self.tag(client.secrets[generation.public].relay, 0, b"parley earlier"))
        tags = [tag for tag in tags if tag not in self.own_tags]
        if self.own_tags and not tags:
            return
        tags += [os.urandom(16) for _ in range(-len(tags) % 8 if tags else 8)]
        self.own_tags += tags
        self.send(CONVERSATIONS, {1: b"".join(tags)})

    def tag(self, relay, role, suffix=b""):
        return mac(relay, self.exporter, u8(role), self.client.conversation, suffix)[:16]

    def look_for_conversation(self):
        client = self.client
        if self.shared or not self.tags:
            return
        keys = client.keys
        if keys and self.tag(keys.relay, 1) in self.tags and self.tag(keys.relay, 0) in self.own_tags:
            self.number = self.own_tags.index(self.tag(keys.relay, 0))
            self.peer_number = self.tags.index(self.tag(keys.relay, 1))
            self.shared = True
            client.say("the conversation is shared")
            return self.begin()
        known = [client.secrets.get(one.public) for one in client.generations.values()]
        proven = [self.tag(one.relay, 1, suffix) for one in known if one for suffix in (b"", b"parley earlier")]
        if not self.told_line and len(client.line) > 1 and any(tag in self.tags for tag in proven):
            self.told_line = True
            self.send(MEMBERS, {1: NOWHERE, 3: client.line_records()})

    # ------------------------------------------------------------ Frames

    def take(self, kind, body):
        if self.hello is None:
            need(kind in (HELLO, GOODBYE), "a frame before hello")
        if kind not in MAPS and kind not in (ENVELOPE, BATCH):
            return need(kind % 2 == 0, f"a frame of the unknown type {kind}")
        item = decode_map(body, KNOWN_KEYS.get(kind, range(1, 13))) if kind in MAPS else None
        if kind == HELLO:
            need(self.hello is None and item[1] == "parley", "a second hello")
            need(item[3] <= 2 <= item[5], "no common version", INCOMPATIBLE)
            self.hello = item
            self.send_tags()
        elif kind == GOODBYE:
            self.client.farewell = item[1]
            self.end(item[1], item[2])
        elif kind == PING:
            self.send(PONG, {1: item[1]})
        elif kind in (PONG, PAIRING, KNOCK):
            pass
        elif kind == CONVERSATIONS:
            tags = [item[1][n : n + 16] for n in range(0, len(item[1]), 16)]
            need(tags and len(item[1]) % 128 == 0, "tags that are no groups of 8")
            need(not set(tags) & set(self.tags), "a tag that came before")
            self.tags += tags
            need(len(self.tags) <= 4_096, "too many tags", OVER_LIMIT)
            self.look_for_conversation()
        elif kind == MEMBERS and (item[1] == NOWHERE or not self.shared):
            if item[1] == NOWHERE:
                self.client.take_records(item.get(3, []), self)
        else:
            need(self.shared, f"a frame of type {kind} while proving")
            if kind == CREDIT:
                self.credit = [item[1], item[3], item[5]]
                return
            if kind in (ENVELOPE, BATCH):
                need(len(body) > 16, "a frame that is too short")
                number = int.from_bytes(body[:4], "big")
            elif kind == SPARE:
                return
            else:
                number = item[1]
            need(number < len(self.tags), "a number without a tag", OVER_LIMIT)
            if number == self.peer_number:
                need(self.peer_feed or kind == FEED, "a frame before feed")
                self.take_member(kind, item, body)

    def take_member(self, kind, item, body):
        client = self.client
        if kind == FEED:
            need(not self.peer_feed, "a second feed")
            self.peer_feed = True
            incarnation, position = client.cursors.get(self.device, (0, 0))
            self.incarnation = item[7]
            self.complete = self.confirmed = position if incarnation == item[7] else 0
            self.sent = min(item[5], client.position) if item[3] == client.incarnation else 0
            self.named = self.peer_stored = self.sent
            self.replay_end = client.position
            self.needs_watermark = client.position > 0 and (self.sent < client.position
                                                            or item[3] != client.incarnation)
        elif kind == ENVELOPE:
            need(body[5:8] == bytes(3), "bytes that are not zero")
            self.take_envelope(int.from_bytes(body[8:16], "big"), body[4], body[16:])
        elif kind == BATCH:
            for _, position, hops, data in unbatch(body):
                self.take_envelope(position, hops, data)
        elif kind == HAVE:
            need(item[3] and len(item[3]) % 64 == 0, "entries of another length")
            for n in range(0, len(item[3]), 64):
                self.take_entry(item[3][n : n + 64])
        elif kind == WANT:
            for n in range(0, len(item[3]), 64):
                self.answers.append(item[3][n + 8 : n + 64])
        elif kind == STORED:
            self.peer_stored = max(self.peer_stored, item[3])
            self.waiting = {tag: one for tag, one in self.waiting.items() if one > self.peer_stored}
        elif kind == ORIGIN:
            client.take_origin(item)
        elif kind == AUDIT:
            if item[5] == client.position and not self.missing:
                client.audits.append(item[7] == client.audit())
            self.arrived(item[3], None)
        elif kind == BLOB_WANT:
            self.send(BLOB_CHUNK, {1: self.number, 3: item[3], 5: 0, 7: b""})
        elif kind == MEMBERS:
            self.take_members(item)
        elif kind == RECEIPTS:
            client.take_receipts(item[3], item[5])

    # ------------------------------------------------------------ Members

    def begin(self):
        """What goes out as soon as the conversation is shared."""
        client = self.client
        incarnation, position = client.cursors.get(self.device, (0, 0))
        self.send(FEED, {1: self.number, 3: incarnation, 5: position, 7: client.incarnation,
                         9: client.position})
        self.send(CREDIT, {1: self.given[0], 3: self.given[1], 5: self.given[2]})
        if len(client.line) > 1:
            self.send(MEMBERS, {1: self.number, 3: client.line_records()})
        self.tell_role()
        client.report_all()

    def tell_role(self):
        client = self.client
        if self.told_role or not client.creator or not client.certified_by:
            return
        self.told_role = True
        proof = {WRITER: client.certificate_of_w, RELAY: b""}.get(client.role)
        if proof is None:
            proof = mac(hkdf(client.invite.keys.read, b"parley card"), self.exporter, client.device)
        item = {1: self.number, 5: client.sum(), 7: u8(client.role) + (client.own_tag or bytes(8)) + proof}
        if client.role == WRITER and client.path(client.device) is None:
            item[9] = True
        self.send(MEMBERS, item)
        self.send_card()

    def send_card(self):
        if self.shared and self.client.creator and self.client.keys:
            self.send(MEMBERS, {1: self.number, 3: [[5, self.client.card().framed()]]})

    def take_members(self, item):
        client = self.client
        client.take_records(item.get(3, []), self)
        if 7 in item:
            client.take_role(self, item[7])
        if item.get(9) and client.keys and client.keys.role == WRITER:
            client.admit(self)
        if 5 in item and item[5] != client.sum() and not self.sent_sum:
            self.sent_sum = True
            client.say("the node knows other records")
            self.send(MEMBERS, {1: self.number, 3: client.all_records(), 5: client.sum()})
        self.tell_role()

    # ------------------------------------------------------------ What the peer's feed brings

    def arrived(self, position, key):
        """An entry of the peer's feed; `key` is missing until it comes."""
        if position & REQUEST:
            need(position != REQUEST, "a request without a position")
            self.must_confirm = True
            position ^= REQUEST
        need(position < 1 << 62, "a position that is too high", OVER_LIMIT)
        if position:
            need(position >= self.highest, "a position that descends")
            self.highest = position
        self.arrivals.append((position, key))

    def take_envelope(self, position, hops, data):
        self.taken[0] += 16 + len(data)
        need(self.taken[0] <= self.given[0], "more bytes than credit", OVER_LIMIT)
        envelope = Envelope(data, self.client.conversation)
        envelope.hops = min(hops + 1, 255)
        self.known.add(envelope.digest)
        self.client.take_envelope(envelope)
        self.missing.pop(envelope.name, None)
        self.arrived(position, None)

    def take_entry(self, entry):
        position, name = int.from_bytes(entry[:8], "big"), entry[8:]
        sequence, revision = int.from_bytes(name[32:40], "big"), int.from_bytes(name[40:48], "big")
        if revision == 0 and sequence == 0:
            need(position & ~REQUEST and not any(name), "a watermark with more than a position")
            return self.arrived(position, None)
        if revision == 0:
            need(position == 0, "not found with a position")
            for key in [key for key in self.missing if key[:40] == name[:40] and key[48:] == name[48:]]:
                del self.missing[key]
            return
        self.taken[2] += 1
        heads = self.client.heads.get(name[:16], [])
        dot = name[16:32], sequence
        for one in heads:
            if one.dot == dot and one.digest[:8] == name[48:]:
                self.known.add(one.digest)
                return self.arrived(position, None)
        if any(one.revision > revision and one.saw(dot) for one in heads):
            return self.arrived(position, None)
        self.missing[name] = time.monotonic()
        self.arrived(position, name)
        self.want([name])

    def want(self, names):
        self.send(WANT, {1: self.number, 3: b"".join(bytes(8) + name for name in names)})

    def confirm(self):
        """`stored`, once everything up to a position is on the disk."""
        while self.arrivals and (self.arrivals[0][1] is None or self.arrivals[0][1] not in self.missing):
            self.complete = max(self.complete, self.arrivals.popleft()[0])
        if self.complete > self.confirmed or self.must_confirm and not self.arrivals and self.complete:
            self.client.sync()
            self.confirmed, self.must_confirm = self.complete, False
            self.client.cursors[self.device] = (self.incarnation, self.complete)
            self.send(STORED, {1: self.number, 3: self.complete})
        free = [self.given[n] - self.taken[n] < WINDOW[n] // 2 for n in range(3)]
        if any(free):
            unused = (0, 0, len(self.missing))
            self.given = [max(self.given[n], self.taken[n] + WINDOW[n] - unused[n]) for n in range(3)]
            self.send(CREDIT, {1: self.given[0], 3: self.given[1], 5: self.given[2]})

    # ------------------------------------------------------------ The own feed

    def send_envelope(self, position, envelope):
        """False without the credit for it."""
        size = 16 + len(envelope.data)
        if self.used[0] + size > self.credit[0]:
            return False
        self.used[0] += size
        self.introduce(envelope.origin)
        self.send(ENVELOPE, u32(self.number) + u8(envelope.hops) + bytes(3) + u64(position) + envelope.data)
        return True

    def introduce(self, origin):
        if origin not in self.introduced:
            self.introduced.add(origin)
            self.send(ORIGIN, {**self.client.origins[origin].item, 1: self.number})

    def answer(self):
        while self.answers:
            name = self.answers[0]
            heads = self.client.heads.get(name[:16])
            if heads is not None:
                dot = name[16:32], int.from_bytes(name[32:40], "big")
                found = [one for one in heads if one.dot == dot]
                if found and not self.send_envelope(0, found[0]):
                    return
                if not found or found[0].digest[:8] != name[48:]:
                    gone = bytes(8) + name[:40] + bytes(8) + name[48:]
                    self.send(HAVE, {1: self.number, 3: gone})
            self.answers.popleft()

    def feed(self):
        client = self.client
        for position, tag in sorted((position, tag) for tag, position in client.positions.items()
                                    if position > self.sent):
            if tag in self.waiting:
                return
            heads = [one for one in client.heads.get(tag, []) if one.digest not in self.known]
            heads.sort(key=lambda one: not (one.origin == client.origin and one.position > self.replay_end))
            for one in heads:
                is_pushed = one.origin == client.origin and one.position > self.replay_end
                asked = position | REQUEST if one is heads[-1] else 0
                if is_pushed:
                    if not self.send_envelope(asked, one):
                        return
                    if asked:
                        self.waiting[tag] = position
                else:
                    if self.used[2] >= self.credit[2]:
                        return
                    self.used[2] += 1
                    self.introduce(one.origin)
                    self.send(HAVE, {1: self.number, 3: u64(asked) + one.name})
            if heads:
                self.named = position
            self.sent = position
        self.sent = max(self.sent, client.position)
        if self.needs_watermark and self.named < self.sent:
            self.named = self.sent
            self.send(HAVE, {1: self.number, 3: u64(self.sent | REQUEST) + bytes(56)})
        self.needs_watermark = False

    def tick(self):
        now = time.monotonic()
        if self.peer_feed and self.shared:
            self.confirm()
            self.answer()
            self.feed()
            for name in [name for name, asked in self.missing.items() if now > asked + 2]:
                self.missing[name] = now
                self.want([name])
        if self.hello is None and now > self.began + 5:
            self.bye(SILENT, "no hello")
        elif self.hello and not self.shared and now > self.began + 5:
            self.bye(NOTHING_SHARED)
        elif now > self.received + 15:
            self.bye(SILENT, "nothing was heard for 15 s")
        elif now > self.received + 4 and now > self.pinged + 4:
            self.pinged = now
            self.send(PING, {1: int(now * 1000)})


class Client:
    """A device in one conversation."""

    def __init__(self, directory, invite, name="stranger", log=None):
        self.name, self.log, self.directory = name, log, directory
        os.makedirs(directory, exist_ok=True)
        self.signer = Signer(self.load_key(os.path.join(directory, "device.key")))
        self.device = device_id(self.signer.public)
        self.disk = open(os.path.join(directory, "log"), "ab")
        self.make_certificate()
        self.nonce, self.epoch, self.incarnation = (int.from_bytes(os.urandom(8), "big") | 1 for _ in range(3))
        self.invite = Invite(invite)
        self.conversation, self.creator = self.invite.conversation, self.invite.creator
        self.role = self.invite.keys.role
        self.secrets = {self.invite.keys.public: self.invite.keys}
        self.generations, self.certified, self.roles, self.names = {}, {}, {}, {}
        self.admissions, self.vouches, self.cards, self.publics = {}, {}, {}, {self.device: self.signer.public}
        self.line, self.own_tag, self.certified_by, self.certificate_of_w = [], b"", None, b""
        self.is_out, self.farewell, self.removals = False, None, {}
        self.origins, self.heads, self.aside, self.positions, self.position = {}, {}, [], {}, 0
        self.sequence, self.counter, self.cursors = 0, time.time_ns() // 1000, {}
        self.had, self.to_report, self.report_at = {}, set(), 0.0
        self.receipts, self.unopened, self.card_number = {}, deque(maxlen=64), time.time_ns() // 1000
        self.origin = self.participant = None
        self.link, self.address, self.dial_at, self.pause, self.refusals = None, None, 0.0, 0.2, 0
        self.audits = []
        if self.invite.is_of_birth:
            self.add_birth(self.invite.keys.public)
        self.settle(None)

    # ------------------------------------------------------------ The device

    def load_key(self, path):
        try:
            with open(path, "rb") as file:
                self.private = load_pem_private_key(file.read(), None)
        except FileNotFoundError:
            self.private = Ed25519PrivateKey.generate()
            with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
                file.write(self.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return self.private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())

    def make_certificate(self):
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "parley")])
        begin, end = datetime.datetime(2020, 1, 1), datetime.datetime(2120, 1, 1)
        made = x509.CertificateBuilder(name, name, self.private.public_key(), 1, begin, end)
        self.certificate = made.sign(self.private, None).public_bytes(Encoding.DER)

    def say(self, text):
        if self.log:
            self.log(text)

    def sync(self):
        self.disk.flush()
        os.fsync(self.disk.fileno())

    # ------------------------------------------------------------ The link

    def dial(self, host, port):
        self.address = host, port
        self.pump(0)

    def hang_up(self):
        self.address = None
        if self.link:
            self.link.bye(STOPPING)
            self.link = None

    def pump(self, seconds):
        """Works on the link for a while."""
        deadline = time.monotonic() + seconds
        while True:
            now = time.monotonic()
            if self.link and self.link.ended:
                if self.link.ended[0] == BUSY:
                    self.refusals += 1
                    self.pause = 1.0 if self.refusals <= 5 else min(10.0 * 2 ** (self.refusals - 6), 300.0)
                self.link, self.dial_at = None, now + self.pause
            if self.link is None and self.address and now >= self.dial_at and not self.is_out:
                try:
                    self.link = Link(self, *self.address)
                except (OSError, SSL.Error, Refused) as error:
                    self.say(f"dialled in vain: {error!r}")
                    self.dial_at, self.pause = now + self.pause, min(2 * self.pause, 30)
            link = self.link
            if link:
                readable, _, _ = select.select([link.socket], [], [], min(0.02, max(0, deadline - now)))
                try:
                    if readable:
                        link.read()
                    if not link.ended:
                        link.tick()
                    if not link.ended and link.shared:
                        self.pause, self.refusals = 0.2, 0
                        self.report(link)
                except Refused as refused:
                    link.bye(refused.reason, str(refused))
                except (OSError, SSL.Error) as error:
                    link.end(None, f"the connection broke: {error!r}")
            else:
                time.sleep(min(0.02, max(0, deadline - now)))
            if now >= deadline:
                return

    def until(self, condition, seconds, what):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(f"not within {seconds} s: {what}")
            self.pump(0.02)

    # ------------------------------------------------------------ Generations

    @property
    def current(self):
        return self.line[-1] if self.line else None

    @property
    def keys(self):
        """The keys of the current generation, or None for who is out."""
        if not self.line:
            return self.invite.keys
        return self.secrets.get(self.current.public)

    def earlier_generations(self):
        """The birth generation and up to 7 others before the current one, of which this client has R."""
        earlier = [one for one in self.line[:-1] if one.public in self.secrets]
        return earlier[:1] + earlier[1:][-7:]

    def add_birth(self, public):
        self.generations[self.conversation] = Generation(self.conversation, 1, public, self.creator)

    def public_of(self, tag):
        one = self.generation_of(tag)
        return one.public if one else None

    def generation_of(self, tag):
        """The generation of a tag; no tag and zeros stand for the birth generation."""
        return next((one for one in self.generations.values() if one.tag == (tag if any(tag) else b"")), None)

    def line_of(self):
        """The line that follows from the records."""
        if self.conversation not in self.generations:
            return []
        children, highest = {}, {}
        for one in sorted(self.generations.values(), key=lambda one: -one.number):
            if one.parent:
                highest[one.id] = min([one.rank] + [highest[child.id] for child in children.get(one.id, [])])
                children.setdefault(one.parent, []).append(one)
        line = [self.generations[self.conversation]]
        while children.get(line[-1].id):
            line.append(min(children[line[-1].id], key=lambda one: (
                highest[one.id], one.rank, one.lists(device_id(one.author), WRITER), one.id)))
        return line

    def settle(self, link):
        """Adopts the end of the line, if it is another generation than before."""
        before, self.line = self.current, self.line_of()
        current = self.current
        if current is None or current is before and self.keys:
            return []
        # Others may have written under keys that lost to the current ones.
        for one in self.generations.values():
            keys = one.open_box(self.signer) if one.parent and one.public not in self.secrets else None
            if keys:
                self.secrets[one.public] = keys
        for one in reversed(self.line):
            keys = self.secrets.get(one.public)
            if keys and keys.read and one.parent:
                parent = self.generations[one.parent]
                read = unseal(hkdf(keys.read, b"parley earlier"), one.earlier[:12], one.earlier[12:])
                is_sound = read and (parent.parent is None or check_of(read) == parent.check)
                if is_sound and parent.public not in self.secrets:
                    self.secrets[parent.public] = Keys(READER, read, parent.public)
        if self.certified_by is None:
            self.prove()
        self.is_out = self.certified_by is not None and not self.is_member(self.device, current, self.role)
        if self.is_out:
            self.say(f"generation {current.number} is without this device")
            return []
        if before is None or not self.keys:
            return []
        self.role = self.keys.role
        self.say(f"generation {current.number} {current.id.hex()[:16]} is current")
        made = self.vouch()
        self.sieve()
        self.report_all()
        self.again_unopened()
        if link and not link.shared:
            link.send_tags()
            link.look_for_conversation()
        return made

    def prove(self):
        """The certificate of this device, by the keys of the invite."""
        for one in self.generations.values():
            if one.public == self.invite.keys.public:
                self.certified_by, self.own_tag = one, one.tag
        if self.certified_by:
            self.certified.setdefault(self.device, set()).add(self.certified_by.id)
        if self.certified_by and self.role == WRITER:
            self.certificate_of_w = self.invite.keys.writer.sign(b"parley device 1", self.device)
            item = {1: 0, 3: self.signer.public, 5: self.epoch, 7: self.certificate_of_w}
            if self.own_tag:
                item[9] = self.own_tag
            self.take_origin(item)
            self.origin = sha(self.conversation, self.device, u64(self.epoch))[:16]
            self.participant = participant_of(self.conversation, self.device)
            self.names[self.device] = self.name
            self.roles[self.device] = self.role

    def is_member(self, device, generation, role=RELAY):
        while generation:
            if generation.id in self.certified.get(device, ()):
                return True
            if not generation.parent or not generation.lists(device, role):
                return False
            generation = self.generations[generation.parent]
        return False

    def path(self, device):
        """The admissions from the creator down to a device, those with the highest rank; None without any."""
        if self.creator is None or device == device_id(self.creator):
            return []
        best, reached = {device_id(self.creator): []}, [device_id(self.creator)]
        while reached:
            by = reached.pop(0)
            for admission in self.admissions.values():
                if admission.role == WRITER and device_id(admission.by) == by and len(best[by]) < 8:
                    path, known = best[by] + [admission], best.get(admission.device)
                    if known is None or standing(path) < standing(known):
                        best[admission.device] = path
                        reached.append(admission.device)
        return best.get(device)

    def take_records(self, records, link):
        news = []
        for kind, record in records:
            if kind == 1:
                need(len(record) == 64, "the length of a birth")
                is_known = self.conversation in self.generations
                if not is_known and sha(b"parley birth 1", record) == self.conversation:
                    self.creator = record[32:]
                    self.add_birth(record[:32])
            elif kind == 2:
                self.take_generation(Generation.read(record))
            elif kind == 3:
                self.take_admission(Admission(record))
            elif kind == 4:
                news.append(Vouch(record))
            elif kind == 5:
                self.take_card(record)
        made = self.settle(link)
        for vouch in news:
            self.take_vouch(vouch)
        if made and link.shared:
            link.send(MEMBERS, {1: link.number, 3: [[4, vouch.record] for vouch in made], 5: self.sum()})
        if made or any(kind == 2 for kind, _ in records):
            if link.shared and not self.is_out:
                link.send_card()
        self.remove_again()

    def take_generation(self, one):
        if one.conversation != self.conversation or one.parent not in self.generations:
            return
        known = self.generations.get(one.id)
        if known:
            if one.boxes and not known.boxes:
                known.boxes = one.boxes
        elif one.is_valid(self.generations[one.parent], self.creator):
            self.generations[one.id] = one
            for admission in one.path:
                self.take_admission(admission)
            self.publics[device_id(one.author)] = one.author

    def take_admission(self, one):
        need(one.is_valid(self.conversation), "an admission's signature", FORGED)
        known = self.admissions.get((one.by, one.device))
        if known is None or one.order < known.order:
            self.admissions[one.by, one.device] = one
            self.publics.setdefault(device_id(one.by), one.by)

    def admit(self, link):
        if self.path(self.device) is None or self.path(link.device) is not None:
            return
        own = [one.number for one in self.admissions.values() if one.by == self.signer.public]
        record = self.signer.public + link.device + u8(WRITER) + u32(1 + max(own, default=0))
        one = Admission(record + self.signer.sign(b"parley admission 1", self.conversation, record[32:]))
        self.take_admission(one)
        link.send(MEMBERS, {1: link.number, 3: [[3, one.record]], 5: self.sum()})

    def all_records(self):
        records = [[3, one.record] for one in self.admissions.values()]
        records += [[4, one.record] for one in self.vouches.values()]
        return (self.line_records() + records)[:64]

    def line_records(self):
        records = [[1, self.line[0].public + self.creator]] if self.creator and self.line else []
        for one in self.line[1:]:
            records.append([2, u32(len(one.record)) + one.record + (one.boxes if one is self.current else b"")])
        return records

    def sum(self):
        hashes = [sha(b"parley member 1", u8(3), one.record) for one in self.admissions.values()]
        hashes += [sha(b"parley member 1", u8(1), one.id) for one in self.vouches.values()]
        hashes += [sha(b"parley member 1", u8(1), one.id) for one in self.generations.values()
                   if one.parent or self.creator]
        return sum(int.from_bytes(one[:8], "big") for one in hashes) % 2**64

    def rotate(self, without=(), parent=None):
        """New keys, made by this device, for all known members but some."""
        parent = parent or self.current
        keys, path = self.secrets.get(parent.public), self.path(self.device)
        if not keys or keys.role != WRITER or path is None:
            raise RuntimeError("this device has no rank")
        self.roles[self.device] = WRITER
        stays = [(self.publics[device], role) for device, role in self.roles.items()
                 if device not in without and device in self.publics]
        made = Generation.make(self.conversation, parent, keys, self.signer, path, stays,
                               Keys(WRITER, os.urandom(32)), os.urandom(32))
        self.take_generation(made)
        self.removals[made.id] = set(without)
        link = self.link
        vouches = self.settle(link)
        if link and link.shared:
            records = [[2, made.framed()]] + [[4, vouch.record] for vouch in vouches]
            link.send(MEMBERS, {1: link.number, 3: records, 5: self.sum()})
            if not made.lists(link.device):
                link.bye(REMOVED)
            else:
                link.send_card()
        return made

    def remove_again(self):
        """The removals of own records that are beside the line now, but for devices that stand higher."""
        beside = [one for one in self.removals if self.generations[one] not in self.line]
        devices = set().union(*(self.removals.pop(one) for one in beside))
        without = [device for device in devices if self.is_member(device, self.current)
                   and not self.is_above(device)]
        if without and self.keys and self.keys.role == WRITER and not self.is_out:
            self.say("removals are made again")
            self.rotate(without)

    def is_above(self, device):
        path, own = self.path(device), self.path(self.device)
        return path is not None and (standing(path), device) < (standing(own), self.device)

    # ------------------------------------------------------------ Which envelopes count

    def counts(self, envelope):
        origin, generation = self.origins.get(envelope.origin), self.generation_of(envelope.generation)
        if not origin or not generation or not self.is_member(origin.device, generation, WRITER):
            return False
        return self.is_member(origin.device, self.current, WRITER) or self.is_vouched(envelope)

    def is_vouched(self, envelope):
        return any(one.origin == envelope.origin and envelope.digest[:16] in one.digests and self.holds(one)
                   for one in self.vouches.values())

    def holds(self, vouch):
        """Whether the record of the vouch's generation and each since list who vouches."""
        device, generation = device_id(vouch.device), self.current
        while generation and generation.parent and generation.lists(device, WRITER):
            if generation.id == vouch.generation:
                return True
            generation = self.generations[generation.parent]
        return False

    def vouch(self):
        """Vouches for what would be lost with the generation that has just become current."""
        made, lost = [], {}
        if self.keys.role != WRITER:
            return made
        for heads in self.heads.values():
            for one in heads:
                if not self.counts(one):
                    lost.setdefault(one.origin, set()).add(one.digest[:16])
        for origin, digests in lost.items():
            digests = sorted(digests)
            for n in range(0, len(digests), 3000):
                made.append(Vouch.make(self.conversation, self.current.id, self.keys, self.signer, origin,
                                       digests[n : n + 3000]))
        for vouch in made:
            self.take_vouch(vouch)
        return made

    def take_vouch(self, vouch):
        generation = self.generations.get(vouch.generation)
        if vouch.conversation == self.conversation and generation and vouch.id not in self.vouches:
            if vouch.is_signed_by(generation.public):
                self.vouches[vouch.id] = vouch
                self.certified.setdefault(device_id(vouch.device), set()).add(generation.id)
                self.sieve()

    def sieve(self):
        """Takes heads away that do not count, and puts back what counts again."""
        for tag, heads in list(self.heads.items()):
            out = [one for one in heads if not self.counts(one)]
            if out:
                self.aside += out
                self.change(tag, [one for one in heads if one not in out])
        again = [one for one in self.aside if self.counts(one)]
        self.aside = [one for one in self.aside if one not in again]
        for one in again:
            self.change(one.tag, merge(self.heads.get(one.tag, []), one))

    # ------------------------------------------------------------ Roles and cards

    def take_role(self, link, proof):
        role, generation, proof = proof[0], self.generation_of(proof[1:9]), proof[9:]
        if generation is None:
            return
        if role == WRITER:
            if not is_signed(generation.public, proof, b"parley device 1", link.device):
                return
        elif role == READER:
            keys = self.secrets.get(generation.public)
            key = keys and keys.read and hkdf(keys.read, b"parley card")
            if not key or mac(key, link.exporter, link.device) != proof:
                return
        self.note(link.device, link.public, role, generation, link.hello[9])

    def note(self, device, public, role, generation, name=None):
        self.certified.setdefault(device, set()).add(generation.id)
        self.publics[device] = public
        if self.is_member(device, self.current, role):
            self.roles[device] = role
            self.names[device] = name or self.names.get(device, "")

    def take_card(self, record):
        card = Card(record)
        if card.role not in (RELAY, READER, WRITER):
            return
        signed = b"parley card 1" + self.conversation + card.signed
        need(is_signed(card.device, card.signature, signed), "a card's signature", FORGED)
        device, generation = device_id(card.device), self.generation_of(card.tag)
        if generation is None or device in self.cards and self.cards[device].number >= card.number:
            return
        if card.role == WRITER:
            if not is_signed(generation.public, card.proof, b"parley device 1", device):
                return
        else:
            keys = self.secrets.get(generation.public)
            key = keys and (keys.read if card.role == READER else keys.relay)
            if not key or mac(hkdf(key, b"parley card"), device) != card.proof:
                return
        self.cards[device] = card
        key = self.keys and (self.keys.relay if card.role == RELAY else self.keys.read)
        text = key and card.text and unseal(hkdf(key, b"parley name", device), card.text[:12], card.text[12:])
        name = text[1 : 1 + text[0]].decode(errors="replace") if text else None
        self.note(device, card.device, card.role, generation, name)

    def card(self):
        self.card_number += 1
        key, generation = self.keys, self.certified_by
        secret = key.relay if self.role == RELAY else key.read
        proof = self.certificate_of_w
        if self.role != WRITER:
            own = self.secrets[generation.public]
            proof = mac(hkdf(own.relay if self.role == RELAY else own.read, b"parley card"), self.device)
        name, nonce = self.name.encode(), os.urandom(12)
        text = nonce + seal(hkdf(secret, b"parley name", self.device), nonce, u8(len(name)) + name)
        return Card.make(self.conversation, self.signer, self.role, self.own_tag, self.card_number, proof, text)

    # ------------------------------------------------------------ Messages

    def take_origin(self, item):
        origin = Origin(item, self.conversation, self.public_of)
        self.origins[origin.id] = origin
        generation = self.generation_of(origin.tag)
        self.note(origin.device, origin.host, WRITER, generation)

    def take_envelope(self, one):
        need(one.origin in self.origins, "an envelope of an unknown origin", FORGED)
        if any(head.digest == one.digest for head in self.heads.get(one.tag, [])):
            return
        need(one.is_proven(self.origins[one.origin].public), "an envelope's proof", FORGED)
        if self.counts(one):
            self.change(one.tag, merge(self.heads.get(one.tag, []), one))
        else:
            self.say(f"an envelope of {one.origin.hex()[:8]} does not count")
            self.aside = (self.aside + [one])[-1024:]

    def change(self, tag, heads):
        """Other heads of a session, on the disk and in the feed."""
        before = self.heads.get(tag, [])
        if heads == before:
            return
        self.position += 1
        self.heads[tag], self.positions[tag] = heads, self.position
        for one in heads:
            if one not in before:
                one.position = self.position
                generation = self.generation_of(one.generation)
                keys = generation and self.secrets.get(generation.public)
                if keys and keys.read:
                    one.open(keys.read, self.conversation)
                self.disk.write(u32(len(one.data)) + one.data)
                if one.origin != self.origin and not one.blobs:
                    self.had.setdefault(one.origin, set()).add(one.sequence)
                    self.to_report.add(one.origin)
                    self.report_at = self.report_at or time.monotonic() + 0.02

    def audit(self):
        """The sums over all heads, which are equal on nodes with the same ones."""
        sums = [0] * 256
        for tag, heads in self.heads.items():
            for one in heads:
                sums[tag[0]] = (sums[tag[0]] + int.from_bytes(one.digest[:8], "big")) % 2**64
        return b"".join(map(u64, sums))

    def write(self, text):
        """A text in a session of its own. Session tags are those of the birth generation's K."""
        session = self.participant[:8] + bytes([os.urandom(1)[0] & 0x3F | 0x80]) + os.urandom(7)
        birth = self.secrets[self.line[0].public]
        tag = mac(hkdf(birth.read, b"parley tag"), session)[:16]
        self.sequence += 1
        places = [one.body[3] for heads in self.heads.values() for one in heads if one.body]
        header = [tag, self.origin, self.sequence, 1, b"", self.participant, False, []]
        if self.current.tag:
            header.append(self.current.tag)
        body = {1: session, 3: 1 + max(places, default=0), 5: time.time_ns() // 1_000_000, 7: "parley.text",
                10: self.name, 11: {1: 0, 2: text}}
        one = Envelope.make(self.conversation, self.keys, self.signer, header, body, os.urandom(12))
        self.change(tag, merge([], one))
        self.sync()
        self.pump(0)
        return one

    def transcript(self):
        """The shown messages in order: author's name and text."""
        shown = [heads[0] for heads in self.heads.values() if heads and not heads[0].tombstone]
        shown.sort(key=lambda one: (one.body[3] if one.body else 0, one.dot))
        return [(self.names.get(self.origins[one.origin].device, "?"), text_in(one)) for one in shown]

    def has(self, text):
        return any(said == text for _, said in self.transcript())

    # ------------------------------------------------------------ Receipts

    def pair_key(self, device):
        shared = self.signer.agree(point_of(self.publics[device])) if device in self.publics else None
        return shared and hkdf(shared, b"parley pair 1", self.conversation, *sorted((self.device, device)))

    def report_all(self):
        self.to_report = set(self.had)
        self.report_at = self.report_at or time.monotonic() + 0.02

    def report(self, link):
        """A new set for each origin of which there is something new."""
        if not self.to_report or time.monotonic() < self.report_at:
            return
        if not link.peer_feed or not self.keys or not self.keys.read:
            return
        self.sync()
        receipt_key = hkdf(self.keys.read, b"parley receipt")
        for origin in sorted(self.to_report):
            pair = self.pair_key(self.origins[origin].device)
            if not pair or self.origins[origin].device == self.device:
                continue
            name = mac(pair, b"id")[:8]
            self.counter += 1
            contents = [(hkdf(receipt_key, b"introduction", origin, name), self.signer.public + bytes(16))]
            key, runs = hkdf(pair, b"receipt", self.device, receipt_key), runs_of(self.had[origin])
            for n in range(max(0, len(runs) - 60), len(runs), 4):
                contents.append((key, b"".join(u64(a) + u32(b) for a, b in runs[n : n + 4]).ljust(48, b"\0")))
            packed = b""
            for n, (under, content) in enumerate(contents):
                counter = u64(16 * self.counter + n)
                packed += name + counter + seal(under, bytes(4) + counter, content,
                                                b"parley receipt 1" + origin + name + counter)
            link.send(RECEIPTS, {1: link.number, 3: origin, 5: packed})
        self.to_report, self.report_at = set(), 0.0

    def take_receipts(self, origin, packed):
        need(packed and len(packed) % 80 == 0 and len(packed) <= 16_000, "the length of receipts")
        if origin in self.origins and self.origins[origin].device == self.device:
            for n in range(0, len(packed), 80):
                self.take_receipt(origin, packed[n : n + 80])

    def take_receipt(self, origin, packed):
        name, counter, sealed = packed[:8], packed[8:16], packed[16:]
        if not self.keys or not self.keys.read:
            return
        receipt_key = hkdf(self.keys.read, b"parley receipt")
        associated, nonce = b"parley receipt 1" + origin + name + counter, bytes(4) + counter
        content = unseal(hkdf(receipt_key, b"introduction", origin, name), nonce, sealed, associated)
        if content:
            self.publics.setdefault(device_id(content[:32]), content[:32])
            return
        for device in list(self.publics):
            pair = self.pair_key(device)
            if pair and mac(pair, b"id")[:8] == name:
                content = unseal(hkdf(pair, b"receipt", device, receipt_key), nonce, sealed, associated)
                if content:
                    return self.note_receipt(origin, device, int.from_bytes(counter, "big") // 16, content)
        self.unopened.append((origin, packed))

    def note_receipt(self, origin, device, number, content):
        """The runs of a receipt, of which those of the latest set count."""
        latest, sequences = self.receipts.get((origin, device), (number, set()))
        if number < latest:
            return
        if number > latest:
            sequences = set()
        for n in range(0, 48, 12):
            first, count = struct.unpack(">QI", content[n : n + 12])
            sequences |= set(range(first, min(first + count, self.sequence + 1)))
        self.receipts[origin, device] = number, sequences

    def again_unopened(self):
        again = list(self.unopened)
        self.unopened.clear()
        for origin, packed in again:
            self.take_receipt(origin, packed)

    def devices_with(self, envelope):
        """The devices that have said that they have a message of this client."""
        return {device for (origin, device), (_, sequences) in self.receipts.items()
                if origin == envelope.origin and envelope.sequence in sequences}


def standing(path):
    """What decides between ranks, before the device ID."""
    return len(path), [admission.number for admission in path]


def runs_of(numbers):
    runs = []
    for number in sorted(numbers):
        if runs and runs[-1][0] + runs[-1][1] == number:
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        else:
            runs.append((number, 1))
    return runs


def text_in(envelope):
    if not envelope.body:
        return "(unreadable)"
    layout = envelope.body.get(11, {})
    layout = layout.get(3, layout)
    return envelope.body.get(18) or layout.get(2) or envelope.body.get(9, "")


def main():
    parser = argparse.ArgumentParser(description="Joins a conversation, writes, and prints the transcript.")
    parser.add_argument("address", help="HOST:PORT of a node")
    parser.add_argument("invite", help="a link with keys; - reads it from standard input")
    parser.add_argument("--directory", default="stranger")
    parser.add_argument("--text")
    parser.add_argument("--seconds", type=float, default=3)
    options = parser.parse_args()
    invite = sys.stdin.read() if options.invite == "-" else options.invite
    client = Client(options.directory, invite, log=lambda text: print(text, file=sys.stderr))
    host, _, port = options.address.rpartition(":")
    client.dial(host.strip("[]"), int(port))
    client.until(lambda: client.link and client.link.shared, 10, "the conversation is shared")
    if options.text:
        client.write(options.text)
    client.pump(options.seconds)
    for name, text in client.transcript():
        print(f"{name}: {text}")
    client.hang_up()


if __name__ == "__main__":
    main()
