'use strict';

/** Ends of processes and worker threads, and who is an instance of its own. */

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { createInterface } = require('node:readline');
const { test } = require('node:test');
const { bareEnvironment, eventually, stage } = require('./support/sidecars');

const set = stage();

const PACKAGE = JSON.stringify(path.join(__dirname, '..'));
const HEAD = `
  const { Client } = require(${PACKAGE});
  const client = Client.fromEnvironment({ closeTimeoutMillis: 30000 });
  const calls = client.recorder('calls');
`;

/** A program of its own; what it printed, and how it ended. */
async function run(environment, program, head = HEAD) {
  const file = path.join(set.folder(), 'program.js');
  fs.writeFileSync(file, head + program);
  const child = spawn(process.execPath, [file], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => (stdout += data));
  child.stderr.on('data', (data) => (stderr += data));
  const [code, signal] = await new Promise((resolve) => child.once('close', (...how) => resolve(how)));
  return { code, signal, stdout, stderr };
}

async function succeed(sidecar, program, head) {
  const done = await run(sidecar.environment, program, head);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(done.stderr, '');
  return done;
}

test('the end of a program delivers', async () => {
  const sidecar = await set.sidecar();
  await succeed(sidecar, 'calls.record(7); setTimeout(() => calls.record(8), 50)');
  assert.equal((await sidecar.total('calls')).sum, 15n);
});

test('what is recorded in beforeExit is delivered, too', async () => {
  const sidecar = await set.sidecar();
  await succeed(sidecar, `calls.record(7); process.once('beforeExit', () => calls.record(8))`);
  assert.equal((await sidecar.total('calls')).sum, 15n);
});

test('a program that records in each beforeExit ends nevertheless', async () => {
  const sidecar = await set.sidecar();
  const done = await run(sidecar.environment, `process.on('beforeExit', () => calls.record(1)); calls.record(1)`);
  assert.equal(done.code, 0);
  assert.match(done.stderr, /not delivered before the end of the process: values=1/);
  assert.equal(await sidecar.count('calls'), 1 + 8);
});

test('the code of a program stays what it is', async () => {
  const sidecar = await set.sidecar();
  assert.equal((await run(sidecar.environment, 'calls.record(7); process.exitCode = 3')).code, 3);
  assert.equal(await sidecar.count('calls'), 1);
});

test('a client without values is nothing to wait for', async () => {
  await succeed({ environment: bareEnvironment({ HDR_SIDECAR_ADDRESS: 'tcp://127.0.0.1:1' }) }, '');
});

test('process.exit behind a close delivers', async () => {
  const sidecar = await set.sidecar();
  await succeed(sidecar, 'calls.record(7); client.close().then(() => process.exit())');
  assert.equal(await sidecar.count('calls'), 1);
});

for (const [name, end] of [
  ['process.exit', 'process.exit(1)'],
  ['an exception', 'setImmediate(() => { throw new Error("of the program"); })'],
  ['a rejection', 'Promise.reject(new Error("of the program"))'],
]) {
  test(`${name} leaves no time: what is lost is stated`, async () => {
    const sidecar = await set.sidecar();
    const done = await run(sidecar.environment, `calls.record(7); ${end}`);
    assert.equal(done.code, 1);
    assert.match(done.stderr, /not delivered before the end of the process: values=1/);
  });

  test(`${name} spills, and it is counted once`, async () => {
    const folder = set.folder();
    const sidecar = await set.sidecar();
    const environment = { ...sidecar.environment, HDR_SIDECAR_SPILL_FOLDER: folder };
    // Something of it has arrived already, and some may be on its way.
    const program = `
      for (let value = 0; value < 1000; value++) calls.record(value);
      const timer = setInterval(() => {
        if (client.health().acknowledgedValues < 1000) return;
        clearInterval(timer);
        for (let value = 1000; value < 3000; value++) calls.record(value);
        ${end};
      }, 5);`;
    assert.equal((await run(environment, program)).code, 1);
    assert.equal(fs.readdirSync(folder).filter((file) => /^spill-.*\.hlog$/.test(file)).length, 1);
    const second = await set.sidecars([`--spill-folder=${folder}`, '--spill-scan-interval=100ms']);
    await eventually(async () => (await second.count('calls')) > 0);
    const [kept, spilled] = [await sidecar.total('calls'), await second.total('calls')];
    assert.equal(kept.count + spilled.count, 3000);
    assert.equal(kept.sum + spilled.sum, (2999n * 3000n) / 2n);
  });
}

test('a sidecar that is away holds up the end for the timeout of the close, and no longer', async () => {
  const environment = bareEnvironment({ HDR_SIDECAR_ADDRESS: 'tcp://127.0.0.1:1' });
  const head = HEAD.replace('30000', '100');
  const done = await run(environment, `process.on('exit', () => calls.record(8)); calls.record(7)`, head);
  assert.equal(done.code, 0);
  assert.match(done.stderr, /no connection with tcp:\/\/127\.0\.0\.1:1, values wait: .*ECONNREFUSED/);
  assert.match(done.stderr, /not delivered in time: values=1/);
  assert.equal(done.stderr.match(/not delivered/g).length, 2, done.stderr); // The other is what `exit` recorded.
});

