#!/usr/bin/env python3
"""Checks chance.json with other code than Parley's: docs/protocol.md, sections Rolls, Decks and Parts.

Exits with 0 and one line if every link, salt, value, card and part follows from the secrets.
"""
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import items
import ristretto
from items import derive, same, sha256

LAST = 256


def step(game, participant, link):
    return sha256(b"parley chain 1" + game + participant + link)


def chain(game, participant, secret, letter):
    """The links of a chain, from the anchor to the last one."""
    links = [derive(secret, b"parley chain " + letter + b" 1" + game + participant)]
    for _ in range(LAST):
        links.append(step(game, participant, links[-1]))
    return links[::-1]


def check_roll(row, game, chains):
    number, seats, giving = row["number"], row["seats"], row["giving"]
    salt = sha256(b"parley salt 1" + game + b"".join(chains[seat][0][1] for seat in seats))
    same("salt", row["salt"], salt.hex())
    start = b"parley roll 1" + salt + number.to_bytes(4, "big")
    for seat in seats:
        links = [
            chains[one][1 if one == seat and row["kind"] != "open" else 0][number]
            for one in giving
        ]
        same(f"roll {number} of {seat}", row["values"][seat], sha256(start + b"".join(links)).hex())


def public(secret):
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def agree(secret, key):
    return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(key))


def part_key(secret, single, author, conversation, game):
    """The key of a part as its recipient finds it."""
    shared = sha256(agree(secret, single) + agree(secret, author))
    return derive(shared, b"parley part 1" + conversation + game + public(secret) + author + single)


def check_part(row, conversation, game, secrets):
    same("key of a part", row["key"], public(bytes.fromhex(row["single"])).hex())
    sealed, single = bytes.fromhex(row["sealed"]), bytes.fromhex(row["key"])
    opened = []
    for to, by in [(to, by) for to in range(3) for by in range(3)]:
        for other in (game, bytes(16)):
            key = part_key(secrets[to], single, public(secrets[by]), conversation, other)
            try:
                content = AESGCM(key).decrypt(sealed[:12], sealed[12:], b"")
            except InvalidTag:
                continue
            opened.append([to, by, other == game, content.hex()])
    same("part", [[row["to"], row["by"], True, row["content"]]], opened)


def wide(data):
    return sha256(data + b"\0") + sha256(data + b"\1")


class Player:
    """What one player does to a deck."""

    def __init__(self, seed, count):
        self.seed, self.order = seed, list(range(count))
        for last in range(count - 1, 0, -1):
            drawn = int.from_bytes(sha256(b"parley order 1" + seed + bytes([last]))[:8], "big") % (last + 1)
            self.order[last], self.order[drawn] = self.order[drawn], self.order[last]
        self.mask = ristretto.scalar_of(wide(b"parley mask 1" + seed + b"\0"))
        locks = [wide(b"parley lock 1" + seed + bytes([place])) for place in range(count)]
        self.locks = [ristretto.scalar_of(lock) for lock in locks]

    def shuffle(self, points):
        return [ristretto.multiply(points[place], self.mask) for place in self.order]

    def lock(self, points):
        unmask = pow(self.mask, -1, ristretto.ORDER)
        return [ristretto.multiply(point, lock * unmask % ristretto.ORDER) for point, lock in zip(points, self.locks)]


def digest(points):
    return sha256(b"parley points 1" + b"".join(map(ristretto.encode, points)))


def content(parts):
    """The content of an addition to a deck."""
    parts = [b"".join(part) for part in parts]
    return b"\x86" + b"".join(items.head(2, len(part)) + part for part in parts)


def play(players, deck, cards, dealt, cheat=None):
    """What the players give, and the locked points; a cheat doubles the last point that is shuffled."""
    inputs, shuffled, locked, shares = [[] for _ in players], [], [], []
    points = cards
    for steps, do in ((shuffled, Player.shuffle), (locked, Player.lock)):
        for seat, player in enumerate(players):
            inputs[seat].append(digest(points))
            points = do(player, points)
            if seat == cheat and steps is shuffled:
                points = points[:-1] + [ristretto.multiply(points[-1], 2)]
            steps.append(points)
    for seat, player in enumerate(players):
        keys = [
            bytes([place, 0 if owner is None else owner + 1]) + player.locks[place].to_bytes(32, "little")
            for place, owner in enumerate(dealt) if owner != seat
        ]
        given = [map(ristretto.encode, shuffled[seat]), map(ristretto.encode, locked[seat]), keys, [player.seed]]
        shares.append(content([[deck], inputs[seat], *given]).hex())
    return shares, points


