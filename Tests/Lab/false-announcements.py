#!/usr/bin/env python3
"""Announces nodes that do not exist, by raw mDNS: false-announcements.py INTERFACE ADDRESS COUNT

Each has a name and an ID of its own, and an address of the network where nobody answers. Records
live 10 s; 1,000 nodes a second are announced.
"""
import socket
import struct
import sys
import time

TYPE = ["_parley", "_tcp", "local"]
LIFE = 10
NODES_IN_PACKET = 5
A, PTR, TXT, SRV = 1, 12, 16, 33
# The class IN, and IN with the bit that replaces records of before.
SHARED, UNIQUE = 1, 0x8001


def name(labels):
    return b"".join(bytes([len(label)]) + label.encode() for label in labels) + b"\0"


def record(owner, kind, group, data):
    return name(owner) + struct.pack("!HHIH", kind, group, LIFE, len(data)) + data


def node(number, network):
    instance = [f"parley-{number:08X}"] + TYPE
    host = [f"nobody-{number}", "local"]
    texts = [b"v=1", f"id={number:016X}".encode(), f"n=nobody {number}".encode()]
    address = socket.inet_aton(f"{network}.{100 + number % 100}")
    return [
        record(TYPE, PTR, SHARED, name(instance)),
        record(instance, SRV, UNIQUE, struct.pack("!HHH", 0, 0, 27275) + name(host)),
        record(instance, TXT, UNIQUE, b"".join(bytes([len(text)]) + text for text in texts)),
        record(host, A, UNIQUE, address),
    ]


def main():
    interface, address, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    network = address.rsplit(".", 1)[0]
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, interface.encode())
    # Receivers refuse answers from other ports.
    sender.bind(("", 5353))
    began = time.monotonic()
    for first in range(0, count, NODES_IN_PACKET):
        records = [
            one for number in range(first, min(count, first + NODES_IN_PACKET))
            for one in node(number, network)
        ]
        header = struct.pack("!HHHHHH", 0, 0x8400, 0, len(records), 0, 0)
        sender.sendto(header + b"".join(records), ("224.0.0.251", 5353))
        time.sleep(max(0, began + first / 1000 - time.monotonic()))


main()
