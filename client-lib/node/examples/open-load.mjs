// An open load: a thousand calls a second, of which some stall the event loop. See what waits.

import { performance } from 'node:perf_hooks';
import { Client, Schedule, ScheduledRecorder } from 'hdr-sidecar';

/** Each 500th call holds up all others for 50 ms. */
function handle(number) {
  const until = performance.now() + (number % 500 === 499 ? 50 : 0.2);
  while (performance.now() < until) {
    // Nothing else runs.
  }
}

const client = Client.fromEnvironment({ hiccups: true });
const pay = new ScheduledRecorder(client, 'pay');
let number = 0;
for await (const intendedStart of Schedule.fixedRate(1_000, { calls: 2_000 })) {
  pay.time(intendedStart, () => handle(number++));
}
console.log(await client.close());
