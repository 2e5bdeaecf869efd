package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.interval.BucketLayout;
import io.hdrsidecar.sidecar.merge.Series;

/**
 * What a series id stands for on one connection.
 *
 * @param series where its intervals are counted; may be an overflow series
 * @param layout the layout they must have
 */
record RegisteredSeries(Series series, BucketLayout layout) {}
