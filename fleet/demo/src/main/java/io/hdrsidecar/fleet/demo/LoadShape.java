package io.hdrsidecar.fleet.demo;

/**
 * What a fleet is measured with.
 *
 * @param sidecars how many are simulated
 * @param series how many each of them has
 * @param deployments to which sidecars belong by turns; series of one deployment are one
 * @param intervalMillis how often a sidecar hands on an interval of each of its series
 * @param payloadBytes of an interval, as deflated for the network
 * @param nodes how many
 * @param partitions of both topics
 * @param warmUpSeconds before anything is measured
 * @param seconds measured
 */
record LoadShape(
    int sidecars,
    int series,
    int deployments,
    int intervalMillis,
    int payloadBytes,
    int nodes,
    int partitions,
    int warmUpSeconds,
    int seconds) {

  /** As many intervals a second, from so many sidecars. */
  LoadShape withSidecars(int count) {
    return new LoadShape(
        count,
        series,
        Math.min(count, deployments),
        (int) Math.max(1, (long) intervalMillis * count / sidecars),
        payloadBytes,
        nodes,
        partitions,
        warmUpSeconds,
        seconds);
  }

  /** The same sidecars, of so many deployments. */
  LoadShape withDeployments(int count) {
    return new LoadShape(
        sidecars,
        series,
        count,
        intervalMillis,
        payloadBytes,
        nodes,
        partitions,
        warmUpSeconds,
        seconds);
  }

  /** The same load on so many nodes. */
  LoadShape withNodes(int count) {
    return new LoadShape(
        sidecars,
        series,
        deployments,
        intervalMillis,
        payloadBytes,
        count,
        partitions,
        warmUpSeconds,
        seconds);
  }

  /** What a sidecar belongs to, from 0 on. */
  int deploymentOf(int sidecar) {
    return sidecar % deployments;
  }

  /** Series of the fleet. */
  long fleetSeries() {
    return (long) series * deployments;
  }
}
