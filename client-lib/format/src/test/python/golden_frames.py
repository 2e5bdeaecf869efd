#!/usr/bin/env python3
"""Writes the session of PROTOCOL.md from the text of that document alone: a second implementation
of the frames, in another language, that shares no code with the Java encoder. Its output is pasted
into PROTOCOL.md, where ProtocolDocumentTest reads it. Called with a folder, docs/frames, it writes
each frame there as a file, and damaged ones beside them. Python 3, standard library only."""

import pathlib
import struct
import sys
import zlib


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


assert crc32c(b"123456789") == 0xE3069283  # The check value of the CRC catalogue.


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


def index(value):  # Three digits above 1: 2048 sub-buckets.
    bucket = max(0, value.bit_length() - 11)
    return (bucket << 10) + (value >> bucket)


def histogram(values, highest):
    counts, following = b"", 0
    for at in sorted({index(v) for v in values}):
        empty = at - following
        counts += b"" if empty == 0 else b"\0" if empty == 1 else leb128(-empty)
        counts += leb128(sum(1 for v in values if index(v) == at))
        following = at + 1
    header = struct.pack(">IIIIQQd", 0x1C849313, len(counts), 0, 3, 1, highest, 1.0)
    return header, counts


FRAMES = []


def show(direction, name, kind, parts):
    body = b"".join(part for part, _ in parts)
    start = struct.pack(">IBB", len(body), kind, 0)
    check = struct.pack(">H", crc32c(start) & 0xFFFF)
    trailer = struct.pack(">I", crc32c(start + check + body))
    rows = [
        (start[:4], "length of the body: %d" % len(body)),
        (start[4:], "type %d, 0" % kind),
        (check, "check of the header"),
    ]
    rows += parts + [(trailer, "CRC-32C of all bytes before")]
    FRAMES.append((name.lower(), direction, rows))
    print("\n%s\n\n```frame %s" % (direction, name))
    print("\n".join(lines(rows)))
    print("```")


def lines(rows):
    for part, text in rows:
        for at in range(0, max(1, len(part)), 16):
            line = " ".join("%02x" % b for b in part[at : at + 16])
            yield ("%-48s| %s" % (line, text if at == 0 else "")).rstrip()


def damaged():
    """Frames that a reader must not take, by the reason to refuse them."""
    ack = struct.pack(">Q", 1)
    for name, why, length, kind, body, header_bit, last_bit in [
        ("bad_header", "a bit of the check of the header is flipped", 8, 5, ack, 1, 0),
        ("bad_crc", "a bit of the CRC-32C is flipped", 8, 5, ack, 0, 1),
        ("frame_too_large", "no limit is 2 GiB: it is refused before bytes are waited for",
         0x7FFFFFFF, 5, ack, 0, 0),
        ("unknown_frame", "there is no type 9", 8, 9, ack, 0, 0),
        ("bad_frame", "the body of an ACK has 8 bytes or more", 7, 5, ack[:7], 0, 0),
    ]:
        start = struct.pack(">IBB", length, kind, 0)
        check = struct.pack(">H", (crc32c(start) & 0xFFFF) ^ header_bit)
        trailer = struct.pack(">I", crc32c(start + check + body) ^ last_bit)
        yield name, why, [
            (start[:4], "length of the body"), (start[4:], "type, 0"),
            (check, "check of the header"), (body, "body"), (trailer, "CRC-32C"),
        ]


def write(folder):
    for number, (name, says, rows) in enumerate(FRAMES, 1):
        text = "\n".join(["| " + says, *lines(rows)]) + "\n"
        (folder / ("%02d-%s.hex" % (number, name))).write_text(text)
    for name, why, rows in damaged():
        text = "\n".join(["| Damaged: " + why, *lines(rows)]) + "\n"
        (folder / (name + ".hex")).write_text(text)


HIGHEST = 3600000000000
START = 1760000000000
VALUES = [1000000, 1500000, 1500000]
HEADER, COUNTS = histogram(VALUES, HIGHEST)

show("Client to sidecar: its name.", "HELLO", 1, [
    (b"HDRS", "magic"),
    (struct.pack(">H", 1), "protocol version 1"),
    (bytes.fromhex("00112233445566778899aabbccddeeff"), "instance"),
    (labels([("service", "shop")]), "1 common label: service=\"shop\""),
    (string("secret"), "token: \"secret\""),
])
show("Sidecar to client: nothing of this instance is known yet.", "WELCOME", 2, [
    (struct.pack(">H", 1), "protocol version 1"),
    (struct.pack(">Q", 0), "last sequence number settled: none"),
    (struct.pack(">I", 1 << 20), "longest body: 1,048,576 bytes"),
    (struct.pack(">I", 64), "intervals in flight: at most 64"),
    (struct.pack(">B", 1), "payloads deflated at level 1, please"),
])
show("Client to sidecar: what series id 1 stands for.", "SERIES", 3, [
    (struct.pack(">I", 1), "series id 1"),
    (struct.pack(">B", 1), "unit: nanoseconds"),
    (struct.pack(">B", 3), "significant digits: 3"),
    (struct.pack(">Q", 1), "lowest discernible value: 1 ns"),
    (struct.pack(">Q", HIGHEST), "highest trackable value: 1 h"),
    (string("checkout"), "name: \"checkout\""),
    (string("Time to pay."), "help: \"Time to pay.\""),
    (labels([("route", "/pay")]), "1 label: route=\"/pay\""),
])


