#!/usr/bin/env python3
"""Checks chance.json with other code than Parley's: docs/protocol.md, sections Rolls and Parts.

Exits with 0 and one line if every link, salt, value and part follows from the secrets.
"""
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import items
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
    for row in file["dice"]:
        same("dice", row["dice"], dice(bytes.fromhex(row["value"]), len(row["dice"]), row["sides"]))
    print(f"chance.json: {items.checked} links, salts, values and parts are right")


if __name__ == "__main__":
    main()
