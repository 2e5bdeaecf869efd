package io.hdrsidecar.tests.chaos;

/**
 * One process of a client, from its start to its end.
 *
 * @param run its label {@code run}. A process that ended in order and the one after it share it,
 *     and so their series, as those of any service that is restarted; after a kill it is a new one,
 *     so that what the killed process took with it is missed in its own series
 * @param number the how manieth process of its run it is, from 1
 * @param killed whether it ended by {@code kill -9}
 */
record ClientLife(String run, int number, boolean killed) {
  /** What its files are named after. */
  String name() {
    return run + "-" + number;
  }
}
