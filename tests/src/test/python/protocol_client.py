#!/usr/bin/env python3
"""A client of the sidecar and a writer of spill files, written from PROTOCOL.md alone: it shares no
code with the Java client. ProtocolClientIT runs it against a real sidecar. Each command prints one
line of JSON. Python 3, standard library only.

  example                    the spill file that PROTOCOL.md shows
  spill FOLDER               a spill file with all units and odd texts; prints what must be counted
  edges HOST PORT            what the sidecar does at the edges of the protocol
  take HOST PORT INSTANCE    somebody who knows an id takes numbers of it
  flood HOST PORT COUNT      a client goes without its answer, COUNT others come and go, it is back
  resend HOST PORT INSTANCE  sends the first interval of an instance again
"""

import base64
import hashlib
import json
import os
import socket
import struct
import sys
import time
import zlib

TABLE = []
for each in range(256):
    for _ in range(8):
        each = each >> 1 ^ (0x82F63B78 if each & 1 else 0)
    TABLE.append(each)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


assert crc32c(b"123456789") == 0xE3069283

UNITS = {"ns": 1, "us": 2, "ms": 3, "s": 4, "bytes": 5, "none": 6}
HOUR = 3600000000000


def string(text):
    return struct.pack(">H", len(text.encode())) + text.encode()


def labels(pairs):
    return struct.pack(">H", len(pairs)) + b"".join(string(n) + string(v) for n, v in pairs)


def leb128(number):
    word = (number << 1) ^ (number >> 63)
    out = bytearray()
    while word >> 7 and len(out) < 8:
        out.append(word & 0x7F | 0x80)
        word >>= 7
    out.append(word)
    return bytes(out)


def index(value, digits, lowest):
    s = (2 * 10**digits - 1).bit_length()
    u = lowest.bit_length() - 1
    b = max(0, value.bit_length() - s - u)
    return b * 2 ** (s - 1) + (value >> (b + u))


def raw(values, digits=3, lowest=1, highest=HOUR):
    """A payload in the raw form."""
    buckets = [index(v, digits, lowest) for v in values]
    counts, following = b"", 0
    for at in sorted(set(buckets)):
        empty = at - following
        counts += b"" if empty == 0 else b"\0" if empty == 1 else leb128(-empty)
        counts += leb128(buckets.count(at))
        following = at + 1
    header = struct.pack(">IIIIQQd", 0x1C849313, len(counts), 0, digits, lowest, highest, 1.0)
    return header + counts


def frame(kind, body):
    start = struct.pack(">IBB", len(body), kind, 0)
    start += struct.pack(">H", crc32c(start) & 0xFFFF)
    return start + body + struct.pack(">I", crc32c(start + body))


def hello(instance, token=""):
    return frame(1, b"HDRS" + struct.pack(">H", 1) + instance + labels([]) + string(token))


def series(number, name, unit="ns", digits=3, lowest=1, highest=HOUR):
    fixed = struct.pack(">IBBQQ", number, UNITS[unit], digits, lowest, highest)
    return frame(3, fixed + string(name) + string("") + labels([]))


def interval(sequence, number, values, highest=HOUR):
    now = int(time.time() * 1000)
    total = sum(values)
    payload = raw(values, highest=highest)
    figures = (sequence, number, now - 1000, now, len(values), total >> 64, total & (1 << 64) - 1)
    fixed = struct.pack(">qIqqqqQqqI", *figures, min(values), max(values), len(payload))
    return frame(4, fixed + payload)


GOODBYE = frame(7, b"")
REASONS = {
    7: "unexpected_frame", 8: "bad_frame", 13: "bad_payload", 15: "count_mismatch",
    20: "replaced", 25: "sequence_gap", 26: "instance_limit",
}


