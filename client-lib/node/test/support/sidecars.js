'use strict';

/** A real sidecar in a process of its own, and a proxy that cuts connections. */

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { performance } = require('node:perf_hooks');
const { createInterface } = require('node:readline');
const { afterEach } = require('node:test');
const { setTimeout: sleep } = require('node:timers/promises');
const hdr = require('hdr-histogram-js');
const { Client } = require('../..');

const HOUR = 3_600_000_000_000;
const READY = /ready.*ingest=(t(?:cp|ls):\/\/\S+?),? .*http=(https?:\/\/[^\s,]+)/;
const JAR = path.resolve(
  process.env.HDR_SIDECAR_JAR ?? path.join(__dirname, '../../../../sidecar/target/hdr-sidecar.jar'),
);
const JAVA = process.env.JAVA_HOME ? `${process.env.JAVA_HOME}/bin/java` : 'java';

/** Waits for something to hold, and fails with what it last said. */
async function eventually(condition, millis = 60_000) {
  const until = Date.now() + millis;
  for (;;) {
    try {
      const result = await condition();
      assert.ok(result);
      return result;
    } catch (error) {
      if (Date.now() > until) {
        throw error;
      }
      await sleep(20);
    }
  }
}

/** This process's variables without those of the sidecar's name, of which it must know each. */
function bareEnvironment(more = {}) {
  const bare = Object.entries(process.env).filter(([name]) => !name.startsWith('HDR_SIDECAR_'));
  return { ...Object.fromEntries(bare), ...more };
}

class Sidecar {
  constructor(options) {
    this.options = options;
    this.lines = [];
  }

