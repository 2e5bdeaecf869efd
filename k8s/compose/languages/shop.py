"""The shop in Python: a hundred calls a second, of which one in 500 takes a quarter of a second."""

import random
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from hdr_sidecar import Client


def checkout() -> None:
    stalls = random.randrange(500) == 0
    time.sleep(0.25 if stalls else random.lognormvariate(-5.8, 0.5))


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with Client.from_environment() as client, ThreadPoolExecutor(4) as threads:
        call = client.recorder("shop_request", {"route": "/checkout"}).timed(checkout)
        while True:
            threads.submit(call)
            time.sleep(0.01)


main()