def figures(sequence, series, seconds):
    return [
        (struct.pack(">Q", sequence), "sequence number %d" % sequence),
        (struct.pack(">I", series), "series id %d" % series),
        (struct.pack(">Q", START + 1000 * seconds), "start, ms since the epoch"),
        (struct.pack(">Q", START + 1000 * seconds + 1000), "end: one second later"),
        (struct.pack(">Q", len(VALUES)), "count: 3"),
        (struct.pack(">Q", 0), "sum, upper half"),
        (struct.pack(">Q", sum(VALUES)), "sum, lower half: 4,000,000 ns"),
        (struct.pack(">Q", min(VALUES)), "min: 1,000,000 ns"),
        (struct.pack(">Q", max(VALUES)), "max: 1,500,000 ns"),
    ]


raw = HEADER + COUNTS
show("Client to sidecar: the first interval, its payload raw.", "INTERVAL", 4, figures(1, 1, 0) + [
    (struct.pack(">I", len(raw)), "length of the payload: %d" % len(raw)),
    (HEADER[:4], "HdrHistogram V2"),
    (HEADER[4:8], "length of the counts: %d" % len(COUNTS)),
    (HEADER[8:12], "normalizing index offset"),
    (HEADER[12:16], "significant digits"),
    (HEADER[16:24], "lowest discernible value"),
    (HEADER[24:32], "highest trackable value"),
    (HEADER[32:], "conversion ratio 1.0"),
    (leb128(-index(1000000)), "%d empty buckets" % index(1000000)),
    (leb128(1), "bucket %d: 1 value" % index(1000000)),
    (leb128(-(index(1500000) - index(1000000) - 1)),
     "%d empty buckets" % (index(1500000) - index(1000000) - 1)),
    (leb128(2), "bucket %d: 2 values" % index(1500000)),
])
show("Sidecar to client: it is merged.", "ACK", 5, [
    (struct.pack(">Q", 1), "up to sequence number 1"),
])
compressor = zlib.compressobj(1)
packed = compressor.compress(raw) + compressor.flush()
show("Client to sidecar: the next one, deflated, for a series id that was never declared.",
     "INTERVAL", 4, figures(2, 7, 1) + [
    (struct.pack(">I", 8 + len(packed)), "length of the payload: %d" % (8 + len(packed))),
    (struct.pack(">I", 0x1C849314), "HdrHistogram V2, compressed"),
    (struct.pack(">I", len(packed)), "length of the zlib stream: %d" % len(packed)),
    (packed, "zlib stream, Adler-32 at its end"),
])
show("Sidecar to client: refused, and settled by that.", "REJECT", 6, [
    (struct.pack(">B", 2), "scope: interval"),
    (struct.pack(">Q", 2), "sequence number 2"),
    (struct.pack(">H", 9), "reason 9: unknown_series"),
    (string("series id 7 was not declared"), "message"),
])
show("Sidecar to client.", "ACK", 5, [
    (struct.pack(">Q", 2), "up to sequence number 2"),
])
show("Client to sidecar: its own figures.", "HEALTH", 8, [
    (struct.pack(">H", 1), "1 figure"),
    (string("pending_intervals"), "name: \"pending_intervals\""),
    (struct.pack(">Q", 0), "value 0"),
])
show("Client to sidecar: that was all.", "GOODBYE", 7, [])

print("\n### Between sidecars\n\nA sidecar that hands on what it merged says where it runs, and is told the way up. The other frames\nare as above.")
show("Sidecar to its upstream: its name, and where it runs.", "HELLO", 1, [
    (b"HDRS", "magic"),
    (struct.pack(">H", 1), "protocol version 1"),
    (bytes.fromhex("ffeeddccbbaa99887766554433221100"), "instance"),
    (labels([]), "no common labels"),
    (string("secret"), "token: \"secret\""),
    (labels([("namespace", "prod"), ("pod", "shop-1")]),
     "resource: namespace=\"prod\", pod=\"shop-1\""),
])
show("Upstream to sidecar: 41 of its intervals are settled, and who is above.", "WELCOME", 2, [
    (struct.pack(">H", 1), "protocol version 1"),
    (struct.pack(">Q", 41), "last sequence number settled: 41"),
    (struct.pack(">I", 1 << 20), "longest body: 1,048,576 bytes"),
    (struct.pack(">I", 64), "intervals in flight: at most 64"),
    (struct.pack(">B", 1), "payloads deflated at level 1, please"),
    (struct.pack(">B", 2), "2 sidecars that values pass from here on"),
    (struct.pack(">QQ", 1, 2), "the upstream"),
    (struct.pack(">QQ", 3, 4), "the upstream of that"),
])

if len(sys.argv) > 1:
    write(pathlib.Path(sys.argv[1]))
