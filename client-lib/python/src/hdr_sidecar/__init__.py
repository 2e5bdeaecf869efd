"""Records every latency of a Python service and streams it to the sidecar, each value once.

For example:

    client = Client.from_environment()
    checkout = client.recorder("checkout", {"route": "/pay"})
    with checkout.time():
        pay()
"""

from hdr_sidecar._engine import DeliveryResult
from hdr_sidecar._health import ClientHealth
from hdr_sidecar.client import Client
from hdr_sidecar.config import ClientConfig
from hdr_sidecar.recorder import Recorder, Timing
from hdr_sidecar.schedule import Schedule, ScheduledCall, ScheduledRecorder
from hdr_sidecar.series import RecorderConfig, Unit

__all__ = [
    "Client",
    "ClientConfig",
    "ClientHealth",
    "DeliveryResult",
    "Recorder",
    "RecorderConfig",
    "Schedule",
    "ScheduledCall",
    "ScheduledRecorder",
    "Timing",
    "Unit",
]
