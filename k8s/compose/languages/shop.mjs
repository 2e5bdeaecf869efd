// The shop in Node: a hundred calls a second, of which one in 500 takes a quarter of a second.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'hdr-sidecar';

const client = Client.fromEnvironment();
const requests = client.recorder('shop_request', { route: '/checkout' });

function checkout() {
  const stalls = Math.random() < 1 / 500;
  return sleep(stalls ? 250 : 2 + 4 * Math.random() ** 3);
}

const calls = setInterval(() => requests.time(checkout), 10);

process.once('SIGTERM', async () => {
  clearInterval(calls);
  await client.close();
  process.exit();
});
