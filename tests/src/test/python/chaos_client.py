"""The Python client in the chaos: what io.hdrsidecar.tests.chaos.ChaosClient says holds here too.

Arguments: address of the sidecar, label `run`, name of the files, their folder, seed.
"""

from __future__ import annotations

import math
import os
import queue
import random
import signal
import struct
import sys
import threading
import time
import traceback
from pathlib import Path

from hdr_sidecar import Client, ClientConfig, RecorderConfig

SERIES = 50
THREADS = 4
BATCH = 25
BATCH_SECONDS = 0.02
HIGHEST = 3_600_000_000_000
FINISH = "f"
EXIT_NO_TRUTH = 3
EXIT_ORPHAN = 4
EXIT_SIGTERM = 128 + signal.SIGTERM

LOOK_SECONDS = 0.01
STANDING_SECONDS = 0.4
"""Longest that the loads stand still for the ledger, and that they then run."""


class Program:
    def __init__(self, address: str, run: str, life: str, folder: str, seed: str) -> None:
        self.client = Client(
            ClientConfig(
                address=address,
                common_labels={"run": run},
                interval=0.2,
                stall_timeout=2,
                min_backoff=0.02,
                max_backoff=0.5,
                spill_folder=Path(folder, "spill"),
            )
        )
        config = RecorderConfig(highest=HIGHEST, digits=2)
        self.recorders = [
            self.client.recorder("chaos", {"series": f"{n:02}"}, config) for n in range(SERIES)
        ]
        self.recorded = [0] * THREADS
        self.recording = [threading.Lock() for _ in range(THREADS)]
        self.stopped = threading.Event()
        self.said = ""
        self.ledger = open(Path(folder, f"{life}.ledger"), "x", buffering=1)
        self.threads = [threading.Thread(target=self.guarded, args=(self.look,))]
        for n in range(THREADS):
            truth = open(Path(folder, f"{life}.thread{n}.truth"), "xb", buffering=0)
            load = (self.load, n, truth, random.Random(f"{seed} {n}"))
            self.threads.append(threading.Thread(target=self.guarded, args=load))

    @staticmethod
    def guarded(action, *arguments) -> None:
        """A thread that fails ends the program."""
        try:
            action(*arguments)
        except BaseException:
            traceback.print_exc()
            os._exit(EXIT_NO_TRUTH)

    def load(self, n: int, truth, chance: random.Random) -> None:
        """Writes batches to its truth file, and then to the recorders."""
        while not self.stopped.wait(BATCH_SECONDS):
            batch = [(chance.randrange(SERIES), some_time(chance)) for _ in range(BATCH)]
            packed = struct.pack(f">{BATCH}Q", *(series << 56 | value for series, value in batch))
            with self.recording[n]:
                if truth.write(packed) != len(packed):
                    raise OSError("written in part")
                for series, value in batch:
                    self.recorders[series].record(value)
                self.recorded[n] += BATCH

    def look(self) -> None:
        """Writes down which values must have been acknowledged.

        While nothing is recorded, all are when their number is.
        """
        while not self.stopped.is_set():
            for lock in self.recording:
                lock.acquire()
            until = time.monotonic() + STANDING_SECONDS
            while time.monotonic() < until:
                if self.health().acknowledged_values == sum(self.recorded):
                    self.write("settled " + " ".join(map(str, self.recorded)))
                    break
                time.sleep(LOOK_SECONDS)
            for lock in self.recording:
                lock.release()
            until = time.monotonic() + STANDING_SECONDS
            while time.monotonic() < until and not self.stopped.wait(LOOK_SECONDS):
                self.health()

    def health(self):
        """Writes it down when it is another."""
        health = self.client.health()
        lost = sum(health.lost_values.values()) + health.loop_failures
        line = (
            f"health {health.harvested_values} {health.acknowledged_values}"
            f" {health.pending_intervals} {health.in_flight_intervals} {lost}"
        )
        if line != self.said:
            self.said = line
            self.write(line)
        return health

    def write(self, line: str) -> None:
        self.ledger.write(line + "\n")

    def close(self, timeout: float) -> None:
        self.stopped.set()
        for thread in self.threads:
            thread.join()
        result = self.client.close(timeout)
        self.health()
        self.write(f"closed {result.undelivered_values} {result.spilled_values}")


def some_time(chance: random.Random) -> int:
    """Log-normal around 1 ms, and of every fiftieth a Pareto tail up to the hour."""
    value = 1e6 * math.exp(1.5 * chance.gauss(0, 1))
    if chance.random() < 0.02:
        value *= (1 - chance.random()) ** (-1 / 0.9)
    return int(min(HIGHEST, value))


def main() -> None:
    ends: queue.SimpleQueue[int] = queue.SimpleQueue()
    signal.signal(signal.SIGTERM, lambda *_: ends.put(EXIT_SIGTERM))
    program = Program(*sys.argv[1:])  # its ledger says that it heeds signals

    def obey() -> None:
        ends.put(0 if sys.stdin.read(1) == FINISH else EXIT_ORPHAN)

    for thread in (*program.threads, threading.Thread(target=obey, daemon=True)):
        thread.start()
    # A signal that the system hands to another thread does not end a wait of this one.
    while ends.empty():
        time.sleep(LOOK_SECONDS)
    end = ends.get()
    if end != EXIT_ORPHAN:
        program.close(90 if end == 0 else 2)
    os._exit(end)


if __name__ == "__main__":
    main()
