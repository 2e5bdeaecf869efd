// Records what it is told by its input, with the client of client-lib/node, and answers each line:
//
//   record <file>   records the values of the file, a line each: series and value; answers "recorded <number>"
//   await <number>  answers "acknowledged" when the sidecar has so many values
//   close           closes the clients, answers "closed" or with what is left, and ends
//
// With THREADS, so many worker threads share the values out, each with a client of its own.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { Client } from 'hdr-sidecar';

const client = Client.fromEnvironment({
  intervalMillis: 50,
  minBackoffMillis: 20,
  maxBackoffMillis: 200,
  closeTimeoutMillis: Number(process.env.CLOSE_TIMEOUT_MILLIS ?? 60_000),
});

const own = {
  record(lines) {
    for (const line of lines) {
      const [series, value] = line.split(' ');
      client.recorder(series, { route: '/pay' }).record(Number(value));
    }
    return lines.length;
  },
  acknowledged: () => client.health().acknowledgedValues,
  close: () => client.close(),
};

/** A thread that does the same. */
function thread() {
  const worker = new Worker(fileURLToPath(import.meta.url));
  const ask = (...command) => {
    worker.postMessage(command);
    return new Promise((resolve) => worker.once('message', resolve));
  };
  return {
    record: (lines) => ask('record', lines),
    acknowledged: () => ask('acknowledged'),
    close: () => ask('close'),
  };
}

const clients = [own];

const commands = {
  async record(file) {
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const shares = clients.map((_, share) => lines.filter((line, at) => at % clients.length === share));
    const counts = await Promise.all(clients.map((one, share) => one.record(shares[share])));
    console.log(`recorded ${counts.reduce((sum, count) => sum + count)}`);
  },
  async await(number) {
    for (let has = 0; has < Number(number); ) {
      await sleep(5);
      has = (await Promise.all(clients.map((one) => one.acknowledged()))).reduce((sum, count) => sum + count);
    }
    console.log('acknowledged');
  },
  async close() {
    const left = await Promise.all(clients.map((one) => one.close()));
    console.log(left.every((one) => one.undeliveredValues === 0) ? 'closed' : JSON.stringify(left));
    process.exit();
  },
};

if (isMainThread) {
  clients.push(...Array.from({ length: Number(process.env.THREADS ?? 0) }, thread));
  console.log('ready');
  for await (const line of createInterface(process.stdin)) {
    const [command, argument] = line.split(' ');
    await commands[command](argument);
  }
} else {
  parentPort.on('message', async ([command, argument]) => parentPort.postMessage(await own[command](argument)));
}
