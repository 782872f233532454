#!/usr/bin/env python3
"""Everything at once on the lab: `make soak-lab ARGS="--minutes 20 --seed 1"`, as root.

Five hosts have nodes that find each other by Avahi, each used over its control socket by a client in
Python. A sixth has a node whose page is open in a browser, and a seventh a Swift program with a node
of its own. A plan with faults that a seed determines runs meanwhile. Each client writes to a file
what it tries to send, what was acknowledged and what it reads; at the end an auditor reads all files.
"""
import argparse
import http.client
import json
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve()
BUILT = ROOT / ".build/release"
HOSTS = ["ann", "ben", "cid", "dot", "eve"]
CLIENTS = HOSTS + ["page", "swift"]
SHARED = [str(uuid.uuid5(uuid.NAMESPACE_URL, f"shared-{number}")) for number in range(4)]
TOKEN = re.compile(r"soak-[a-z]+-\d+")
# A plan has at most 5,000 steps.
MINUTES_OF_PLAN = 30


# The plan ------------------------------------------------------------------------------------------

def faults(rng, host, other):
    """The steps that begin a fault of a host, and those that end it."""
    return rng.choice([
        ([f"isolate: {host}"], []),
        ([f"cut: [{host}, {other}]"], []),
        ([f"one-way: {{from: {host}, to: {other}}}"], []),
        ([f"flap: {{between: [{host}, {other}], every: 2s, for: 6s}}"], []),
        ([f"slow: {{host: {host}, rate: {rng.choice(['256kbit', '1Mbit'])}}}"],
         [f"slow: {{host: {host}, rate: off}}"]),
        ([f"loss: {{host: {host}, share: {rng.randint(1, 20)}%}}"], []),
        ([f"duplicate: {{host: {host}, share: {rng.randint(1, 20)}%}}"],
         [f"duplicate: {{host: {host}, share: 0%}}"]),
        ([f"delay: {{host: {host}, by: {rng.randint(5, 80)}ms}}"],
         [f"delay: {{host: {host}, by: 0ms}}"]),
        ([f"reorder: {{host: {host}, up-to: {rng.randint(5, 40)}ms}}"],
         [f"reorder: {{host: {host}, up-to: 0ms}}"]),
        ([f"kill: {host}"], [f"start: {host}"]),
        ([f"kill: {host}"], [f"start: {host}"]),
        ([f"stop: {host}"], [f"start: {host}"]),
        ([f"pause: {host}"], [f"resume: {host}"]),
        ([f"avahi: {{host: {host}, do: kill}}"], [f"avahi: {{host: {host}, do: start}}"]),
        ([f"avahi: {{host: {host}, do: hang}}"], [f"avahi: {{host: {host}, do: resume}}"]),
        ([f"clock: {{host: {host}, by: {rng.choice(['-1d', '1d', '-1h', '10s'])}}}"], []),
        ([f"fill-disk: {host}"], [f"free-disk: {host}"]),
    ])


def plan(seed, minutes, folder):
    rng = random.Random(seed)
    client = f"exec python3 {HERE} client --records {folder} --seed {seed} --name"
    lines = ["plan: Everything at once", "worlds: lab", "hosts:"]
    for host in HOSTS:
        lines += [f"  {host}:", "    disk: 256MB", "    programs:",
                  f"      client: {{run: '{client} {host}', ready: {{log: ready}}}}"]
    page = f"exec python3 {HERE} page --records {folder} --seed {seed} --name page"
    swift = (f"PARLEY_SOAK={folder} PARLEY_INVITE=$(python3 {HERE} invite) exec "
             f"{BUILT}/parleyPackageTests.xctest --testing-library swift-testing "
             "--filter ParleyNodeTests.SoakClientTests")
    for host, run in [("gus", page), ("sue", swift)]:
        lines += [f"  {host}:", "    node: no", "    programs:",
                  f"      client: {{run: '{run}', ready: {{log: ready}}}}"]
    lines += ["conversations:", "  games: {writers: [" + ", ".join(HOSTS) + "]}", "steps:",
              "  - expect: {linked: all, within: 60s}"]
    passed = 0
    for number in range(1, 1_000):
        if passed > minutes * 60:
            break
        victims = rng.sample(HOSTS + ["gus", "sue"], rng.randint(1, 3))
        begin, end = [], []
        for victim in victims:
            while True:
                steps, cure = faults(rng, victim, rng.choice([h for h in HOSTS if h != victim]))
                network = steps[0].split(":")[0] in (
                    "isolate", "cut", "one-way", "flap", "slow", "loss", "duplicate", "delay",
                    "reorder")
                if network or victim in HOSTS:
                    break
            begin, end = begin + steps, end + cure
        length = rng.randint(1, 12)
        passed += length + 4
        steps = begin + [f"pass: {length}s", "heal: all"] + end + ["pass: 3s"]
        if number % 6 == 0:
            steps.append("expect: {linked: all, within: 60s}")
            passed += 2
        lines += [f"  - {step}" for step in steps]
    lines += [f"  - run: {{on: ann, command: 'touch {folder}/quiet'}}",
              "  - expect: {linked: all, within: 60s}",
              "  - expect: {same: yes, within: 60s}",
              f"  - run: {{on: ann, command: 'python3 {HERE} audit --records {folder}', "
              "exits: 0, within: 60s}"]
    return "\n".join(lines) + "\n"


