// What a project in TypeScript with ES modules writes. Compiled, not run.

import express from 'express';
import fastify from 'fastify';
import { createServer } from 'node:http';
import { Client, Schedule, ScheduledRecorder, fastifyLatency, latencyMiddleware } from 'hdr-sidecar';
import type { ClientHealth, ClientOptions, DeliveryResult, Recorder, RecorderOptions, Unit } from 'hdr-sidecar';

const options: ClientOptions = { address: 'unix:///run/s', commonLabels: { service: 'shop' }, logger: console };
await using client = Client.fromEnvironment(options, { HDR_SIDECAR_INTERVAL: '1s' });

const bytes: RecorderOptions = { unit: 'bytes', highest: 1n << 40n };
const checkout: Recorder = client.recorder('checkout', { route: '/pay' }, bytes);
checkout.record(1_500_000);
checkout.record(process.hrtime.bigint(), 'trace', null);
checkout.recordWithExpectedInterval(5, 1n);
const end: () => void = checkout.start();
end();
const sync: number = checkout.time(() => 7);
const later: Promise<string> = checkout.time(async () => 'answer');
const pay: (amount: number) => Promise<number> = checkout.timed(async (amount: number) => amount);

// @ts-expect-error no such unit
client.recorder('x', null, { unit: 'minutes' });
// @ts-expect-error a string is no value
checkout.record('7');
// @ts-expect-error values of labels are strings
client.recorder('x', { route: 7 });
// @ts-expect-error no such setting
new Client({ intervall: 7 });
// @ts-expect-error made by its two functions
new Schedule();

const scheduled = new ScheduledRecorder(client, 'call');
for await (const intended of Schedule.fixedRate(1_000, { calls: 100 })) {
  void scheduled.time(intended, () => pay(intended));
}
const first: number | undefined = [...Schedule.poisson(5, { calls: 1, seed: 7 }).offsets()][0];

const app = express();
app.use(
  latencyMiddleware(client, { trace: (request: express.Request) => ({ traceId: request.get('x-trace') ?? '' }) }),
);
await fastify().register(fastifyLatency, { client, name: 'requests' });
const observe = latencyMiddleware(client);
createServer((request, response) => {
  observe(request, response);
  response.end();
});

const unit: Unit = 'ns';
const health: ClientHealth = client.health();
const result: DeliveryResult = await client.close(5_000);
console.log(unit, health.lostValues['not_a_number'], result.deliveredAll, sync, await later, first);