  async start(ingestPort = 0, httpPort = 0) {
    const command = ['-Xmx192m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', JAR, 'serve'];
    command.push(`--ingest-port=${ingestPort}`, `--http-port=${httpPort}`, ...this.options);
    this.process = spawn(JAVA, command, { env: bareEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
    this.exited = new Promise((resolve) => this.process.once('exit', resolve));
    await new Promise((resolve, reject) => {
      createInterface(this.process.stdout).on('line', (line) => {
        this.lines.push(line);
        const ready = READY.exec(line);
        if (ready) {
          [, this.address, this.http] = ready;
          resolve();
        }
      });
      this.exited.then(() => reject(new Error(this.lines.join('\n'))));
    });
    // It ends with the tests, and does not keep them from it.
    this.process.unref();
    this.process.stdout.unref();
    process.once('exit', () => this.process.kill('SIGKILL'));
    return this;
  }

  get port() {
    return Number(this.address.split(':').at(-1));
  }

  async kill() {
    this.process.ref();
    this.process.kill('SIGKILL');
    await this.exited;
  }

  /** On the ports it had. */
  restart() {
    return this.start(this.port, Number(this.http.split(':').at(-1)));
  }

  async get(question, headers = {}) {
    const answer = await fetch(this.http + question, { headers });
    const text = await answer.text();
    if (!answer.ok) {
      throw new Error(`${answer.status}: ${text}`);
    }
    return text;
  }

  metrics() {
    return this.get('/metrics');
  }

  /** Sums are BigInt: they may be beyond what a number holds. */
  async total(selector, more = '') {
    const text = await this.get(`/api/v1/histogram?window=total&series=${encodeURIComponent(selector)}${more}`);
    return { ...JSON.parse(text).data, sum: BigInt(/"sum":(\d+)/.exec(text)[1]) };
  }

  async count(selector) {
    try {
      return (await this.total(selector)).count;
    } catch (error) {
      if (/^4\d\d:/.test(error.message)) {
        return 0;
      }
      throw error;
    }
  }

  async buckets(selector) {
    const found = (await this.total(selector, '&buckets=true')).buckets;
    return new Map(found.map(({ lowest, count }) => [lowest, count]));
  }
}

/** A sidecar as a test sees it whose series all have certain labels. */
class Labelled {
  constructor(sidecar, labels) {
    this.sidecar = sidecar;
    this.labels = labels;
    this.address = sidecar.address;
    this.port = sidecar.port;
  }

  #own(selector) {
    const [name, others = ''] = selector.replace(/}$/, '').split(/\{(.*)/s);
    const matchers = Object.entries(this.labels).map(([label, value]) => `${label}="${value}"`);
    return `${name}{${[...matchers, ...(others ? [others] : [])].join(',')}}`;
  }

  total(selector, more) {
    return this.sidecar.total(this.#own(selector), more);
  }

  count(selector) {
    return this.sidecar.count(this.#own(selector));
  }

  buckets(selector) {
    return this.sidecar.buckets(this.#own(selector));
  }

  metrics() {
    return this.sidecar.metrics();
  }

  get(...question) {
    return this.sidecar.get(...question);
  }

  /** What lets a program send here. */
  get environment() {
    const labels = Object.entries(this.labels).map(([name, value]) => `${name}=${value}`);
    return bareEnvironment({ HDR_SIDECAR_ADDRESS: this.address, HDR_SIDECAR_LABELS: labels.join(',') });
  }
}

/** Passes bytes on and cuts the connection behind a number of them, which grows each time. */
class CuttingProxy {
  cuts = 0;

  constructor(port, first, more = 53) {
    let room = first;
    this.server = net.createServer((client) => {
      const server = net.connect(port, '127.0.0.1');
      let left = room;
      room += more;
      const end = () => {
        client.destroy();
        server.destroy();
      };
      client.on('error', end).on('close', end);
      server.on('error', end).on('close', end);
      server.pipe(client);
      client.on('data', (data) => {
        if (data.length > left) {
          this.cuts++;
          server.end(data.subarray(0, left), end);
          left = 0;
        } else {
          left -= data.length;
          server.write(data);
        }
      });
    });
  }

  async listen() {
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `tcp://127.0.0.1:${this.server.address().port}`;
  }
}

/** Sidecars, clients and folders of a test file, which end with their test. */
class Stage {
  #ends = [];
  #shared;
  #numbers = 0;

  /** One sidecar for all tests that leave it as it is; each has a label of its own. */
  async sidecar() {
    this.#shared ??= new Sidecar([]).start();
    return new Labelled(await this.#shared, { test: String(++this.#numbers) });
  }

  async sidecars(options = [], port = 0) {
    const one = new Sidecar(options);
    this.#ends.push(() => one.kill());
    return one.start(port);
  }

  /** With short intervals, and closed behind the test. */
  client(where, { commonLabels = {}, ...settings } = {}) {
    const quiet = { info() {}, warn() {} };
    const client = new Client({
      address: typeof where === 'string' ? where : where.address,
      intervalMillis: 50,
      minBackoffMillis: 20,
      maxBackoffMillis: 200,
      closeTimeoutMillis: 0,
      commonLabels: { ...where.labels, ...commonLabels },
      logger: quiet,
      ...settings,
    });
    this.#ends.push(() => client.close(0));
    return client;
  }

  folder() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hdr-'));
    this.#ends.push(() => fs.rmSync(folder, { recursive: true }));
    return folder;
  }

  later(action) {
    this.#ends.push(action);
  }

  async afterEach() {
    for (const end of this.#ends.splice(0).reverse()) {
      await end();
    }
  }
}

/** To be called once in a file. */
function stage() {
  const one = new Stage();
  afterEach(() => one.afterEach());
  return one;
}

/** Holds up the event loop. */
function block(millis) {
  const until = performance.now() + millis;
  while (performance.now() < until) {
    // Nothing else runs.
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
function chance(seed) {
  let state = 7 * seed + 1;
  return () => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff;
}

function lognormal(seed, number, spread = 1.5) {
  const random = chance(seed);
  return Array.from({ length: number }, () => {
    const normal = Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    return Math.floor(Math.exp(13.8 + spread * normal));
  });
}

/** Counts of the language's HdrHistogram by the lowest value of each bucket. */
function oracle(values, { highest = HOUR, digits = 3, lowest = 1 } = {}) {
  const histogram = hdr.build({
    lowestDiscernibleValue: lowest,
    highestTrackableValue: highest,
    numberOfSignificantValueDigits: digits,
  });
  for (const value of values) {
    histogram.recordValue(value);
  }
  return bucketsOf(histogram);
}

function bucketsOf(histogram) {
  const counts = new Map();
  for (let index = 0; index < histogram.countsArrayLength; index++) {
    const count = histogram.getCountAtIndex(index);
    if (count > 0) {
      counts.set(histogram.valueFromIndex(index), count);
    }
  }
  return counts;
}

function sumOf(values) {
  return values.reduce((sum, value) => sum + BigInt(value), 0n);
}

async function assertCounted(sidecar, selector, values) {
  const total = await sidecar.total(selector);
  assert.equal(total.count, values.length);
  assert.equal(total.sum, sumOf(values));
  assert.equal(
    total.min,
    values.reduce((least, value) => Math.min(least, value)),
  );
  assert.equal(
    total.max,
    values.reduce((most, value) => Math.max(most, value)),
  );
  assert.deepEqual(await sidecar.buckets(selector), oracle(values));
}

module.exports = {
  CuttingProxy,
  HOUR,
  assertCounted,
  bareEnvironment,
  block,
  bucketsOf,
  chance,
  eventually,
  lognormal,
  oracle,
  stage,
  sumOf,
};
