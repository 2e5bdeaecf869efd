package io.hdrsidecar.fleet.route;

import java.util.Set;

/**
 * What a node can tell of.
 *
 * @param partitions those of which it shows all series, whole
 * @param version changes whenever these do
 */
public record HeldPartitions(Set<Integer> partitions, long version) {
  /** Takes a copy of the set. */
  public HeldPartitions {
    partitions = Set.copyOf(partitions);
  }
}
