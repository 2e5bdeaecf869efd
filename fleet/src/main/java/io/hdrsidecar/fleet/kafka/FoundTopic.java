package io.hdrsidecar.fleet.kafka;

import org.apache.kafka.common.Uuid;

/**
 * A topic as it is at the brokers.
 *
 * @param id another one when it is made anew under its name
 * @param longestRecordBytes the longest record that it takes
 */
public record FoundTopic(Uuid id, int longestRecordBytes) {}
