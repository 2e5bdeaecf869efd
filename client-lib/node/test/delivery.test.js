'use strict';

/** With a real sidecar. */

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { describe, test } = require('node:test');
const { setImmediate: turn, setTimeout: sleep } = require('node:timers/promises');
const { Schedule, ScheduledRecorder } = require('..');
const {
  CuttingProxy,
  assertCounted,
  block,
  chance,
  eventually,
  lognormal,
  oracle,
  stage,
  sumOf,
} = require('./support/sidecars');

const set = stage();

async function delivered(client, millis = 30_000) {
  const result = await client.close(millis);
  assert.deepEqual(result, { deliveredAll: true, undeliveredValues: 0, spilledValues: 0, spillFile: undefined });
}

test('every bucket is that of hdr-histogram-js', async () => {
  const sidecar = await set.sidecar();
  const client = set.client(sidecar, { commonLabels: { service: 'shop' } });
  const values = lognormal(1, 100_000);
  const checkout = client.recorder('checkout', { route: '/pay ü' });
  values.forEach((value) => checkout.record(value));
  await delivered(client);
  await assertCounted(sidecar, 'checkout{service="shop",route="/pay ü"}', values);
  assert.match(await sidecar.metrics(), /checkout_seconds_count\{/);
  const health = client.health();
  assert.equal(health.harvestedValues, 100_000);
  assert.equal(health.acknowledgedValues, 100_000);
  assert.deepEqual(health.lostValues, {});
  assert.equal(health.loopFailures, 0);
});

test('values up to 2^62, and a sum beyond 2^64, arrive exactly', async () => {
  const sidecar = await set.sidecar();
  const client = set.client(sidecar);
  const numbers = client.recorder('numbers', null, { unit: 'none', highest: 1n << 62n });
  const values = [1n, (1n << 53n) + 1n, ...Array.from({ length: 9 }, (_, at) => (1n << 62n) - BigInt(at))];
  values.forEach((value) => numbers.record(value));
  await delivered(client);
  const total = await sidecar.total('numbers');
  assert.equal(total.count, values.length);
  assert.equal(total.sum, sumOf(values));
});

for (const unit of ['ns', 'us', 'ms', 's', 'bytes', 'none']) {
  test(`unit ${unit} in all layouts`, async () => {
    const sidecar = await set.sidecar();
    const client = set.client(sidecar);
    const values = [0, 1, 5, 1_000, 4_096, 123_456];
    for (let digits = 1; digits < 5; digits++) {
      const recorder = client.recorder(`${unit}_${digits}`, null, { unit, highest: 2 ** 20, digits, help: 'h' });
      values.forEach((value) => recorder.record(value));
    }
    await delivered(client);
    for (let digits = 1; digits < 5; digits++) {
      assert.deepEqual(await sidecar.buckets(`${unit}_${digits}`), oracle(values, { highest: 2 ** 20, digits }));
    }
    assert.deepEqual(client.health().lostValues, {});
  });
}

test('values recorded during and after a close are delivered', async () => {
  const sidecar = await set.sidecar();
  const client = set.client(sidecar);
  const calls = client.recorder('calls');
  for (let number = 1; number <= 5; number++) {
    calls.record(number);
    await delivered(client);
  }
  calls.record(6);
  const closes = [];
  for (let number = 7; number <= 200; number++) {
    if (number % 20 === 0) {
      closes.push(client.close(30_000));
    }
    calls.record(number);
    await turn();
  }
  await Promise.all(closes);
  calls.record(201);
  await eventually(async () => (await sidecar.count('calls')) === 201);
  assert.equal((await sidecar.total('calls')).sum, (201n * 202n) / 2n);
});

test('a close without values is at once, and one for too long is refused', async () => {
  const client = set.client('tcp://127.0.0.1:1');
  await delivered(client, 60_000);
  for (const wrong of [-1, NaN, 600_001, '1']) {
    await assert.rejects(client.close(wrong), RangeError);
  }
});

describe('a sidecar that is killed and restarted', () => {
  test('nothing is lost or doubled', async () => {
    const sidecar = await set.sidecars([`--journal-directory=${set.folder()}`]);
    const client = set.client(sidecar);
    const calls = client.recorder('calls');
    const values = lognormal(2, 60_000);
    const rest = values.values();
    const record = (number) => {
      for (let at = 0; at < number; at++) {
        calls.record(rest.next().value);
      }
    };
    for (let round = 0; round < 2; round++) {
      const before = client.health().acknowledgedValues;
      record(20_000);
      await eventually(() => client.health().acknowledgedValues > before);
      record(5_000);
      await sidecar.kill();
      record(5_000);
      await sidecar.restart();
    }
    await delivered(client, 60_000);
    await assertCounted(sidecar, 'calls', values);
    assert.ok(client.health().reconnects >= 2);
    assert.deepEqual(client.health().lostValues, {});
  });

  test('one that comes late gets everything joined', async () => {
    const reserved = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => reserved.once('listening', resolve));
    const { port } = reserved.address();
    await new Promise((resolve) => reserved.close(resolve));
    const client = set.client(`tcp://127.0.0.1:${port}`, { intervalMillis: 10 });
    const calls = client.recorder('calls');
    const values = lognormal(3, 2_000);
    for (const [at, value] of values.entries()) {
      calls.record(value);
      if (at % 50 === 0) {
        await sleep(1);
      }
    }
    await eventually(() => client.health().harvestedValues === values.length);
    assert.equal(client.health().pendingIntervals, 1);
    const sidecar = await set.sidecars([], port);
    await delivered(client, 60_000);
    await assertCounted(sidecar, 'calls', values);
  });
});

