"""An open load: a thousand calls a second, of which some stall. See what waits."""

import time

from hdr_sidecar import Client, Schedule, ScheduledRecorder


def handle(number: int) -> None:
    """Takes 0.2 ms, and each 500th call 50 ms."""
    time.sleep(0.05 if number % 500 == 499 else 0.0002)


def main() -> None:
    with Client.from_environment() as client:
        pay = ScheduledRecorder(client, "pay")
        for number, intended_start in enumerate(Schedule.fixed_rate(1_000, calls=2_000)):
            with pay.begin(intended_start):
                handle(number)
        print(client.close())


if __name__ == "__main__":
    main()
