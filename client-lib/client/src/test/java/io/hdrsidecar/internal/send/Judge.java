package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.interval.SeriesDefinition;

/** Decides what a test's peer does with each interval that is new to it. */
@FunctionalInterface
public interface Judge {
  /** The n-th new interval in the life of the peer, from 1. */
  Verdict judge(int n, SeriesDefinition series);
}