for (const first of [7, 61, 200]) {
  test(`a connection that is cut in the middle of frames, first behind ${first} bytes`, async () => {
    const sidecar = await set.sidecar();
    const proxy = new CuttingProxy(sidecar.port, first);
    const client = set.client(await proxy.listen(), { intervalMillis: 10, commonLabels: sidecar.labels });
    const recorders = Array.from({ length: 5 }, (_, n) => client.recorder('calls', { n: String(n) }));
    const values = lognormal(first, 3_000);
    for (const [at, value] of values.entries()) {
      recorders[at % 5].record(value);
      if (at % 100 === 0) {
        await sleep(5);
      }
    }
    await delivered(client, 60_000);
    proxy.server.close();
    assert.ok(proxy.cuts > 3);
    for (let n = 0; n < 5; n++) {
      await assertCounted(
        sidecar,
        `calls{n="${n}"}`,
        values.filter((_, at) => at % 5 === n),
      );
    }
    assert.deepEqual(client.health().lostValues, {});
  });
}

test('more series than are sampled or sent at a time', async () => {
  const sidecar = await set.sidecar();
  const client = set.client(sidecar, { maxSeries: 600 });
  for (let n = 0; n < 700; n++) {
    const recorder = client.recorder('calls', { n: String(n) });
    recorder.record(n);
    recorder.record(n);
  }
  await eventually(() => client.health().acknowledgedValues === 1400);
  assert.equal(await sidecar.count('calls{overflow="true"}'), 200);
  assert.equal(await sidecar.count('calls'), 1400);
  client.recorder('calls', { n: '7' }).record(1);
  await delivered(client);
  assert.equal(await sidecar.count('calls{n="7"}'), 3);
});

test('unix socket', async () => {
  const folder = set.folder();
  await set.sidecars([`--ingest-unix-socket=${folder}/s`]);
  const client = set.client(`unix://${folder}/s`);
  client.recorder('calls').record(7);
  await delivered(client);
  assert.equal(client.health().acknowledgedValues, 1);
});

/** An authority, and certificates of it for the sidecar's address and for a client. */
function tlsFiles() {
  const folder = set.folder();
  const openssl = (...command) => execFileSync('openssl', command, { cwd: folder, stdio: 'pipe' });
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  openssl(...request, '-subj', '/CN=authority', '-keyout', 'ca.key', '-out', 'ca.pem');
  for (const name of ['sidecar', 'client']) {
    const extensions = ['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=CA:false'];
    const issued = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-subj', `/CN=${name}`, ...extensions];
    openssl(...request, ...issued, '-keyout', `${name}.key`, '-out', `${name}.pem`);
  }
  return (name) => path.join(folder, name);
}

