"""The shop in Python: a hundred calls a second, of which one in 500 takes a quarter of a second."""

import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from hdr_sidecar import Client


def checkout() -> None:
    stalls = random.randrange(500) == 0
    time.sleep(0.25 if stalls else random.lognormvariate(-5.8, 0.5))


def main() -> None:
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    calls = 0
    # Its end waits for calls under way, and then that of the client delivers.
    with Client.from_environment() as client, ThreadPoolExecutor(4) as threads:
        call = client.recorder("shop_request", {"route": "/checkout"}).timed(checkout)
        while not stop.wait(0.01):
            threads.submit(call)
            calls += 1
    print(f"shop calls={calls}", flush=True)


main()