class Client:
    def __init__(self, address, instance=None):
        self.socket = socket.create_connection(address, timeout=60)
        self.instance = instance or os.urandom(16)

    def send(self, *frames):
        self.socket.sendall(b"".join(frames))
        return self

    def exactly(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                return None
            data += more
        return data

    def next(self):
        """The next frame as text, such as ACK 3; CLOSED at the end."""
        head = self.exactly(8)
        if head is None:
            return "CLOSED"
        length, kind, zero, check = struct.unpack(">IBBH", head)
        assert zero == 0 and check == crc32c(head[:6]) & 0xFFFF
        rest = self.exactly(length + 4)
        assert struct.unpack(">I", rest[length:])[0] == crc32c(head + rest[:length])
        if kind == 2:
            return "WELCOME %d" % struct.unpack_from(">q", rest, 2)
        if kind == 5:
            return "ACK %d" % struct.unpack_from(">q", rest)
        assert kind == 6, kind
        scope, reference, code = struct.unpack_from(">BqH", rest)
        return "REJECT %s %d %s" % (
            ("connection", "series", "interval")[scope], reference, REASONS.get(code, code))

    def until(self, last):
        """Frames up to this one."""
        seen = [self.next()]
        while seen[-1] not in (last, "CLOSED"):
            seen.append(self.next())
        return seen

    def welcome(self):
        self.send(hello(self.instance))
        return self.next()

    def close(self):
        self.socket.close()


def edges(address):
    seen = {}
    early = Client(address)
    early.send(hello(early.instance), series(1, "early"), interval(1, 1, [5]))
    seen["before WELCOME"] = early.until("ACK 1")
    full = Client(address)
    full.welcome()
    full.send(series(1, "full"), *(interval(n, 1, [5]) for n in range(1, 5001)))
    seen["above the window"] = full.until("ACK 5000")[-1]
    gaps = Client(address)
    gaps.welcome()
    gaps.send(series(1, "gaps"), interval(7, 1, [5]))
    seen["first number"] = gaps.until("ACK 7")
    gaps.send(interval(3, 1, [6]))
    seen["below an earlier number"] = gaps.until("ACK 7")
    gaps.send(interval(7 + 65536, 1, [7]))
    seen["widest gap"] = gaps.until("ACK 65543")
    gaps.send(interval(0, 1, [5]))
    seen["number 0"] = gaps.until("ACK 65543")
    gaps.send(interval(65543 + 65537, 1, [8]))
    seen["gap too wide"] = gaps.until("CLOSED")
    again = Client(address, gaps.instance)
    seen["after it"] = again.welcome()
    highest = Client(address)
    highest.welcome()
    highest.send(series(1, "highest", highest=1000), interval(1, 1, [5000], highest=1000))
    seen["above the payload's highest"] = highest.until("ACK 1")
    highest.send(interval(2, 1, [5000], highest=10000))
    seen["above the series' highest"] = highest.until("ACK 2")
    leaving = Client(address)
    leaving.welcome()
    leaving.send(GOODBYE)
    seen["GOODBYE without intervals"] = leaving.until("CLOSED")
    unknown = Client(address)
    unknown.send(series(1, "x"))
    seen["no HELLO"] = unknown.until("CLOSED")
    return seen


def take(address, instance):
    """Far ahead, and then as far as numbers go; all at once, before the client is back."""
    asking = Client(address, instance)
    settled = int(asking.welcome().split()[1])
    attacker = Client(address, instance)
    attacker.send(
        hello(instance) + series(1, "taken") + interval(settled + 60000, 1, [1])
        + interval(2**63 - 1, 1, [1]))
    return attacker.until("CLOSED")


def flood(address, count):
    victim = Client(address)
    victim.welcome()
    victim.send(series(1, "victim"), interval(1, 1, [1, 2, 3]))
    victim.until("ACK 1")
    victim.close()  # As far as it knows, there was no answer.
    answers = {}
    for _ in range(count):
        one = Client(address)
        one.send(hello(one.instance), series(1, "flood"), interval(1, 1, [1]))
        answer = one.next().split()[-1]
        answers[answer] = answers.get(answer, 0) + 1
        if answer == "0":
            one.until("ACK 1")
        one.close()
    return {"answers": answers, "instance": victim.instance.hex()}


def resend(address, instance):
    victim = Client(address, instance)
    welcome = victim.welcome()
    victim.send(series(1, "victim"), interval(1, 1, [1, 2, 3]))
    return [welcome] + victim.until("ACK 1")


# Spill files.


def percent(text, also=""):
    return "".join(
        chr(b) if 0x20 < b < 0x7F and b != 0x25 and chr(b) not in also else "%%%02x" % b
        for b in text.encode())


def comment(text, following=b""):
    start = (text + " ").encode("ascii")
    return start + b"%08x\n" % crc32c(start + following) + following


def text_comments(start, text):
    parts = [text[at : at + 88] for at in range(0, len(text), 88)]
    return b"".join(
        comment("%s%x %x %s" % (start, number, len(parts), part))
        for number, part in enumerate(parts, 1))


def seconds(millis):
    return "%d.%03d" % (millis // 1000, millis % 1000)


def spill(instance, common, all_series, start, created, level=-1):
    """A file; each series is (name, unit, digits, lowest, help, labels, intervals of values)."""
    out = b"#[Histogram log format version 1.3]\n"
    out += b"#[StartTime: 0.000 (seconds since epoch), 1970-01-01T00:00:00Z]\n"
    out += b"#[BaseTime: 0.000 (seconds since epoch)]\n"
    out += b'"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"\n'
    out += comment("#J 1 1")
    if common:
        out += text_comments("#C ", " ".join("label.%s=%s" % (n, percent(v)) for n, v in common))
    out += comment("#I 1 " + instance.hex())
    record = 0
    for number, (name, unit, digits, lowest, help, own, intervals) in enumerate(all_series, 1):
        every = sorted(own + common)
        text = "name=%s unit=%s lowest=%d digits=%d highest=%d created=%d help=%s" % (
            name, unit, lowest, digits, HOUR, created, percent(help))
        text += "".join(" label.%s=%s" % (n, percent(v)) for n, v in every)
        out += text_comments("#S %x " % number, text)
        tag = ";".join("%s=%s" % (n, percent(v, ',;={}~"')) for n, v in every)
        tag = name + ("{%s}" % tag if tag else "")
        for values in intervals:
            record += 1
            packed = zlib.compress(raw(values, digits, lowest), level)
            payload = struct.pack(">II", 0x1C849314, len(packed)) + packed
            top = {"ns": max(values) // 1000, "us": max(values)}.get(unit, max(values) * 1000)
            line = "Tag=%s,%s,%s,%s,%s\n" % (
                tag, seconds(start + 1000 * record), seconds(1000), seconds(top),
                base64.b64encode(payload).decode())
            out += comment("#R %x %x 1 %x %x %x %x" % (
                record, number, record, sum(values), min(values), max(values)), line.encode())
    return out + comment("#E %x %x" % (record, record))


def example():
    return spill(
        bytes.fromhex("00112233445566778899aabbccddeeff"),
        [("service", "shop")],
        [("checkout", "ns", 3, 1, "", [("route", "/pay")], [[1000000, 1500000, 1500000]])],
        1760000000000, 1760000000000, 0)


def spilled(folder):
    now = int(time.time() * 1000)
    instance = os.urandom(16)
    many = [("l%02d" % n, "v" * 60) for n in range(12)]
    all_series = [
        ("in_ns", "ns", 3, 1, "Time to pay, 100% {sure}.", [("route", "/pay,;={}~\"% ü")],
         [[7, 1000, 123456789], [2**40]]),
        ("in_us", "us", 2, 1, "", [], [[5, 5, 5]]),
        ("in_ms", "ms", 3, 1, "ümläut", [("empty", "a b")], [[250], [1], [0]]),
        ("in_s", "s", 1, 1, "", many, [[3, 60]]),
        ("in_bytes", "bytes", 3, 1024, "", [], [[4096, 1 << 20]]),
        ("in_none", "none", 0, 1, "", [], [[1, 2, 3, 4]]),
    ]
    data = spill(instance, [("pod", "shop-1 ü"), ("zone", "a")], all_series, now, now - 5000)
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    shown = hashlib.sha256(instance).hexdigest()[:32]
    path = os.path.join(folder, "spill-%s-%s.hlog" % (stamp, shown))
    with open(path + ".tmp", "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.rename(path + ".tmp", path)
    values = {s[0]: [v for one in s[6] for v in one] for s in all_series}
    return {
        name: {"count": len(v), "sum": sum(v), "min": min(v), "max": max(v)}
        for name, v in values.items()}


def main(command, *arguments):
    if command == "example":
        sys.stdout.buffer.write(example())
        return
    if command == "spill":
        result = spilled(arguments[0])
    else:
        address = (arguments[0], int(arguments[1]))
        more = arguments[2:]
        if command in ("take", "resend"):
            more = [bytes.fromhex(more[0])]
        elif command == "flood":
            more = [int(more[0])]
        commands = {"edges": edges, "take": take, "flood": flood, "resend": resend}
        result = commands[command](address, *more)
    print(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
