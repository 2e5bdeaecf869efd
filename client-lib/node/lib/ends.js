'use strict';

/**
 * The end of a process, or of a worker thread. `beforeExit` comes when it has nothing to do any
 * longer: then there is time to deliver. `exit` comes for all but signals and crashes, and leaves
 * time for what does not wait. Neither changes whether or how the process ends.
 *
 * @typedef {{ close(): Promise<{ undeliveredValues: number }>, endNow(): void }} Ending
 */

/** A `beforeExit` follows each other as long as somebody has something to do in it. */
const MOST_TIMES = 8;

/** @type {Set<Ending>} */
const open = new Set();

/** @type {WeakSet<Ending>} */
const givenUp = new WeakSet();

let times = 0;
let isHooked = false;

/**
 * From now on the end of the process is that of this client, too.
 *
 * @param {Ending} client
 */
function watch(client) {
  open.add(client);
  if (!isHooked) {
    isHooked = true;
    process.on('beforeExit', beforeExit);
    process.on('exit', atExit);
  }
}

/**
 * It has nothing to deliver.
 *
 * @param {Ending} client
 */
function forget(client) {
  open.delete(client);
}

function beforeExit() {
  if (times++ >= MOST_TIMES) {
    return;
  }
  for (const client of open) {
    if (!givenUp.has(client)) {
      client.close().then(
        (result) => {
          if (result.undeliveredValues > 0) {
            givenUp.add(client);
          }
        },
        () => givenUp.add(client),
      );
    }
  }
}

function atExit() {
  for (const client of open) {
    client.endNow();
  }
}

module.exports = { forget, watch };
