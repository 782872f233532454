#!/usr/bin/env python3
"""Measures `parley proxy` beside others: the same bytes, in turns, medians of the rounds.

The others are HAProxy, Envoy, traefik and socat, as far as they are installed (`make bench-proxy`).

usage: bench-proxy.py [--rounds N] [--connections N] [PARLEY]
"""

import argparse
import contextlib
import http.client
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import threading
import time

MEGABYTES = 1_000
ROUND_TRIPS = 10_000


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def processor_seconds(pid):
    """The processor time of a process and its children, in seconds."""
    total = 0
    for one in [pid, *children(pid)]:
        with contextlib.suppress(OSError), open(f"/proc/{one}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
            total += sum(int(field) for field in fields[11:15])
    return total / os.sysconf("SC_CLK_TCK")


def children(pid):
    with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(word) for word in file.read().split()]
    return []


def connect(port, seconds=10):
    deadline = time.monotonic() + seconds
    while True:
        try:
            client = socket.create_connection(("127.0.0.1", port))
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return client
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def await_echo(name, port, seconds=20):
    """Waits until a proxy passes bytes on: some listen before they know where to.

    Traefik looks at the first eight bytes before it passes any on.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), connect(port) as client:
            client.settimeout(1)
            client.sendall(b"x" * 32)
            if client.recv(1) == b"x":
                return
        time.sleep(0.1)
    raise TimeoutError(f"nothing comes back through {name}")


class Server:
    """Takes connections: one that begins with `T` is read to its end, others are echoed."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client = self.listener.accept()[0]
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve, args=[client], daemon=True).start()

    def serve(self, client):
        with contextlib.suppress(OSError), client:
            first = client.recv(1)
            if first == b"T":
                buffer = bytearray(1 << 18)
                while client.recv_into(buffer):
                    pass
                client.sendall(b"k")
                return
            while first:
                client.sendall(first)
                first = client.recv(64)


class Control:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def ask(self, method, path, body=None):
        self.connection.request(method, path, json.dumps(body) if body is not None else None)
        answer = self.connection.getresponse()
        text = answer.read()
        assert answer.status < 300, text
        return json.loads(text) if text else None


def throughput(port, pid):
    with connect(port) as client:
        block = bytes(1 << 18)
        client.sendall(b"T")
        before = processor_seconds(pid)
        start = time.monotonic()
        for _ in range(MEGABYTES * 4):
            client.sendall(block)
        client.shutdown(socket.SHUT_WR)
        client.recv(1)
        seconds = time.monotonic() - start
        return {
            "µs/MB": (processor_seconds(pid) - before) / MEGABYTES * 1e6,
            "MB/s": MEGABYTES / seconds,
        }


def round_trips(port, pid, count=ROUND_TRIPS):
    times = []
    with connect(port) as client:
        message = b"x" * 32
        before = processor_seconds(pid)
        for _ in range(count):
            start = time.perf_counter()
            client.sendall(message)
            left = len(message)
            while left:
                left -= len(client.recv(left))
            times.append((time.perf_counter() - start) * 1e6)
        used = processor_seconds(pid) - before
    return {"p50 µs": percentile(times, 0.5), "p99 µs": percentile(times, 0.99),
            "CPU µs": used / count * 1e6}


