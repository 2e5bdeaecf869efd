'use strict';

// A service with a process for each processor, all of which count into the same series.

const cluster = require('node:cluster');
const http = require('node:http');
const os = require('node:os');
const { Client, latencyMiddleware } = require('hdr-sidecar');

if (cluster.isPrimary) {
  Array.from({ length: os.availableParallelism() }, () => cluster.fork());
} else {
  const client = Client.fromEnvironment();
  const greeting = client.recorder('greeting');
  const observe = latencyMiddleware(client, { route: () => '/' });
  const server = http.createServer((request, response) => {
    observe(request, response);
    response.end(greeting.time(() => 'hello\n'));
  });
  server.listen(8080);
  process.once('SIGTERM', () => {
    server.close(async () => {
      await client.close();
      process.exit();
    });
  });
}
