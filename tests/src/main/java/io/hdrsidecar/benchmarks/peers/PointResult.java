package io.hdrsidecar.benchmarks.peers;

import io.hdrsidecar.benchmarks.peers.beside.ClientLosses;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of one peer at one point. "Steady" is what was measured after the warm-up; the
 * counts and errors are of the whole run.
 *
 * @param seconds length of the steady part
 * @param steadyEvents events in it
 * @param applicationCpu processor time of the application in it, in seconds
 * @param besideCpu the same of the process beside; 0 if there is none
 * @param applicationPeak most memory the application had resident, in bytes
 * @param besidePeak the same of the process beside; 0 if there is none
 * @param recorded events recorded
 * @param counted events on the last page
 * @param behind events not yet on the page when the measured time ended, lost ones included
 * @param restCpu processor time of both processes from then until no more events came, in seconds
 * @param clientLosses what the client says it lost itself; null if it says nothing
 * @param wireBytes bytes between the two
 * @param errors of the median, 99 %, 99.9 % and the maximum of one series, as a share of the true
 *     value; NaN where the page has none
 * @param nativeErrors the same of the native histogram, where the page has that beside gauges
 * @param pageBytes of the last page
 * @param sentBytes of it, as it was sent
 * @param scrapeMillis median time of a scrape
 * @param failedScrapes of those made each second
 */
record PointResult(
    Peer peer,
    Point point,
    double seconds,
    long steadyEvents,
    double applicationCpu,
    double besideCpu,
    long applicationPeak,
    long besidePeak,
    long recorded,
    long counted,
    long behind,
    double restCpu,
    @Nullable ClientLosses clientLosses,
    long wireBytes,
    List<Double> errors,
    List<Double> nativeErrors,
    long pageBytes,
    long sentBytes,
    double scrapeMillis,
    int failedScrapes) {

  /** The quantiles of {@link #errors}. */
  static final List<Double> QUANTILES = List.of(0.5, 0.99, 0.999, 1.0);

  /** Events a second in the steady part. */
  double reached() {
    return steadyEvents / seconds;
  }

  /** Whether the application kept the pace it was to keep, to within a hundredth. */
  boolean keptPace() {
    return reached() >= 0.99 * point.rate();
  }

  /** Events recorded and not counted. The loop alone has nothing to lose. */
  long lost() {
    return peer == Peer.NONE ? 0 : recorded - counted;
  }

  /** Events that came onto the page only after the measured time. */
  long late() {
    return behind - lost();
  }

  /** Whether more came late than a peer that reports each second has under way. */
  boolean isBehind() {
    return late() > 1.5 * reached();
  }

  /** Seconds of a processor for a million events, in the application. */
  double applicationCost() {
    return applicationCpu / steadyEvents * 1e6;
  }

  /** The same beside it. */
  double besideCost() {
    return besideCpu / steadyEvents * 1e6;
  }

  /** Both together, less what the loop alone costs at this point. */
  double cost(PointResult loop) {
    return applicationCost() - loop.applicationCost() + besideCost();
  }

  /** What was done after the measured time for events recorded before, in the same unit. */
  double restCost() {
    return restCpu / steadyEvents * 1e6;
  }

  /**
   * What a cost must reach to be told from nothing: the kernel tells processor time in hundredths
   * of a second, and a cost is made of five readings or more.
   */
  double resolution() {
    return 0.05 / steadyEvents * 1e6;
  }
}