def table(rows, rounds):
    columns = list(next(iter(rounds.values()))[0])
    print("| | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for row in rows:
        cells = [f"{statistics.median(one[column] for one in rounds[row]):.0f}"
                 for column in columns]
        print(f"| {row} | " + " | ".join(cells) + " |")


def envoy_configuration(port, upstream):
    """One listener that passes connections on, as a static configuration of Envoy."""
    def address(number):
        return {"socket_address": {"address": "127.0.0.1", "port_value": number}}
    proxy = {
        "name": "envoy.filters.network.tcp_proxy",
        "typed_config": {
            "@type": "type.googleapis.com/"
                     "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy",
            "stat_prefix": "bench", "cluster": "server",
        },
    }
    endpoint = {"endpoint": {"address": address(upstream)}}
    cluster = {
        "name": "server", "type": "STATIC", "connect_timeout": "5s",
        "load_assignment": {
            "cluster_name": "server", "endpoints": [{"lb_endpoints": [endpoint]}],
        },
    }
    listener = {"address": address(port), "filter_chains": [{"filters": [proxy]}]}
    return {"static_resources": {"listeners": [listener], "clusters": [cluster]}}


def traefik_routes(upstream):
    """The same for traefik, whose entry point is in its arguments."""
    server = {"address": f"127.0.0.1:{upstream}"}
    return {"tcp": {
        "routers": {"bench": {"rule": "HostSNI(`*`)", "service": "bench",
                              "entryPoints": ["bench"]}},
        "services": {"bench": {"loadBalancer": {"servers": [server]}}},
    }}


def beside(parley, count, folder, server):
    """Throughput and round trips through each proxy, in turns."""
    ports = {name: free_port() for name in ["parley", "haproxy", "envoy", "traefik", "socat"]}
    control = free_port()
    peers = pathlib.Path(__file__).resolve().parents[2] / ".build/peers"
    envoy = next(peers.glob("lib/python*/site-packages/envoy/_bin/envoy"), "envoy")
    with open(f"{folder}/envoy.json", "w") as file:
        json.dump(envoy_configuration(ports["envoy"], server.port), file)
    with open(f"{folder}/traefik.yml", "w") as file:
        json.dump(traefik_routes(server.port), file)
    with open(f"{folder}/haproxy.cfg", "w") as file:
        file.write(
            "defaults\n  mode tcp\n  timeout connect 5s\n  timeout client 60s\n"
            "  timeout server 60s\nlisten bench\n"
            f"  bind 127.0.0.1:{ports['haproxy']}\n  server one 127.0.0.1:{server.port}\n"
        )
    commands = {
        "parley": [parley, "proxy", "--control", f"127.0.0.1:{control}"],
        "haproxy": ["haproxy", "-f", f"{folder}/haproxy.cfg"],
        "envoy": [str(envoy), "-c", f"{folder}/envoy.json", "--use-dynamic-base-id",
                  "--log-level", "off"],
        "traefik": [str(peers / "bin/traefik"), "--log.level=FATAL",
                    "--global.checknewversion=false", "--global.sendanonymoususage=false",
                    f"--entrypoints.bench.address=127.0.0.1:{ports['traefik']}",
                    f"--providers.file.filename={folder}/traefik.yml"],
        "socat": ["socat", f"TCP-LISTEN:{ports['socat']},bind=127.0.0.1,fork,nodelay,reuseaddr",
                  f"TCP:127.0.0.1:{server.port},nodelay"],
    }
    running = {
        name: subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for name, command in commands.items() if shutil.which(command[0])
    }
    try:
        connect(control).close()
        Control(control).ask("POST", "/proxies", {
            "name": "bench", "listen": f"127.0.0.1:{ports['parley']}",
            "upstream": f"127.0.0.1:{server.port}",
        })
        for name in running:
            await_echo(name, ports[name])
        rounds = {name: [] for name in ["direct", *running]}
        for _ in range(count):
            for name in rounds:
                port = ports.get(name, server.port)
                pid = running[name].pid if name in running else os.getpid()
                figures = {**throughput(port, pid), **round_trips(port, pid)}
                if name == "direct":
                    figures["µs/MB"] = figures["CPU µs"] = 0
                rounds[name].append(figures)
        table(rounds, rounds)
    finally:
        for process in running.values():
            process.terminate()
            process.wait()


@contextlib.contextmanager
def own_proxy(parley):
    """A `parley proxy` of its own, and its control."""
    port = free_port()
    process = subprocess.Popen([parley, "proxy", "--control", f"127.0.0.1:{port}"],
                               stderr=subprocess.DEVNULL)
    try:
        connect(port).close()
        yield Control(port), process.pid
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def latency(parley, server):
    """How far the delay of a latency toxic is from what was asked for."""
    with own_proxy(parley) as (control, pid):
        made = control.ask("POST", "/proxies", {
            "name": "bench", "listen": "127.0.0.1:0", "upstream": f"127.0.0.1:{server.port}",
            "toxics": [{"type": "latency", "attributes": {"latency": 20}}],
        })
        port = int(made["listen"].rsplit(":", 1)[1])
        times = []
        with connect(port) as client:
            for _ in range(300):
                start = time.perf_counter()
                client.sendall(b"x")
                client.recv(1)
                times.append((time.perf_counter() - start) * 1e3 - 20)
        print(f"latency of 20 ms: {percentile(times, 0.5):+.2f} ms at p50, "
              f"{percentile(times, 0.99):+.2f} ms at p99")


def many_proxies(parley):
    with own_proxy(parley) as (control, pid):
        start = time.monotonic()
        control.ask("POST", "/populate", [
            {"name": f"p{number}", "listen": "127.0.0.1:0", "upstream": "127.0.0.1:9"}
            for number in range(1_000)
        ])
        seconds = time.monotonic() - start
        assert len(control.ask("GET", "/proxies")) == 1_000
        print(f"1,000 proxies: made in {seconds * 1e3:.0f} ms, {resident(pid):.0f} MB")


def resident(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def many_connections(parley, count):
    """Connections that are open at once; the ends are in two processes, as descriptors are few."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
    child = os.fork()
    if child == 0:
        kept = []
        while True:
            kept.append(listener.accept()[0])
            kept[-1].sendall(b"k")
    try:
        with own_proxy(parley) as (control, pid):
            made = control.ask("POST", "/proxies", {
                "name": "bench", "listen": "127.0.0.1:0",
                "upstream": f"127.0.0.1:{listener.getsockname()[1]}",
            })
            port = int(made["listen"].rsplit(":", 1)[1])
            start = time.monotonic()
            clients = []
            for _ in range(count):
                clients.append(connect(port))
                assert clients[-1].recv(1) == b"k"
            seconds = time.monotonic() - start
            assert len(control.ask("GET", "/connections")) == count
            print(f"{count:,} connections: opened in {seconds:.1f} s, {resident(pid):.0f} MB")
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        listener.close()


def stalled(parley, server):
    """Calls of the control while 1,000 connections stall with unread bytes."""
    with own_proxy(parley) as (control, pid):
        made = control.ask("POST", "/proxies", {
            "name": "bench", "listen": "127.0.0.1:0", "upstream": f"127.0.0.1:{server.port}",
            "toxics": [{"type": "bandwidth", "stream": "upstream", "attributes": {"rate": 0}}],
        })
        port = int(made["listen"].rsplit(":", 1)[1])
        clients = [connect(port) for _ in range(1_000)]
        for client in clients:
            client.sendall(bytes(1 << 15))
        times = []

        def timed(method, path, body=None):
            start = time.perf_counter()
            control.ask(method, path, body)
            times.append((time.perf_counter() - start) * 1e3)

        for number in range(100):
            timed("POST", "/proxies/bench/toxics",
                  {"type": "latency", "stream": "upstream", "attributes": {"latency": 10}})
            timed("PATCH", "/proxies/bench/toxics/latency_upstream",
                  {"attributes": {"latency": number}})
            timed("GET", "/proxies")
            timed("DELETE", "/proxies/bench/toxics/latency_upstream")
        timed("DELETE", "/proxies/bench/toxics/bandwidth_upstream")
        print(f"control with 1,000 stalled connections: {percentile(times, 0.5):.1f} ms at p50, "
              f"{percentile(times, 0.99):.1f} ms at p99")
        for client in clients:
            client.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=9_900)
    parser.add_argument("parley", nargs="?", default=".build/release/parley")
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    parley = os.path.abspath(options.parley)
    server = Server()
    with tempfile.TemporaryDirectory() as folder:
        beside(parley, options.rounds, folder, server)
    latency(parley, server)
    many_proxies(parley)
    many_connections(parley, options.connections)
    stalled(parley, server)


if __name__ == "__main__":
    main()
