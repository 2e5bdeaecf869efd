'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { pathToFileURL } = require('node:url');
const { inspect } = require('node:util');
const { Client } = require('..');
const { Config, VARIABLES, fromEnvironment } = require('../lib/config');
const { Definition, SeriesKey, labelsOf } = require('../lib/series');
const { stage } = require('./support/sidecars');

const set = stage();

test('environment has the settings, and code goes before', () => {
  const options = fromEnvironment(
    { closeTimeoutMillis: 5000, enabled: true, token: undefined },
    {
      HDR_SIDECAR_ADDRESS: ' tls://sidecar:9924 ',
      HDR_SIDECAR_ENABLED: 'false',
      HDR_SIDECAR_INTERVAL: '500ms',
      HDR_SIDECAR_LABELS: 'service=shop, zone = a',
      HDR_SIDECAR_TOKEN_FILE: '/token',
      HDR_SIDECAR_TLS_CA: '/ca.pem',
      HDR_SIDECAR_TLS_CERTIFICATE: '/cert.pem',
      HDR_SIDECAR_TLS_KEY: '/key.pem',
      HDR_SIDECAR_SPILL_FOLDER: '/spill',
      HDR_SIDECAR_TOKEN: '',
      HDR_SIDECAR_HICCUPS: 'true',
      HDR_SIDECAR_HICCUPS_RESOLUTION: '1s',
    },
  );
  assert.deepEqual(options, {
    address: 'tls://sidecar:9924',
    enabled: true,
    intervalMillis: 500,
    commonLabels: { service: 'shop', zone: 'a' },
    tokenFile: '/token',
    tlsCa: '/ca.pem',
    tlsCertificate: '/cert.pem',
    tlsKey: '/key.pem',
    spillFolder: '/spill',
    hiccups: true,
    hiccupResolutionMillis: 1000,
    closeTimeoutMillis: 5000,
  });
});

test('a mistaken name in the environment is ignored with one warning', () => {
  for (const [mistaken, meant] of [
    ['ADRESS', 'ADDRESS'],
    ['ADDRESSES', 'ADDRESS'],
    ['INTERAVL', 'INTERVAL'],
    ['LABEL', 'LABELS'],
    ['TOKENFILE', 'TOKEN_FILE'],
    ['TLS_CERT_FICATE', 'TLS_CERTIFICATE'],
    ['HICCUP', 'HICCUPS'],
  ]) {
    const { logger, warned } = listener();
    assert.deepEqual(fromEnvironment({ logger }, { [`HDR_SIDECAR_${mistaken}`]: 'x' }), { logger });
    assert.deepEqual(warned, [
      `unknown variable HDR_SIDECAR_${mistaken} is ignored: did you mean HDR_SIDECAR_${meant}?`,
    ]);
  }
});

test('names of others in the environment are no mistakes', () => {
  const settings = fs.readFileSync(path.join(__dirname, '../../../docs/configuration.md'), 'utf8');
  const names = [...settings.matchAll(/^\| `([a-z0-9.-]+)` /gm)].map(([, name]) =>
    name.toUpperCase().replace(/[.-]/g, '_'),
  );
  assert.ok(names.includes('HTTP_PORT'));
  names.push('HICCUPS_DELAY', 'CRASH_FOLDER', 'SPILL_PICKUP', 'SERVICE_HOST', 'PORT');
  const theirs = names.map((name) => `HDR_SIDECAR_${name}`).filter((name) => !VARIABLES.has(name));
  const { logger, warned } = listener();
  fromEnvironment({ logger }, Object.fromEntries(theirs.map((name) => [name, 'x'])));
  assert.deepEqual(warned, []);
});

function listener() {
  /** @type {string[]} */
  const warned = [];
  return { warned, logger: { info: () => {}, warn: (message) => void warned.push(message) } };
}

test('environment names all that is wrong', () => {
  const wrong = {
    HDR_SIDECAR_ADDRESS: 'localhost:9924',
    HDR_SIDECAR_ENABLED: 'yes',
    HDR_SIDECAR_INTERVAL: '1.5s',
    HDR_SIDECAR_LABELS: 'le=1',
  };
  assert.throws(
    () => Client.fromEnvironment({}, wrong),
    (error) => Object.keys(wrong).every((name) => error.message.includes(`${name}:`)) && error instanceof RangeError,
  );
  assert.throws(() => Client.fromEnvironment({}, { HDR_SIDECAR_INTERVAL: '5ms' }), /environment.*intervalMillis/);
  assert.throws(() => Client.fromEnvironment({}, { HDR_SIDECAR_LABELS: 'a=1,a=2' }), /used twice: a/);
  assert.throws(() => Client.fromEnvironment({}, { HDR_SIDECAR_LABELS: 'a' }), /name=value,name=value/);
  assert.throws(() => Client.fromEnvironment({ intervall: 1 }, {}), /no such option.*intervall/);
});

for (const address of [
  'tcp://h:1',
  'tls://h.example:65535',
  'tcp://[::1]:9924',
  'tcp://127.0.0.1:1',
  'unix:///a/b c',
]) {
  test(`address ${address}`, () => assert.equal(new Config({ address }).address.text, address));
}

