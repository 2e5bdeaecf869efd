'use strict';

/** With real servers of real frameworks, and a real sidecar. */

const assert = require('node:assert/strict');
const { once } = require('node:events');
const http = require('node:http');
const net = require('node:net');
const { test } = require('node:test');
const express = require('express');
const fastify = require('fastify');
const { Client, fastifyLatency, latencyMiddleware } = require('..');
const { eventually, stage } = require('./support/sidecars');

const set = stage();

async function listening(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  set.later(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

async function get(url, options) {
  const answer = await fetch(url, options);
  await answer.text();
  return answer.status;
}

/** How many requests have each of these labels, once there are so many in all. */
async function counted(sidecar, labels, number) {
  await eventually(async () => (await sidecar.count('http_server_requests')) === number);
  return Promise.all(
    labels.map(([method, route, status]) =>
      sidecar.count(`http_server_requests{method="${method}",route="${route}",status="${status}"}`),
    ),
  );
}

test('requests of Express have method, route and status', async () => {
  const sidecar = await set.sidecar();
  const client = set.client(sidecar);
  const app = express();
  app.use(latencyMiddleware(client));
  app.get('/items/:id', (request, response) => response.status(Number(request.params.id)).end('item'));
  app.get('/fails', () => {
    throw new Error('of the handler');
  });
  const router = express.Router();
  router.post('/sub/:name', (_, response) => response.end());
  app.use('/mounted', router);
  app.use((error, _request, response, next) => (error ? response.status(500).end() : next()));
  const url = await listening(http.createServer(app));
  assert.equal(await get(`${url}/items/201`), 201);
  assert.equal(await get(`${url}/items/202`), 202);
  assert.equal(await get(`${url}/fails`), 500);
  assert.equal(await get(`${url}/nowhere/7`), 404);
  assert.equal(await get(`${url}/mounted/sub/x`, { method: 'POST' }), 200);
  assert.equal(await get(`${url}/mounted/sub/y`, { method: 'POST' }), 200);
  const labels = [
    ['GET', '/items/:id', 201],
    ['GET', '/items/:id', 202],
    ['GET', '/fails', 500],
    ['GET', 'unmatched', 404],
    ['POST', '/mounted/sub/:name', 200],
  ];
  assert.deepEqual(await counted(sidecar, labels, 6), [1, 1, 1, 1, 2]);
});

test('routes of Express have their mounts in front, also where an error goes on to the application', async () => {
  const sidecar = await set.sidecar();
  const client = set.client(sidecar);
  const app = express();
  app.use(latencyMiddleware(client));
  app.use(latencyMiddleware(client, { name: 'second' }));
  const router = express.Router();
  router.get('/items/:id', (request, response, next) => {
    const { id } = request.params;
    return id === 'bad' ? next(new Error('of the handler')) : id === 'none' ? next() : response.end(request.route.path);
  });
  const deep = express.Router();
  deep.use('/deep', router);
  app.use('/v1', router);
  app.use('/v2', router, deep);
  app.use((error, _request, response, next) => (error ? response.status(500).end() : next()));
  const url = await listening(http.createServer(app));
  assert.equal(await get(`${url}/v1/items/1`), 200);
  assert.equal(await get(`${url}/v1/items/bad`), 500);
  assert.equal(await get(`${url}/v1/items/none`), 404);
  assert.equal(await get(`${url}/v2/items/bad`), 500);
  assert.equal(await get(`${url}/v2/deep/items/2`), 200);
  assert.equal(await get(`${url}/v2/deep/items/bad`), 500);
  const labels = [
    ['GET', '/v1/items/:id', 200],
    ['GET', '/v1/items/:id', 500],
    ['GET', '/v1/items/:id', 404],
    ['GET', '/v2/items/:id', 500],
    ['GET', '/v2/deep/items/:id', 200],
    ['GET', '/v2/deep/items/:id', 500],
  ];
  assert.deepEqual(await counted(sidecar, labels, 6), [1, 1, 1, 1, 1, 1]);
  await eventually(async () => (await sidecar.count('second{route="/v2/items/:id",status="500"}')) === 1);
});

test('requests of Fastify have method, route and status', async () => {
  const sidecar = await set.sidecar();
  const client = set.client(sidecar);
  const app = fastify();
  await app.register(fastifyLatency, { client });
  app.get('/items/:id', async (request, reply) => reply.code(Number(request.params.id)).send('item'));
  app.get('/fails', async () => {
    throw new Error('of the handler');
  });
  await app.register(async (scope) => scope.get('/deep', async () => 'deep'), { prefix: '/scope' });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  set.later(() => app.close());
  assert.equal(await get(`${url}/items/201`), 201);
  assert.equal(await get(`${url}/fails`), 500);
  assert.equal(await get(`${url}/scope/deep`), 200);
  assert.equal(await get(`${url}/nowhere/7`), 404);
  await app.inject('/scope/deep');
  const labels = [
    ['GET', '/items/:id', 201],
    ['GET', '/fails', 500],
    ['GET', '/scope/deep', 200],
    ['GET', 'unmatched', 404],
  ];
  assert.deepEqual(await counted(sidecar, labels, 5), [1, 1, 2, 1]);
});

test('requests of node:http last until their response is sent, and a caller who leaves has 499', async () => {
  const sidecar = await set.sidecar();
  const client = set.client(sidecar);
  const trace = () => ({ traceId: 'trace-of-the-request', spanId: 'span' });
  const observe = latencyMiddleware(client, { route: (request) => request.url.split('?')[0], trace });
  let arrived = 0;
  const server = http.createServer((request, response) => {
    observe(request, response);
    arrived++;
    if (request.url === '/slow') {
      setTimeout(() => response.end('slow'), 60);
    } else if (request.url !== '/never') {
      response.end('fast');
    }
  });
  const url = await listening(server);
  await get(`${url}/fast?7`);
  await get(`${url}/slow`, { method: 'DELETE' });
  const caller = net.connect(server.address().port, '127.0.0.1');
  caller.write('GET /never HTTP/1.1\r\nHost: a\r\n\r\n');
  await eventually(() => arrived === 3);
  caller.destroy();
  const labels = [
    ['GET', '/fast', 200],
    ['DELETE', '/slow', 200],
    ['GET', '/never', 499],
  ];
  assert.deepEqual(await counted(sidecar, labels, 3), [1, 1, 1]);
  assert.ok((await sidecar.total('http_server_requests{route="/slow"}')).min >= 58_000_000);
  const page = await sidecar.get('/metrics', { Accept: 'application/openmetrics-text; version=1.0.0' });
  assert.match(page, /trace_id="trace-of-the-request"/);
});

/** A response that ends at once, of a request that was observed. */
function serve(middleware, request) {
  const ends = [];
  middleware(request, { statusCode: 200, headersSent: true, once: (_, listener) => ends.push(listener) });
  ends.forEach((end) => end());
}

test('whatever a route is or does, the request is counted, and routes are bounded', async () => {
  const sidecar = await set.sidecar();
  const client = set.client(sidecar);
  const odd = [
    () => {
      throw new Error('of the application');
    },
    () => ['/a'],
    () => '\ud800',
    () => undefined,
    () => 'x'.repeat(5_000),
  ];
  odd.forEach((route) => serve(latencyMiddleware(client, { route }), { method: 'BREW' }));
  const fails = () => {
    throw new Error('of the tracer');
  };
  serve(latencyMiddleware(client, { trace: fails }), { method: 'GET' });
  const many = latencyMiddleware(client, { route: (request) => request.url });
  for (let n = 0; n < 500; n++) {
    serve(many, { method: 'GET', url: `/${n}` });
  }
  await eventually(async () => (await sidecar.count('http_server_requests')) === 506);
  assert.equal(await sidecar.count('http_server_requests{method="other",route="unmatched"}'), 3);
  assert.equal(await sidecar.count('http_server_requests{route="other"}'), 300);
  assert.ok(client.health().series <= 210);
});

test('a name that cannot be is told at the start, and labels that contradict once', async () => {
  assert.throws(() => latencyMiddleware(new Client(), { name: 'a-b' }), /series name/);
  const client = set.client('tcp://127.0.0.1:1', { commonLabels: { method: 'any' } });
  const warned = once(process, 'warning');
  const middleware = latencyMiddleware(client);
  serve(middleware, { method: 'GET' });
  serve(middleware, { method: 'GET' });
  const [warning] = await warned;
  assert.match(warning.message, /requests are not recorded.*method is set twice/);
});
