package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.sidecar.merge.Destination;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A series as records have it: one object for all who send to it. It is there as long as a series
 * id of some connection leads to it. Merge context only.
 */
final class FleetDestination implements Destination {
  private final SeriesKeys owner;
  private final byte[] key;
  private final int partition;
  private final BucketLayout layout;
  private int ids;
  private int helpSent;
  private long highestSent;

  FleetDestination(SeriesKeys owner, byte[] key, int partition, BucketLayout layout) {
    this.owner = owner;
    this.key = key;
    this.partition = partition;
    this.layout = layout;
  }

  /** The key of its records; not to be changed. */
  byte[] key() {
    return key;
  }

  int partition() {
    return partition;
  }

  /** One more id leads here. */
  void hold() {
    ids++;
  }

  @Override
  public void release() {
    ids--;
    if (ids == 0) {
      owner.forget(this);
    }
  }

  /**
   * Whether this is said of it for the first time since it is known here; then it is. Of the text
   * only a hash is kept: for one that has the same the text before stays.
   */
  boolean isNews(String help, long highestTrackableValue) {
    boolean isNews = help.hashCode() != helpSent || highestTrackableValue > highestSent;
    helpSent = help.hashCode();
    highestSent = Math.max(highestSent, highestTrackableValue);
    return isNews;
  }

  /** The highest trackable value that any who declared it has configured. */
  long highestTrackableValue() {
    return highestSent;
  }

  @Override
  public BucketLayout layout() {
    return layout;
  }

  @Override
  public boolean isForgotten() {
    return false;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FleetDestination same
        && partition == same.partition
        && layout.equals(same.layout)
        && Arrays.equals(key, same.key);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(key) + layout.hashCode();
  }
}
