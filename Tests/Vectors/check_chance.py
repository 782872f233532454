#!/usr/bin/env python3
"""Checks chance.json with other code than Parley's: chains and rolls of docs/protocol.md, section Rolls.

Exits with 0 and one line if every link, salt and value follows from the secrets.
"""
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


def dice(value, count, sides):
    number, found = int.from_bytes(value, "big"), []
    for _ in range(count):
        number, rest = divmod(number, sides)
        found.append(rest + 1)
    return found


def main():
    file = items.load("chance.json")
    game = bytes.fromhex(file["game"])
    chains = []
    for row in file["chains"]:
        participant, secret = bytes.fromhex(row["participant"]), bytes.fromhex(row["secret"])
        own = [chain(game, participant, secret, letter) for letter in (b"x", b"y")]
        same("anchors", row["anchors"], (own[0][0] + own[1][0]).hex())
        for reveal in row["reveals"]:
            for kind, links in zip(("open", "hidden"), own):
                same("link", reveal[kind][1], links[reveal[kind][0]].hex())
        chains.append(own)
    for row in file["rolls"]:
        check_roll(row, game, chains)
    for row in file["dice"]:
        same("dice", row["dice"], dice(bytes.fromhex(row["value"]), len(row["dice"]), row["sides"]))
    print(f"chance.json: {items.checked} links, salts and values are right")


if __name__ == "__main__":
    main()