test('TLS with certificates on both sides', async () => {
  const file = tlsFiles();
  const sidecar = await set.sidecars([
    `--tls-certificate=${file('sidecar.pem')}`,
    `--tls-key=${file('sidecar.key')}`,
    `--tls-client-ca=${file('ca.pem')}`,
    '--http-tls=off',
  ]);
  const address = sidecar.address.replace('tcp:', 'tls:');
  const tlsCa = file('ca.pem');
  const own = { tlsCa, tlsCertificate: file('client.pem'), tlsKey: file('client.key') };
  const client = set.client(address, own);
  const values = lognormal(9, 20_000);
  values.forEach((value) => client.recorder('calls').record(value));
  await delivered(client);
  await assertCounted(sidecar, 'calls', values);
  for (const settings of [{ tlsCa }, {}, { ...own, tlsCa: file('missing.pem') }]) {
    const stranger = set.client(address, settings);
    stranger.recorder('calls').record(1);
    assert.equal((await stranger.close(500)).undeliveredValues, 1);
  }
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  set.later(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
  const other = set.client(address.replace('127.0.0.1', 'localhost'), own);
  other.recorder('calls').record(1);
  assert.equal((await other.close(500)).undeliveredValues, 1, 'the certificate is of another host');
  assert.equal(await sidecar.count('calls'), values.length);
});

test('a token that changes in its file', async () => {
  const folder = set.folder();
  const tokenFile = path.join(folder, 'token');
  fs.writeFileSync(path.join(folder, 'tokens'), 'right\n');
  fs.writeFileSync(tokenFile, 's3cret\n');
  const sidecar = await set.sidecars([`--ingest-token-file=${folder}/tokens`]);
  const said = [];
  const logger = { info() {}, warn: (line) => said.push(line) };
  const client = set.client(sidecar, { tokenFile, logger });
  client.recorder('calls').record(7);
  assert.equal((await client.close(500)).undeliveredValues, 1);
  assert.equal(await sidecar.count('calls'), 0);
  assert.match(said.join('\n'), /refused .*unauthorized/);
  assert.doesNotMatch(said.join('\n'), /s3cret/);
  fs.writeFileSync(tokenFile, 'right\n');
  await delivered(client);
  assert.equal(await sidecar.count('calls'), 1);
});

test('a spill file is picked up once', async () => {
  const spillFolder = path.join(set.folder(), 'spill');
  const sidecar = await set.sidecars();
  const client = set.client(sidecar, { spillFolder, commonLabels: { pod: 'ü' } });
  const labels = { route: '/pay,;={}~"% ', long: 'y'.repeat(300) };
  const calls = client.recorder('calls', labels, { help: '100% {sure}' });
  const values = lognormal(4, 5_000);
  values.slice(0, 2_000).forEach((value) => calls.record(value));
  await eventually(() => client.health().acknowledgedValues === 2_000);
  await sidecar.kill();
  values.slice(2_000).forEach((value) => calls.record(value));
  const result = await client.close(300);
  assert.deepEqual([result.spilledValues, result.undeliveredValues], [3_000, 0]);
  assert.equal(path.dirname(result.spillFile), spillFolder);
  assert.equal(client.health().spilledValues, 3_000);
  const options = [`--spill-folder=${spillFolder}`, '--spill-scan-interval=100ms'];
  const second = await set.sidecars(options, sidecar.port);
  await eventually(async () => (await second.count('calls')) === 3_000);
  await assertCounted(second, 'calls', values.slice(2_000));
  assert.match(await second.metrics(), /hdr_sidecar_spill_files_total\{result="damaged"\} 0\.0\n/);
  await eventually(() => fs.readdirSync(spillFolder).filter((name) => name.endsWith('.hlog')).length === 0);
});

test('what was never sent is spilled as well, in a file of many series', async () => {
  const spillFolder = set.folder();
  const client = set.client('tcp://127.0.0.1:1', { spillFolder });
  for (let n = 0; n < 250; n++) {
    client.recorder('calls', { n: String(n) }).record(n);
  }
  assert.equal((await client.close(100)).spilledValues, 250);
  assert.deepEqual(client.health().lostValues, {});
  const sidecar = await set.sidecars([`--spill-folder=${spillFolder}`, '--spill-scan-interval=100ms']);
  await eventually(async () => (await sidecar.count('calls')) === 250);
  assert.equal((await sidecar.total('calls')).sum, (249n * 250n) / 2n);
});

test('a spill folder that cannot be made is said, and what it was for is counted as lost', async () => {
  const file = path.join(set.folder(), 'file');
  fs.writeFileSync(file, '');
  const client = set.client('tcp://127.0.0.1:1', { spillFolder: path.join(file, 'folder') });
  client.recorder('calls').record(7);
  const result = await client.close(100);
  assert.deepEqual([result.spilledValues, result.undeliveredValues], [0, 1]);
  assert.deepEqual(client.health().lostValues, { spill_failed: 1 });
});

test('series and intervals that are refused are counted by reason', async () => {
  const sidecar = await set.sidecars(['--series-max-counters=1024', '--series-max-label-length=64']);
  const client = set.client(sidecar);
  client.recorder('ok', null, { digits: 1, highest: 1_000 }).record(1);
  client.recorder('wide', null, { digits: 5 }).record(1);
  client.recorder('long', { a: 'x'.repeat(100) }, { digits: 1 }).record(1);
  await delivered(client); // Nothing waits; what is lost is stated.
  assert.deepEqual(client.health().lostValues, { configuration_limit: 2 });
  assert.equal(await sidecar.count('ok'), 1);
});

test('a series of another unit is refused', async () => {
  const sidecar = await set.sidecar();
  const [first, second] = [set.client(sidecar), set.client(sidecar)];
  first.recorder('calls').record(1);
  await delivered(first);
  second.recorder('calls', null, { unit: 'bytes' }).record(1);
  await second.close(30_000);
  assert.deepEqual(second.health().lostValues, { series_conflict: 1 });
  assert.equal(await sidecar.count('calls'), 1);
});

test('a connection that is refused waits', async () => {
  const sidecar = await set.sidecars(['--ingest-max-connections=1']);
  const [first, second] = [set.client(sidecar), set.client(sidecar)];
  first.recorder('calls').record(1);
  await eventually(() => first.health().acknowledgedValues === 1);
  second.recorder('calls').record(2);
  assert.equal((await second.close(300)).undeliveredValues, 1);
  await delivered(first);
  await delivered(second);
  assert.equal((await sidecar.total('calls')).sum, 3n);
});

test('an interval longer than a frame is sent in parts', async () => {
  const sidecar = await set.sidecars(['--ingest-max-body=4KiB']);
  const client = set.client(sidecar, { intervalMillis: 10_000 });
  const random = chance(6);
  const values = Array.from({ length: 30_000 }, () => Math.floor(2 ** (41 * random())));
  values.forEach((value) => client.recorder('calls').record(value));
  await delivered(client);
  assert.ok(client.health().sentIntervals > 3);
  await assertCounted(sidecar, 'calls', values);
});

test('an exemplar arrives', async () => {
  const sidecar = await set.sidecar();
  const client = set.client(sidecar);
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  client.recorder('calls').record(5_000_000, trace, '00f067aa0ba902b7');
  await delivered(client);
  const page = await sidecar.get('/metrics', { Accept: 'application/openmetrics-text; version=1.0.0' });
  assert.match(page, new RegExp(`trace_id="${trace}"`));
});

test('health is shown by the sidecar', async () => {
  const sidecar = await set.sidecar();
  const client = set.client(sidecar);
  client.recorder('calls').record(-1);
  await eventually(async () => (await sidecar.metrics()).includes('hdr_sidecar_client_clamped_negative_total'));
  assert.doesNotMatch(await sidecar.metrics(), /hdr_sidecar_health_unknown_figures_total [1-9]/);
});

test('corrected and scheduled values are apart', async () => {
  const sidecar = await set.sidecar();
  const client = set.client(sidecar);
  client.recorder('calls').recordWithExpectedInterval(1_000_000, 1_000);
  const pay = new ScheduledRecorder(client, 'pay');
  for await (const intended of Schedule.fixedRate(10_000, { calls: 100 })) {
    pay.time(intended, () => {});
  }
  await delivered(client);
  assert.equal(await sidecar.count('calls{corrected=""}'), 1);
  assert.equal(await sidecar.count('calls{corrected="expected_interval"}'), 1_000);
  const [response, service, wait] = await Promise.all(
    ['response', 'service', 'wait'].map((kind) => sidecar.total(`pay{kind="${kind}"}`)),
  );
  assert.equal(response.count, 100);
  assert.equal(response.sum, service.sum + wait.sum);
});

test('delays of the event loop are node_hiccup', async () => {
  const sidecar = await set.sidecar();
  const client = set.client(sidecar, { hiccups: true });
  await eventually(async () => (await sidecar.count('node_hiccup_raw')) > 0);
  block(200);
  await sleep(20);
  await delivered(client);
  const raw = await sidecar.total('node_hiccup_raw');
  const corrected = await sidecar.total('node_hiccup{corrected="expected_interval"}');
  assert.ok(raw.max >= 100_000_000, String(raw.max));
  assert.equal(corrected.max, raw.max);
  assert.ok(corrected.count > raw.count);
  await sleep(100);
  assert.equal((await sidecar.total('node_hiccup_raw')).count, raw.count);
});

test('a logger that throws does not end the delivery', async () => {
  const sidecar = await set.sidecar();
  const fail = () => {
    throw new Error('of the logger');
  };
  const client = set.client(sidecar, { logger: { info: fail, warn: fail } });
  client.recorder('calls').record(7);
  await delivered(client);
  assert.equal(await sidecar.count('calls'), 1);
  assert.equal(client.health().loopFailures, 0);
});
