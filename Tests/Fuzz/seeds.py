#!/usr/bin/env python3
"""Writes the seeds of the fuzzer that are in other files: vectors, plans, documents.

usage: seeds.py DIRECTORY, which gets a folder for each target
"""

import json
import pathlib
import re
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]


def vectors(name):
    return json.loads((PROJECT / "Tests/Vectors" / name).read_text())


def strings(value):
    """All texts of a document."""
    if isinstance(value, dict):
        value = value.values()
    elif isinstance(value, str):
        yield value
        return
    elif not isinstance(value, list):
        return
    for part in value:
        yield from strings(part)


def frames():
    document = vectors("frames.json")
    for entry in document["frames"] + document["refused"] + [document["batch"]]:
        yield bytes.fromhex(entry["bytes"])


def cbor():
    for frame in frames():
        yield frame[4:]
    for name in ["envelope.json", "match.json"]:
        for text in strings(vectors(name)):
            if re.fullmatch("(a[0-9]|8[0-9])([0-9a-f]{2})+", text) and len(text) < 2000:
                yield bytes.fromhex(text)


def envelopes():
    for text in strings(vectors("envelope.json")["envelopes"]):
        if re.fullmatch("8[0-9]([0-9a-f]{2}){60,}", text):
            yield bytes.fromhex(text)


def batches():
    yield bytes.fromhex(vectors("frames.json")["batch"]["bytes"])[4:]


def invites():
    for text in strings(vectors("keys.json")):
        if re.match("parley:|open:|([A-Z2-7]{7}-){7}", text):
            yield text.encode()


def plans():
    for path in sorted((PROJECT / "Tests/Plans").glob("*.yaml")):
        yield path.read_bytes()


def configuration():
    text = (PROJECT / "Deploy/parley.yaml").read_text()
    yield text.encode()
    # Every key, set.
    yield re.sub("(?m)^( *)# ([a-z-]+:)", r"\1\2", text).encode()


def control():
    documents = [
        {"url": "https://example.org", "session": "6b1b36cb-0d5c-4b3e-8a3e-6b5f0d1c2e3f",
         "caption": "Your move", "next": [], "wait": "delivered=2", "timeout": 1.5,
         "imageData": "AAEC", "imageType": "image/png", "replacing": []},
        {"name": "chess"}, {"link": "open:chess", "name": "chess"}, {"role": "writer"},
        {"deed": "send", "text": "hello"}, {"points": [[1, 2.5], [3, 4]], "width": 2},
        {"bytes": 12}, {"emoji": "x", "text": "y"}, {"code": "123456", "app": "a", "seats": 4},
    ]
    for number in range(19):
        for document in documents:
            yield bytes([number]) + json.dumps(document).encode()


def proxy():
    toxic = {"type": "latency", "stream": "both", "toxicity": 0.5, "name": "slow",
             "attributes": {"latency": 10, "jitter": 3}, "clients": ["10.0.0.0/8", "::1"]}
    kinds = re.findall(r'case \w+ = "(\w+)"',
                       (PROJECT / "Sources/ParleyProxy/Toxics/ToxicKind.swift").read_text())
    yield json.dumps(toxic).encode()
    for kind in kinds:
        yield json.dumps({"type": kind}).encode()
    yield json.dumps({"name": "a", "listen": "[::1]:0", "upstream": "localhost:http",
                      "enabled": True, "seed": -1, "toxics": [toxic]}).encode()
    yield b"/proxies/a%2fb/toxics/c"
    yield b'{"trace":1,"seed":7}\n{"ms":3,"method":"POST","path":"/reset","body":""}\n'


def main():
    for target in [frames, cbor, envelopes, batches, invites, plans, configuration, control, proxy]:
        folder = pathlib.Path(sys.argv[1]) / target.__name__
        folder.mkdir(parents=True, exist_ok=True)
        for number, seed in enumerate(target()):
            (folder / f"file-{number}").write_bytes(seed)


main()