def read(share):
    """The parts of an addition to a deck."""
    data, parts = bytes.fromhex(share)[1:], []
    while data:
        width = {24: 1, 25: 2}.get(data[0] & 31, 0)
        length = int.from_bytes(data[1:1 + width], "big") if width else data[0] & 31
        parts.append(data[1 + width:1 + width + length])
        data = data[1 + width + length:]
    return parts


def split(data, size=32):
    return [data[start:start + size] for start in range(0, len(data), size)]


def cheats(shares, cards):
    """The seats that have not done what their secrets say."""
    given, found = [read(share) for share in shares], []
    decoded = [[[ristretto.decode(point) for point in split(one[part])] for part in (2, 3)] for one in given]
    for seat, (_, inputs, _, _, keys, seed) in enumerate(given):
        player = Player(seed, len(cards))
        wrong = any(key[2:] != player.locks[key[0]].to_bytes(32, "little") for key in split(keys, 34))
        befores = [decoded[seat - 1][0] if seat else cards, decoded[seat - 1][1] if seat else decoded[-1][0]]
        for named, before, do, mine in zip(split(inputs), befores, (player.shuffle, player.lock), decoded[seat]):
            if named == digest(before):
                wrong |= list(map(ristretto.encode, do(before))) != list(map(ristretto.encode, mine))
        if wrong:
            found.append(seat)
    return found


def check_deck(file, game):
    row, participants = file["deck"], [bytes.fromhex(one["participant"]) for one in file["chains"]]
    dealt, count = row["dealt"], row["count"]
    named = b"parley deck 1" + game + row["number"].to_bytes(4, "big") + bytes([count]) + b"".join(participants)
    deck = sha256(named)
    same("deck", row["deck"], deck.hex())
    players = []
    for one, participant in zip(file["chains"], participants):
        seed = derive(bytes.fromhex(one["secret"]), b"parley deck 1" + game + participant + deck)
        players.append(Player(seed, count))
    cards = [ristretto.point_of(wide(b"parley card 1" + deck + bytes([card]))) for card in range(count)]
    shares, locked = play(players, deck, cards, dealt)
    same("shares", row["shares"], shares)
    opened = []
    for place in range(len(dealt)):
        product = 1
        for player in players:
            product = product * player.locks[place] % ristretto.ORDER
        point = ristretto.multiply(locked[place], pow(product, -1, ristretto.ORDER))
        opened.append([ristretto.encode(card) for card in cards].index(ristretto.encode(point)))
    same("cards", row["cards"], opened)
    cheat = row["cheat"]
    same("cheat", cheat["shares"], play(players, deck, cards, dealt, cheat["by"])[0])
    same("who has cheated", [[], [cheat["by"]]], [cheats(one, cards) for one in (shares, cheat["shares"])])


def dice(value, count, sides):
    number, found = int.from_bytes(value, "big"), []
    for _ in range(count):
        number, rest = divmod(number, sides)
        found.append(rest + 1)
    return found


def main():
    file = items.load("chance.json")
    game = bytes.fromhex(file["game"])
    chains, secrets = [], []
    for row in file["chains"]:
        participant, secret = bytes.fromhex(row["participant"]), bytes.fromhex(row["secret"])
        own = [chain(game, participant, secret, letter) for letter in (b"x", b"y")]
        secrets.append(derive(secret, b"parley part key 1" + game + participant))
        seat = own[0][0] + own[1][0] + public(secrets[-1])
        same("seat", row["seat"], seat.hex())
        for reveal in row["reveals"]:
            for kind, links in zip(("open", "hidden"), own):
                same("link", reveal[kind][1], links[reveal[kind][0]].hex())
        chains.append(own)
    for row in file["rolls"]:
        check_roll(row, game, chains)
    for row in file["parts"]:
        check_part(row, bytes.fromhex(file["conversation"]), game, secrets)
    check_deck(file, game)
    for row in file["dice"]:
        same("dice", row["dice"], dice(bytes.fromhex(row["value"]), len(row["dice"]), row["sides"]))
    print(f"chance.json: {items.checked} links, salts, values, decks and parts are right")


if __name__ == "__main__":
    main()
