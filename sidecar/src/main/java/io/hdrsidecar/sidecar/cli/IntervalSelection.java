package io.hdrsidecar.sidecar.cli;

import java.util.function.Predicate;

/**
 * Which intervals of a log are meant, and how they are read.
 *
 * @param tags the empty tag is that of intervals without one
 * @param correction of coordinated omission, or {@link OmissionCorrection#NONE}
 */
record IntervalSelection(StartRange range, Predicate<String> tags, OmissionCorrection correction) {}
