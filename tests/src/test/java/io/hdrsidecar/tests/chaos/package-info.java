/**
 * The chaos test: a sidecar and two clients as processes, random faults, and counts that stay
 * exact.
 *
 * <pre>
 *   ChaosClient a --TCP---> CutProxy ---> hdr-sidecar.jar, journal on
 *   ChaosClient b --Unix--> CutProxy ---'        |
 *     |  '-- TruthFile, Ledger: what was         '-- GET /api/v1/histogram, /metrics
 *     |      recorded, what was acknowledged              |
 *     '----------------------> Verdict <------------------'
 * </pre>
 *
 * <p>{@code FaultSchedule} makes all faults from one seed, {@code ChaosRun} carries them out, and
 * {@code Verdict} compares each bucket of each series of each client process that ever lived.
 */
@NullMarked
package io.hdrsidecar.tests.chaos;

import org.jspecify.annotations.NullMarked;
