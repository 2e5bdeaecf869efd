"""The client's own figures."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Counts since the process began to record. The client's thread writes."""

    started_seconds: int = field(default_factory=lambda: int(time.time()))
    harvested_values: int = 0
    sent_intervals: int = 0
    acknowledged_intervals: int = 0
    acknowledged_values: int = 0
    resent_intervals: int = 0
    joined_intervals: int = 0
    welcomes: int = 0
    clamped_negative: int = 0
    clamped_too_large: int = 0
    loop_failures: int = 0
    overflowed_lookups: int = 0
    spilled_intervals: int = 0
    spilled_values: int = 0
    lost_back_fill: int = 0
    lost: dict[str, int] = field(default_factory=dict)

    def lose(self, reason: str, values: int) -> None:
        """These values will not be delivered."""
        if values:
            self.lost[reason] = self.lost.get(reason, 0) + values


@dataclass(frozen=True, slots=True)
class ClientHealth:
    """The client's figures at one moment. The sidecar shows them as `hdr_sidecar_client_*`.

    At rest, harvested_values = acknowledged_values + spilled_values + all of lost_values + values
    that still wait. (What is no number is in lost_values and was never harvested.)
    """

    connected: bool
    series: int
    pending_intervals: int
    in_flight_intervals: int
    harvested_values: int
    sent_intervals: int
    acknowledged_intervals: int
    acknowledged_values: int
    resent_intervals: int
    joined_intervals: int
    reconnects: int
    lost_values: dict[str, int]
    clamped_negative: int
    clamped_too_large: int
    overflowed_lookups: int
    loop_failures: int
    lost_back_fill: int
    spilled_intervals: int
    spilled_values: int


def health_of(
    tally: Tally, connected: bool, series: int, pending: int, flying: int
) -> ClientHealth:
    """What is counted, with how things are."""
    return ClientHealth(
        connected=connected,
        series=series,
        pending_intervals=pending,
        in_flight_intervals=flying,
        harvested_values=tally.harvested_values,
        sent_intervals=tally.sent_intervals,
        acknowledged_intervals=tally.acknowledged_intervals,
        acknowledged_values=tally.acknowledged_values,
        resent_intervals=tally.resent_intervals,
        joined_intervals=tally.joined_intervals,
        reconnects=max(0, tally.welcomes - 1),
        lost_values=dict(tally.lost),
        clamped_negative=tally.clamped_negative,
        clamped_too_large=tally.clamped_too_large,
        overflowed_lookups=tally.overflowed_lookups,
        loop_failures=tally.loop_failures,
        lost_back_fill=tally.lost_back_fill,
        spilled_intervals=tally.spilled_intervals,
        spilled_values=tally.spilled_values,
    )


def figures(health: ClientHealth, tally: Tally) -> dict[str, int]:
    """As HEALTH names them."""
    return {
        "start_time_seconds": tally.started_seconds,
        "series": health.series,
        "pending_intervals": health.pending_intervals,
        "in_flight_intervals": health.in_flight_intervals,
        "harvested_values_total": health.harvested_values,
        "sent_intervals_total": health.sent_intervals,
        "acknowledged_intervals_total": health.acknowledged_intervals,
        "acknowledged_values_total": health.acknowledged_values,
        "resent_intervals_total": health.resent_intervals,
        "joined_intervals_total": health.joined_intervals,
        "reconnects_total": health.reconnects,
        "lost_values_total": sum(health.lost_values.values()),
        "clamped_negative_total": health.clamped_negative,
        "clamped_too_large_total": health.clamped_too_large,
        "loop_failures_total": health.loop_failures,
        "overflowed_lookups_total": health.overflowed_lookups,
        "lost_back_fill_values_total": health.lost_back_fill,
    }
