"""CRC-32C (RFC 3720), which zlib does not have.

In pure Python four bytes a step, with four tables of 256 numbers. `google-crc32c`, if it is
installed, does the same in C.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

_POLYNOMIAL = 0x82F63B78  # Castagnoli's, reflected


def _tables() -> list[list[int]]:
    first = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (_POLYNOMIAL if crc & 1 else 0)
        first.append(crc)
    tables = [first]
    for _ in range(3):
        tables.append([before >> 8 ^ first[before & 0xFF] for before in tables[-1]])
    return tables


_T0, _T1, _T2, _T3 = _tables()


def _pure(data: bytes) -> int:
    """The CRC-32C of these bytes."""
    crc = 0xFFFFFFFF
    words = len(data) >> 2
    t0, t1, t2, t3 = _T0, _T1, _T2, _T3
    for word in struct.unpack_from(f"<{words}I", data):
        crc ^= word
        crc = t3[crc & 0xFF] ^ t2[crc >> 8 & 0xFF] ^ t1[crc >> 16 & 0xFF] ^ t0[crc >> 24]
    for byte in data[words << 2 :]:
        crc = t0[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def _fastest() -> Callable[[bytes], int]:
    try:
        import google_crc32c  # noqa: PLC0415
    except ImportError:
        return _pure
    # Its own fallback, where its extension is missing, is slower than ours.
    if google_crc32c.implementation != "c":
        return _pure
    value: Callable[[bytes], int] = google_crc32c.value
    return value


crc32c: Callable[[bytes], int] = _fastest()
