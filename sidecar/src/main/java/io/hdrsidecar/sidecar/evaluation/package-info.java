/**
 * Evaluates queries of PromQL over what series counted: a tree of expressions and a time in,
 * numbers and whole distributions out. Counts stay distributions through rates, sums and factors,
 * and are cut into buckets only where buckets are the result. The past is read as other queries
 * read it.
 */
@NullMarked
package io.hdrsidecar.sidecar.evaluation;

import org.jspecify.annotations.NullMarked;