test('SIGTERM with a handler delivers, and without one ends the program as always', async () => {
  const sidecar = await set.sidecar();
  const kill = `setInterval(() => {}, 1000); process.kill(process.pid, 'SIGTERM')`;
  const handler = `process.once('SIGTERM', () => client.close().then(() => process.exit()))`;
  await succeed(sidecar, `calls.record(7); ${handler}; ${kill}`);
  assert.equal(await sidecar.count('calls'), 1);
  const { code, signal } = await run(sidecar.environment, `calls.record(7); ${kill}`);
  assert.deepEqual([code, signal], [null, 'SIGTERM']);
});

test('await using delivers', async (context) => {
  if (Symbol.asyncDispose === undefined) {
    context.skip('Node before 20.4');
    return;
  }
  const sidecar = await set.sidecar();
  await succeed(sidecar, 'calls.record(7); client[Symbol.asyncDispose]().then(() => process.exit())');
  assert.equal(await sidecar.count('calls'), 1);
});

test('a process that is killed has delivered what it recorded first', async () => {
  // What is there is 0, 1, 2 and so on: all that was acknowledged, and no gap.
  const sidecar = await set.sidecar();
  const program = `
    let value = 0;
    setInterval(() => {
      for (const end = value + 1000; value < end; value++) calls.record(value);
      console.log(client.health().acknowledgedValues);
    }, 1);`;
  const environment = { ...sidecar.environment, HDR_SIDECAR_INTERVAL: '20ms' };
  const child = spawn(process.execPath, ['-e', HEAD + program], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let acknowledged = 0;
  for await (const line of createInterface(child.stdout)) {
    acknowledged = Number(line);
    if (acknowledged > 20_000) {
      break;
    }
  }
  child.kill('SIGKILL');
  await eventually(async () => (await sidecar.count('calls')) >= acknowledged);
  const total = await sidecar.total('calls');
  assert.equal(total.sum, (BigInt(total.count) * BigInt(total.count - 1)) / 2n);
  assert.equal(total.max, total.count - 1);
});

/** The instances that a sidecar has seen, as it shows them. */
async function instances(sidecar) {
  return new Set((await sidecar.metrics()).match(/hdr_sidecar_client_info\{[^}]*client="\w+"/g));
}

test('each worker of a cluster is an instance of its own', async () => {
  const sidecar = await set.sidecar();
  const before = await instances(sidecar);
  const program = `
    const cluster = require('node:cluster');
    calls.record(1000);
    if (cluster.isPrimary) {
      let ended = 0;
      for (let n = 0; n < 4; n++) cluster.fork();
      cluster.on('exit', (worker, code) => {
        if (code !== 0) process.exit(1);
        if (++ended !== 4) return;
        cluster.fork().on('exit', () => client.close().then(() => process.exit()));
      });
    } else {
      for (let value = 0; value < 100; value++) calls.record(value);
      cluster.worker.disconnect();
    }`;
  await succeed(sidecar, program);
  assert.equal(await sidecar.count('calls'), 1 + 5 * 101);
  assert.equal((await sidecar.total('calls')).sum, 6n * 1000n + 5n * 4950n);
  const seen = await instances(sidecar);
  assert.equal([...seen].filter((one) => !before.has(one)).length, 6);
});

test('each worker thread is an instance of its own, however it ends but by terminate', async () => {
  const sidecar = await set.sidecar();
  const folder = set.folder();
  const before = await instances(sidecar);
  const file = path.join(folder, 'worker.js');
  const head = HEAD.replace('{ closeTimeoutMillis', `{ spillFolder: ${JSON.stringify(folder)}, closeTimeoutMillis`);
  const worker = `
    const { workerData } = require('node:worker_threads');
    for (let value = 0; value < 100; value++) calls.record(value);
    if (workerData === 1) client.close().then(() => process.exit());
    if (workerData === 2) process.exit();`;
  fs.writeFileSync(file, head + worker);
  const program = `
    const { Worker } = require('node:worker_threads');
    const start = (workerData) => new Promise((resolve) =>
      new Worker(${JSON.stringify(file)}, { workerData }).once('exit', resolve));
    calls.record(1000);
    Promise.all([0, 1, 2, 0].map(start)).then(() => calls.record(2000));`;
  const done = await run(sidecar.environment, program);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(await sidecar.count('calls'), 3 * 100 + 2);
  assert.equal((await sidecar.total('calls')).sum, 3n * 4950n + 3000n);
  const seen = await instances(sidecar);
  assert.equal([...seen].filter((one) => !before.has(one)).length, 4);
  const second = await set.sidecars([`--spill-folder=${folder}`, '--spill-scan-interval=100ms']);
  await eventually(async () => (await second.count('calls')) === 100);
});

test('import and require have the same clients', async () => {
  const sidecar = await set.sidecar();
  const file = path.join(set.folder(), 'program.mjs');
  const url = JSON.stringify(`file://${path.join(__dirname, '../index.mjs')}`);
  fs.writeFileSync(
    file,
    `import * as all from ${url};
     import { createRequire } from 'node:module';
     const required = createRequire(import.meta.url)(${PACKAGE});
     for (const name of Object.keys(required)) {
       if (all[name] !== required[name]) throw new Error(name);
     }
     console.log(Object.keys(all).length - Object.keys(required).length);`,
  );
  assert.equal((await succeed(sidecar, `import(${JSON.stringify(file)})`, '')).stdout, '0\n');
});
