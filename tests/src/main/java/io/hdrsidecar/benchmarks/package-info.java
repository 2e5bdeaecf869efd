/**
 * The benchmarks, by group: {@code java -jar tests/target/benchmarks.jar record harvest memory}.
 *
 * <p>Input: names of groups. Output: a table for each, printed and appended to {@code
 * tests/benchmarks/RESULTS.md} with machine, JDK and date.
 */
@NullMarked
package io.hdrsidecar.benchmarks;

import org.jspecify.annotations.NullMarked;
