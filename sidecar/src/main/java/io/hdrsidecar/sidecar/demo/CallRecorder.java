package io.hdrsidecar.sidecar.demo;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;

/** Takes both times of each call; any thread. */
@FunctionalInterface
interface CallRecorder {
  /**
   * Records a call.
   *
   * @param serviceNanos nanoseconds from its actual start to its end
   * @param responseNanos nanoseconds from its intended start to its end
   */
  void record(long serviceNanos, long responseNanos);

  /** Records into the two series of {@link CallKind}. */
  static CallRecorder into(HdrSidecarClient client) {
    LatencyRecorder service = client.recorder(CallKind.SERIES_NAME, CallKind.SERVICE.labels());
    LatencyRecorder response = client.recorder(CallKind.SERIES_NAME, CallKind.RESPONSE.labels());
    return (serviceNanos, responseNanos) -> {
      service.record(serviceNanos);
      response.record(responseNanos);
    };
  }
}
