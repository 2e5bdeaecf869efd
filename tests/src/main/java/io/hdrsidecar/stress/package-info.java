/**
 * Races of the recorder, provoked millions of times by jcstress: {@code java -jar
 * tests/target/jcstress.jar}.
 *
 * <p>Input: {@link io.hdrsidecar.internal.record.SeriesRecorder}. Output: a table of outcomes; a
 * forbidden one would be a value in no interval or in two.
 */
@NullMarked
package io.hdrsidecar.stress;

import org.jspecify.annotations.NullMarked;
