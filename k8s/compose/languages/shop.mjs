// The shop in Node: a hundred calls a second, of which one in 500 takes a quarter of a second.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'hdr-sidecar';

const client = Client.fromEnvironment();
const requests = client.recorder('shop_request', { route: '/checkout' });

function checkout() {
  const stalls = Math.random() < 1 / 500;
  return sleep(stalls ? 250 : 2 + 4 * Math.random() ** 3);
}

let calls = 0;
const underWay = new Set();
const timer = setInterval(async () => {
  calls++;
  const call = requests.time(checkout);
  underWay.add(call);
  await call;
  underWay.delete(call);
}, 10);

process.once('SIGTERM', async () => {
  clearInterval(timer);
  await Promise.all(underWay);
  await client.close();
  console.log(`shop calls=${calls}`);
  process.exit();
});
