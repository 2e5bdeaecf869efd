package io.hdrsidecar.fleet.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What can happen to a fleet on Kafka. */
enum FleetTrouble {
  /** {@code kill -9} of a gateway, of which there are two. */
  KILL_GATEWAY,
  /** The same of a node, which may find its folder gone. */
  KILL_NODE,
  /** The same of the broker. */
  KILL_BROKER,
  /** The same of a sidecar, which has a journal. */
  KILL_SIDECAR,
  /** Nothing goes between a sidecar and its gateway; then it may be another gateway. */
  PART_SIDECAR,
  /** Nothing goes between a gateway and the broker. */
  PART_GATEWAY,
  /** Nothing goes between a node and the broker, sometimes for longer than its session lasts. */
  PART_NODE,
  /** Another number of nodes, from one to three. */
  REBALANCE,
  /** A client whose intervals are of an hour ago. */
  LATE,
  /** Records of the topic are produced again. */
  DUPLICATES;

  /** So many, the same for the same seed; each kind once before any comes twice. */
  static List<FleetTrouble> schedule(long seed, int count) {
    Random random = new Random(seed);
    List<FleetTrouble> all = new ArrayList<>(Arrays.asList(values()));
    Collections.shuffle(all, random);
    while (all.size() < count) {
      all.add(values()[random.nextInt(values().length)]);
    }
    return all.subList(0, count);
  }
}