# Clients -------------------------------------------------------------------------------------------

class Records:
    """The file of a client: one JSON document for each line."""

    def __init__(self, folder, name):
        self.folder, self.name, self.known, self.count = folder, name, {}, 0
        self.file = open(f"{folder}/{name}.jsonl", "a", buffering=1)

    def write(self, **fields):
        self.file.write(json.dumps(fields) + "\n")

    def attempt(self):
        self.count += 1
        token = f"soak-{self.name}-{self.count}"
        self.write(tried=token)
        return token

    def read(self, session, message, revision, token):
        """Notes what is shown of a session, if that has changed."""
        if self.known.get(session) != message:
            self.known[session] = message
            self.write(session=session, id=message, revision=revision, token=token)

    @property
    def is_quiet(self):
        return os.path.exists(f"{self.folder}/quiet")


class Socket(http.client.HTTPConnection):
    def __init__(self, data):
        super().__init__("parley", timeout=20)
        self.data = data

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(20)
        # The path of a socket has at most 107 bytes.
        folder = os.open(self.data, os.O_RDONLY)
        self.sock.connect(f"/proc/self/fd/{folder}/control.sock")
        os.close(folder)


def ask(data, method, path, body=None):
    connection = Socket(data)
    try:
        connection.request(method, "/v1" + path, json.dumps(body) if body else None,
                           {"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"null")
    finally:
        connection.close()


def message_token(entry):
    return entry.get("url") or (entry.get("layout") or {}).get("caption")


def transcript(data):
    place = "?after=start&limit=200"
    while place:
        status, answer = ask(data, "GET", "/conversations/games/transcript" + place)
        if status != 200:
            raise OSError(status)
        yield from (entry for entry in answer["entries"] if entry["kind"] == "message")
        after = answer.get("next")
        place = f"?after={after}&limit=200" if after else None


def look(data, records):
    shown = {}
    for entry in transcript(data):
        session = entry["session"].lower()
        shown[session] = entry["id"]
        records.read(session, entry["id"], entry["revision"], message_token(entry))
    others = {}
    if records.is_quiet:
        _, conflicts = ask(data, "GET", "/conversations/games/conflicts?limit=200")
        for conflict in conflicts:
            others[conflict["session"].lower()] = [other["id"] for other in conflict["others"]]
        records.write(state=shown, others=others)


def client(records, seed):
    rng = random.Random(f"{seed} {records.name}")
    own = [str(uuid.uuid5(uuid.NAMESPACE_URL, f"{records.name}-{number}")) for number in range(3)]
    print("ready", flush=True)
    while True:
        time.sleep(rng.uniform(0.2, 1))
        try:
            if not records.is_quiet:
                token = records.attempt()
                body = {"url": token, "session": rng.choice(own + SHARED)}
                status, sent = ask("data", "POST", "/conversations/games/messages", body)
                if status == 201:
                    records.write(acked=sent["id"], session=sent["session"].lower(),
                                  revision=sent["revision"], token=token)
            look("data", records)
        except (OSError, http.client.HTTPException, ValueError):
            # The node is down, or goes down: nothing was acknowledged.
            continue


def invite():
    status, made = ask("../ann/data", "POST", "/conversations/games/invites", {"role": "writer"})
    assert status == 201, made
    return made["invite"]


class Browser:
    """A browser of the host, by WebDriver."""

    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=9515"], stdout=subprocess.DEVNULL)
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu",
                            "--disable-dev-shm-usage", "--user-data-dir=" + os.path.abspath("browser")]}
        for _ in range(100):
            try:
                answer = self.send("POST", "/session", {
                    "capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}})
                break
            except OSError:
                time.sleep(0.1)
        self.path = "/session/" + answer["sessionId"]

    def send(self, method, path, body=None):
        request = urllib.request.Request("http://127.0.0.1:9515" + path, method=method,
                                         data=json.dumps(body).encode() if body else None)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def command(self, path, body):
        return self.send("POST", self.path + path, body)

    def run(self, script):
        return self.command("/execute/sync", {"script": script, "args": []})

    def type(self, text):
        box = self.command("/element", {"using": "css selector", "value": "textarea"})
        self.command(f"/element/{next(iter(box.values()))}/value", {"text": text + "\ue007"})


def page(records, seed):
    rng = random.Random(f"{seed} page")
    node = subprocess.Popen(["parley", "node", "--data", "data", "--name", "gus"])
    for _ in range(300):
        try:
            if ask("data", "POST", "/join", {"link": invite()})[0] == 201:
                break
        except OSError:
            time.sleep(0.1)
    made = subprocess.run(["parley", "page", "--conversation", "games", "--data", "data", "--json"],
                          capture_output=True, check=True)
    browser = Browser()
    browser.command("/url", {"url": json.loads(made.stdout)["link"]})
    print("ready", flush=True)
    seen = ("return [...document.querySelectorAll('article')].map(a =>"
            " [a.dataset.session, a.dataset.message, a.innerText])")
    while node.poll() is None:
        time.sleep(rng.uniform(0.5, 2))
        try:
            if not records.is_quiet:
                browser.type(records.attempt())
            for session, message, text in browser.run(seen):
                token = TOKEN.search(text or "")
                if session and message and token:
                    records.read(session.lower(), message, None, token[0])
            if records.is_quiet:
                look("data", records)
        except (OSError, http.client.HTTPException, ValueError) as error:
            print(error, flush=True)
    sys.exit(1)


# The auditor ---------------------------------------------------------------------------------------

def audit(folder):
    tried, tokens, problems, states, acked = set(), {}, [], {}, []
    documents = {name: [] for name in CLIENTS}
    for name in CLIENTS:
        if not os.path.exists(f"{folder}/{name}.jsonl"):
            problems.append(f"{name} has never run")
            continue
        with open(f"{folder}/{name}.jsonl") as file:
            for line in file:
                # The last line may be half written.
                if line.endswith("\n"):
                    documents[name].append(json.loads(line))
        tried.update(one["tried"] for one in documents[name] if "tried" in one)
    reads = 0
    for name, lines in documents.items():
        latest = {}
        for one in lines:
            if "state" in one:
                states[name] = one
            if "token" not in one:
                continue
            identity = one.get("acked") or one["id"]
            if one["token"] not in tried:
                problems.append(f"{name}: {one['token']} was never sent")
            if tokens.setdefault(identity, one["token"]) != one["token"]:
                problems.append(f"{name}: {identity} is {one['token']} and {tokens[identity]}")
            if "acked" in one:
                acked.append(one)
                continue
            reads += 1
            if one.get("revision"):
                if one["revision"] < latest.get(one["session"], 0):
                    problems.append(f"{name}: session {one['session']} went back")
                latest[one["session"]] = one["revision"]
    if len(states) < len(CLIENTS) or len({json.dumps(one["state"], sort_keys=True)
                                         for one in states.values()}) > 1:
        problems.append("not all clients show the same: " + ", ".join(
            f"{name} {len(one['state'])}" for name, one in sorted(states.items())))
    else:
        state, others = states["ann"]["state"], states["ann"]["others"]
        revisions = {}
        for lines in documents.values():
            for one in lines:
                if one.get("revision"):
                    revisions[one.get("acked") or one["id"]] = one["revision"]
        for one in acked:
            shown = state.get(one["session"])
            is_there = shown == one["acked"] or one["acked"] in others.get(one["session"], [])
            if not is_there and revisions.get(shown, 0) <= one["revision"]:
                problems.append(f"{one['token']} was acknowledged and is lost")
    print(f"soak: {len(tried)} messages tried, {len(acked)} acknowledged to clients, "
          f"{reads} changes read, {len(problems)} problems")
    for problem in problems[:20]:
        print(problem)
    return not problems


# The command ---------------------------------------------------------------------------------------

def run(minutes, seed):
    left = minutes
    while left > 0:
        part = min(left, MINUTES_OF_PLAN)
        with tempfile.TemporaryDirectory(prefix="parley-soak-") as folder:
            os.chmod(folder, 0o777)
            file = pathlib.Path(folder, "plan.yaml")
            file.write_text(plan(seed, part, folder))
            print(f"soak: seed {seed}, {part} minutes", flush=True)
            done = subprocess.run([BUILT / "parley", "lab", "run", file, "--seed", str(seed),
                                   "--logs", ROOT / ".build/soak-lab"])
            ok = audit(folder)
            if done.returncode or not ok:
                subprocess.run(["cp", "-r", folder, ROOT / f".build/soak-lab/records-{seed}"])
                sys.exit(f"soak: repeat with --minutes {part} --seed {seed}; logs in .build/soak-lab")
        left, seed = left - part, seed + 1


parser = argparse.ArgumentParser()
parser.add_argument("verb", choices=["run", "client", "page", "invite", "audit", "plan"])
parser.add_argument("--minutes", type=float, default=20)
parser.add_argument("--seed", type=int, default=int(time.time()))
parser.add_argument("--records")
parser.add_argument("--name")
chosen = parser.parse_args()
if chosen.verb == "run":
    run(chosen.minutes, chosen.seed)
elif chosen.verb == "plan":
    print(plan(chosen.seed, chosen.minutes, chosen.records), end="")
elif chosen.verb == "invite":
    print(invite())
elif chosen.verb == "audit":
    sys.exit(0 if audit(chosen.records) else 1)
else:
    {"client": client, "page": page}[chosen.verb](Records(chosen.records, chosen.name), chosen.seed)
