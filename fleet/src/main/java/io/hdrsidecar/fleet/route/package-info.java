/**
 * The part of a node that answers a query whole with the help of others: asks them what it does not
 * have itself, tells them what it has, and puts what comes together as one store, of which the
 * query is asked. In come queries of {@code sidecar.query} as {@link
 * io.hdrsidecar.sidecar.query.NeededSeries}, out goes a store that has all of their series, or why
 * there is none.
 */
@NullMarked
package io.hdrsidecar.fleet.route;

import org.jspecify.annotations.NullMarked;
