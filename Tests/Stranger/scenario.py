#!/usr/bin/env python3
"""The stranger among nodes: starts nodes on free ports of the loopback, and prints a line for each step.

    scenario.py --scenario receipts path/to/parley

The exit code is 1 if a step fails, and the last line says why.
"""

import argparse
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from client import Client, text_in
from wire import REMOVED

PATIENCE = 30


class Failure(Exception):
    pass


class Node:
    """A node of Parley in a directory of its own."""

    def __init__(self, world, name, peers=()):
        self.world, self.name, self.data = world, name, os.path.join(world.directory, name)
        os.makedirs(self.data)
        self.port = free_port()
        self.log = open(os.path.join(world.directory, name + ".log"), "a")
        self.command = [world.parley, "node", "--name", name, "--listen", f"127.0.0.1:{self.port}",
                        "--no-discovery", "--no-web", "--data", self.data]
        for peer in peers:
            self.command += ["--peer", f"127.0.0.1:{peer.port}"]
        world.nodes.append(self)
        self.start()

    def start(self):
        self.log.truncate(0)
        self.process = subprocess.Popen(self.command, env=self.world.environment, stdout=self.log,
                                        stderr=self.log)
        self.world.until(self.is_ready, f"{self.name} is ready")

    def is_ready(self):
        with open(self.log.name) as log:
            found = re.search(r"is ready: device ([A-Z2-7-]{63})", log.read())
        if self.process.poll() is not None:
            raise Failure(f"{self.name} ended with {self.process.returncode}")
        return found is not None

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def run(self, *arguments, input=None, fails=False):
        """The output of a command, while the clients go on."""
        command = [self.world.parley, *arguments, "--data", self.data, "--timeout", str(PATIENCE)]
        process = subprocess.Popen(command, env=self.world.environment, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        process.stdin.write(input or "")
        process.stdin.close()
        deadline = time.monotonic() + PATIENCE + 10
        while process.poll() is None:
            self.world.pump()
            if time.monotonic() > deadline:
                process.kill()
                raise Failure(f"{self.name} does not end: {' '.join(arguments)}")
        output = process.stdout.read()
        if fails is not None and (process.returncode != 0) != fails:
            words = " ".join(arguments)
            raise Failure(f"{self.name}: {words} ended with {process.returncode}: {output.strip()}")
        return output

    def send(self, text, *options):
        return self.run("send", "--text", text, *options)

    def has(self, text):
        return text in self.run("transcript", "--all")

    def members(self):
        return self.run("conversation", "members")


class World:
    def __init__(self, parley, directory, is_verbose):
        self.parley, self.directory, self.is_verbose = os.path.abspath(parley), directory, is_verbose
        self.nodes, self.clients = [], []
        self.environment = {"HOME": directory, "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"}

    def client(self, name, invite, node):
        log = (lambda text: print(f"    {name}: {text}", flush=True)) if self.is_verbose else None
        client = Client(os.path.join(self.directory, name), invite, name, log)
        self.clients.append(client)
        client.dial("127.0.0.1", node.port)
        return client

    def pump(self):
        for client in self.clients:
            client.pump(0.01)
        if not self.clients:
            time.sleep(0.01)

    def until(self, condition, what):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                raise Failure(f"not within {PATIENCE} s: {what}")
            self.pump()
        print(f"ok  {what}", flush=True)

    def end(self):
        for client in self.clients:
            client.hang_up()
        for node in self.nodes:
            node.stop()


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def check(condition, what):
    if not condition:
        raise Failure(what)
    print(f"ok  {what}", flush=True)


def is_linked(client):
    return lambda: client.link is not None and client.link.shared and client.link.peer_feed


def begin(world):
    """A node with a conversation, and the client in it."""
    ann = Node(world, "ann")
    ann.run("conversation", "create", "games")
    ann.send("ann was here first")
    client = world.client("stranger", ann.run("invite", "games").strip(), ann)
    world.until(is_linked(client), "the client shares the conversation by its invite")
    until_read(world, client, "ann was here first")
    world.until(lambda: client.path(client.device) is not None, "ann admits the client")
    client.write("the stranger says hello")
    until_shown(world, ann, "the stranger says hello")
    return ann, client


def join(world, name, inviter, *peers):
    node = Node(world, name, peers=[inviter, *peers])
    node.run("join", "-", input=inviter.run("invite", "games"))
    world.until(lambda: name in inviter.members(), f"{inviter.name} knows {name} as a member")
    return node


def until_admitted(world, node, inviter):
    admitted = re.compile(rf"^{node.name} \(this device\) +writer +{inviter.name} ", re.MULTILINE)
    world.until(lambda: admitted.search(node.members()), f"{node.name} is admitted by {inviter.name}")


def check_out(node, later):
    refusal = "were changed without this device"
    node.world.until(lambda: refusal in node.run("send", "--text", "from outside", fails=None),
                     f"{node.name} says that it is out")
    check(not node.has(later), f"{node.name} has nothing new")


def until_read(world, client, text):
    world.until(lambda: client.has(text), f"{client.name} reads: {text}")


def until_shown(world, node, text):
    world.until(lambda: node.has(text), f"{node.name} shows: {text}")


def until_known(world, client, message, *names):
    for name in names:
        world.until(lambda: identity_of(client, name) in client.devices_with(message),
                    f"{client.name} reads in a receipt that {name} has: {text_in(message)}")


def until_named(world, client, name):
    world.until(lambda: identity_of(client, name) in client.roles, f"{client.name} knows {name}")


def identity_of(client, name):
    return next((device for device, known in client.names.items() if known == name), None)


def receipts(world):
    """Receipts of the client and for it, also behind a node and under other keys."""
    ann, client = begin(world)
    ann.send("is this stored?", "--wait", "delivered=1")
    check(client.has("is this stored?"), "ann's message is delivered to one device, which is the client")
    ben = join(world, "ben", ann)
    ben.send("is this stored behind ann?", "--wait", "delivered=2")
    check(client.has("is this stored behind ann?"), "ben's message is delivered to two, the client behind ann")
    mine = client.write("who has this?")
    until_known(world, client, mine, "ann", "ben")
    ann.run("conversation", "rotate", "games", "--yes")
    world.until(lambda: client.current.number == 2, "the client adopts other keys")
    ann.send("and with other keys?", "--wait", "delivered=2")
    check(client.has("and with other keys?"), "receipts go on under other keys")
    mine = client.write("who has this with other keys?")
    until_known(world, client, mine, "ann", "ben")


def rotation(world):
    """Other keys, made by a node and by the client, with members who are thrown out."""
    ann, client = begin(world)
    ben = join(world, "ben", ann)
    ben.send("ben writes while he may")
    until_read(world, client, "ben writes while he may")
    ann.run("conversation", "rotate", "games", "--without", "ben", "--yes")
    world.until(lambda: client.current.number == 2 and client.keys, "the client finds other keys in its box")
    check(client.has("ben writes while he may"), "what ben wrote before stays with the client, vouched for")
    ann.send("ann without ben")
    until_read(world, client, "ann without ben")
    client.write("the stranger without ben")
    until_shown(world, ann, "the stranger without ben")
    check(ann.has("ben writes while he may"), "what ben wrote before stays with ann")
    check_out(ben, "ann without ben")

    client.hang_up()
    ann.run("conversation", "rotate", "games", "--yes")
    ann.send("ann while the stranger was away")
    client.dial("127.0.0.1", ann.port)
    world.until(is_linked(client), "the client comes back with earlier keys, and shares the conversation")
    until_read(world, client, "ann while the stranger was away")

    carl = join(world, "carl", ann)
    carl.send("carl writes while he may")
    until_read(world, client, "carl writes while he may")
    until_named(world, client, "carl")
    client.rotate(without=[identity_of(client, "carl")])
    world.until(lambda: "carl" not in ann.members(), "ann adopts the keys that the client made, without carl")
    client.write("the stranger without carl")
    until_shown(world, ann, "the stranger without carl")
    ann.send("ann without carl", "--wait", "delivered=1")
    until_read(world, client, "ann without carl")
    check(ann.has("carl writes while he may"), "what carl wrote before stays with ann")
    check_out(carl, "ann without carl")

    late = world.client("late", ann.run("invite", "games").strip(), ann)
    world.until(is_linked(late), "a second client joins by an invite with later keys")
    until_read(world, late, "ann was here first")
    until_read(world, late, "carl writes while he may")
    late.write("the second client says hello")
    until_shown(world, ann, "the second client says hello")
    until_read(world, client, "the second client says hello")
    late.hang_up()
    ann.run("conversation", "rotate", "games", "--without", "stranger", "--without", "late", "--yes")
    world.until(lambda: client.is_out and client.farewell == REMOVED, "the client learns that it is removed")
    late.dial("127.0.0.1", ann.port)
    world.until(lambda: late.is_out, "the second client, who was away, learns that it is out")


def rivals(world):
    """Two changes of keys at once, and a change by somebody with a lower rank that the client undoes."""
    ann, client = begin(world)
    carl, dora = join(world, "carl", ann), join(world, "dora", ann)
    until_named(world, client, "carl")
    until_named(world, client, "dora")
    until_admitted(world, dora, ann)
    client.hang_up()
    client.rotate(without=[identity_of(client, "carl")])
    ann.run("conversation", "rotate", "games", "--yes")
    ann.send("ann in her own line")
    client.dial("127.0.0.1", ann.port)
    until_read(world, client, "ann in her own line")
    check(client.line[1].author == client.creator, "ann's keys are those of the line, as she is the creator")
    world.until(lambda: "carl" not in ann.members(), "the client throws carl out once more, behind ann's keys")
    ann.send("ann without carl")
    until_read(world, client, "ann without carl")
    check_out(carl, "ann without carl")

    world.until(lambda: "carl" not in dora.members(), "dora has the same keys")
    parent = client.current
    dora.run("conversation", "rotate", "games", "--without", "stranger", "--yes")
    world.until(lambda: client.is_out, "dora throws the client out, which stands higher")
    client.rotate(without=[identity_of(client, "dora")], parent=parent)
    world.until(is_linked(client), "the client makes another child of the same keys, and is in again")
    client.write("the stranger stands higher")
    until_shown(world, ann, "the stranger stands higher")
    check_out(dora, "the stranger stands higher")


def between(world):
    """The client goes to and fro between two nodes without a link."""
    ann, client = begin(world)
    eva = Node(world, "eva")
    eva.run("join", "-", input=ann.run("invite", "games"))
    client.hang_up()
    client.dial("127.0.0.1", eva.port)
    until_shown(world, eva, "ann was here first")
    world.until(lambda: "stranger" in eva.members().partition("eva")[2], "the client admits eva")
    eva.send("eva writes", "--wait", "delivered=1")
    eva.run("conversation", "rotate", "games", "--yes")
    eva.send("eva writes under her own keys")
    until_read(world, client, "eva writes under her own keys")
    client.hang_up()
    client.dial("127.0.0.1", ann.port)
    until_shown(world, ann, "eva writes")
    until_shown(world, ann, "eva writes under her own keys")
    check(len(client.current.path) == 2, "the keys are eva's, whom the client admitted, whom ann admitted")


SCENARIOS = {"receipts": receipts, "rotation": rotation, "rivals": rivals, "between": between}


def main():
    parser = argparse.ArgumentParser(description="Plays the stranger's client against nodes.")
    parser.add_argument("--scenario", choices=SCENARIOS, required=True)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--keep", action="store_true", help="keep the directory with the logs of the nodes")
    parser.add_argument("parley", help="the executable")
    options = parser.parse_args()
    directory = tempfile.mkdtemp(prefix="stranger-")
    world = World(options.parley, directory, options.verbose)
    code = 0
    try:
        SCENARIOS[options.scenario](world)
    except (Failure, OSError, TimeoutError) as failure:
        print(f"failed: {failure}", flush=True)
        code = 1
    finally:
        world.end()
        if options.keep:
            print(directory)
        else:
            shutil.rmtree(directory)
    sys.exit(code)


if __name__ == "__main__":
    main()
