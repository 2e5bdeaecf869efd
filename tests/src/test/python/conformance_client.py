"""The Python client as the conformance kit runs it: does what the lines of its input say.

docs/conformance.md draws them.
"""

from __future__ import annotations

import sys

from hdr_sidecar import Client, RecorderConfig, Unit


def main() -> None:
    settings: dict[str, float] = {}
    recorders = {}
    client = None
    sys.stdin.reconfigure(encoding="utf-8")
    for line in iter(sys.stdin.readline, ""):
        word, *rest = line.rstrip("\n").split(" ")
        if word == "set":
            settings[rest[0].removesuffix("_ms")] = int(rest[1]) / 1000
            continue
        if client is None:
            client = Client.from_environment(**settings)
        if word == "series":
            number, name, unit, lowest, highest, digits, *labels = rest
            config = RecorderConfig(
                unit=next(u for u in Unit if u.symbol == unit),
                lowest=int(lowest),
                highest=int(highest),
                digits=int(digits),
            )
            own = dict(label.split("=", 1) for label in labels)
            recorders[number] = client.recorder(name, own, config)
        elif word == "record":
            for _ in range(int(rest[2]) if len(rest) > 2 else 1):
                recorders[rest[0]].record(int(rest[1]))
        elif word == "expected":
            recorders[rest[0]].record_with_expected_interval(int(rest[1]), int(rest[2]))
        elif word == "close":
            client.close()
            return
        else:
            raise ValueError(f"unknown line: {line}")


if __name__ == "__main__":
    main()
