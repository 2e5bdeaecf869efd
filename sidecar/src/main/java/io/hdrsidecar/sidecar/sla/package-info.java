/**
 * Service level agreements: tables of percentiles and limits, judged against what was counted.
 *
 * <p>Input: rules from a YAML file, and the series of the store that their selectors match. Output:
 * verdicts for each rule and window, counters of good and of all events for burn rates, and answers
 * about any past range of the history. Series are joined by adding counts, never by averaging
 * percentiles, and only if they count the same kind of value.
 */
@NullMarked
package io.hdrsidecar.sidecar.sla;

import org.jspecify.annotations.NullMarked;
