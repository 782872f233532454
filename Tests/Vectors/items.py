"""What the checks of the vectors share: an encoder of the items that docs/protocol.md allows."""
import hashlib
import hmac
import json
import pathlib

checked = 0


def load(name):
    return json.loads(pathlib.Path(__file__).with_name(name).read_text())


def same(name, stored, computed):
    """Ends the check if what the file has is not what the rules give."""
    global checked
    checked += 1
    if stored != computed:
        raise SystemExit(f"{name}: the file has {stored}, the rules give {computed}")


def sha256(data):
    return hashlib.sha256(data).digest()


def mac(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


def derive(key, info):
    """HKDF-SHA-256 with an empty salt and 32 bytes of output."""
    return mac(mac(bytes(32), key), info + b"\1")


def tie_break(tag, origin, revision):
    """Tag XOR origin, both in hexadecimal, rotated to the left by the revision."""
    mixed = int(tag, 16) ^ int(origin, 16)
    turn = revision % 128
    return f"{(mixed << turn | mixed >> 128 - turn) & (1 << 128) - 1:032x}"


def head(major, argument):
    for width, short in ((0, None), (1, 24), (2, 25), (4, 26), (8, 27)):
        if width == 0 and argument < 24:
            return bytes([major << 5 | argument])
        if width and argument < 1 << 8 * width:
            return bytes([major << 5 | short]) + argument.to_bytes(width, "big")
    raise ValueError(argument)


def encode(item):
    """The bytes of one item, given as the vectors give it."""
    if "number" in item:
        number = int(item["number"])
        return head(0, number) if number >= 0 else head(1, -1 - number)
    if "bytes" in item:
        content = bytes.fromhex(item["bytes"])
        return head(2, len(content)) + content
    if "text" in item:
        content = item["text"].encode()
        return head(3, len(content)) + content
    if "array" in item:
        return head(4, len(item["array"])) + b"".join(map(encode, item["array"]))
    if "map" in item:
        keys = [value["key"] for value in item["map"]]
        if keys != sorted(set(keys)):
            raise SystemExit(f"the keys {keys} do not ascend")
        values = [head(0, value["key"]) + encode(value) for value in item["map"]]
        return head(5, len(values)) + b"".join(values)
    return b"\xf5" if item["bool"] else b"\xf4"


def by_name(items):
    """The items of an array or map by their names."""
    return {item["name"]: item for item in items}