for (const address of ['', 'h:1', 'tcp://h', 'tcp://h:0', 'tcp://h:65536', 'tcp://h:x', 'tcp://u@h:1', 'tcp://h:1/p']
  .concat(['tcp://h:1?q', 'http://h:1', 'unix://a', 'unix:///', `unix:///${'x'.repeat(107)}`, 'tcp://h:1\n', 7, null])
  .filter((one) => one !== null)) {
  test(`address ${String(address).slice(0, 20)} is refused`, () => {
    assert.throws(() => new Config({ address }), /address must be/);
  });
}

for (const options of [
  { intervalMillis: 0 },
  { intervalMillis: '1s' },
  { intervalMillis: NaN },
  { token: 'a', tokenFile: 'b' },
  { tlsKey: 'k', address: 'tls://h:1' },
  { minBackoffMillis: 20_000 },
  { maxSeries: 0 },
  { commonLabels: { job: 'x' } },
  { commonLabels: { corrected: 'x' } },
  { commonLabels: { overflow: 'true' } },
  { token: 'x'.repeat(5000) },
  { token: '\udc80' },
  { token: 'x'.repeat(4000), commonLabels: { a: 'x'.repeat(100) } },
  { tlsCa: 'ca.pem' },
  { enabled: 'no' },
  { hiccupResolutionMillis: 0.5 },
  { logger: {} },
  { spillFolder: '' },
  null,
  7,
]) {
  test(`options ${inspect(options).slice(0, 60)} are refused`, () => {
    assert.throws(() => new Client(options), /TypeError|RangeError/);
  });
}

test('a token is in no listing and no message', () => {
  const config = new Config({ token: 'secret' });
  assert.equal(config.currentToken(), 'secret');
  const client = new Client({ token: 'secret' });
  for (const shown of [inspect(config, { showHidden: true, depth: 9 }), JSON.stringify(config), inspect(client)]) {
    assert.doesNotMatch(shown, /secret/);
  }
  assert.throws(
    () => new Config({ token: '\udc80secret' }),
    (error) => !/secret/.test(error.message),
  );
});

test('a token file is read each time', () => {
  const file = path.join(set.folder(), 'token');
  const config = new Config({ tokenFile: pathToFileURL(file) });
  assert.throws(() => config.currentToken(), /ENOENT/);
  fs.writeFileSync(file, ' one\n');
  assert.equal(config.currentToken(), 'one');
  fs.writeFileSync(file, 'two');
  assert.equal(config.currentToken(), 'two');
  fs.writeFileSync(file, Buffer.from('efbbbf61620d0a', 'hex')); // As editors of Windows write it, with a byte order mark.
  assert.equal(config.currentToken(), 'ab');
});

for (const labels of [{ le: '1' }, { __x: '1' }, { 'a-b': '1' }, { a: '\ud800' }, { a: 'x'.repeat(1025) }, { a: 1 }]
  .concat([{ a: null }, ['a'], 'a=b', 7])
  .concat([Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`l${at}`, 'x']))])) {
  test(`labels ${inspect(labels).slice(0, 40)} are refused`, () => {
    assert.throws(() => labelsOf(labels), /label/);
  });
}

for (const name of ['', 'a-b', '1a', 'x'.repeat(201), 'a b', 'a\n', undefined, 7]) {
  test(`series name ${inspect(name).slice(0, 20)} is refused`, () => {
    assert.throws(() => new SeriesKey(name, []), /series name/);
  });
}

for (const options of [
  { digits: 6 },
  { digits: 2.5 },
  { lowest: 0 },
  { lowest: 1.5 },
  { lowest: '1' },
  { highest: 1 },
  { highest: 1e12 + 0.5 },
  { highest: 2 ** 60 },
  { highest: (1n << 62n) + 1n },
  { highest: '9' },
  { lowest: 2 ** 52, digits: 5, highest: 1n << 62n },
  { unit: 'seconds' },
  { unit: 'toString' },
  { help: 7 },
  { help: 'x'.repeat(1025) },
  { hihgest: 7 },
  null,
  'ns',
]) {
  test(`recorder options ${inspect(options).slice(0, 40)} are refused`, () => {
    assert.throws(() => new Client().recorder('x', null, options), /TypeError|RangeError/);
  });
}

test('highest may be a BigInt up to 2^62', () => {
  assert.equal(new Definition({ highest: 1n << 62n }).highest, 1n << 62n);
  assert.equal(new Definition({ unit: 'ms' }).highest, 3_600_000n);
  assert.equal(new Definition({ unit: 'bytes' }).highest, 1n << 40n);
});

test('variables of README are those that are read', () => {
  const readme = fs.readFileSync(path.join(__dirname, '../README.md'), 'utf8');
  const [, table] = /## Configuration\n([^]*?)An empty variable/.exec(readme);
  assert.deepEqual(new Set(table.match(/HDR_SIDECAR_\w+/g)), new Set(VARIABLES.keys()));
});
