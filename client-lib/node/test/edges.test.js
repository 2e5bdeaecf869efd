'use strict';

/** What a sidecar seldom says, said by a script: no real one can be brought to it. */

const assert = require('node:assert/strict');
const net = require('node:net');
const { once } = require('node:events');
const { performance } = require('node:perf_hooks');
const { test } = require('node:test');
const { Config } = require('../lib/config');
const { Delivery } = require('../lib/delivery');
const { Engine } = require('../lib/engine');
const { frame } = require('../lib/frames');
const { Tally } = require('../lib/health');
const { Series } = require('../lib/recorder');
const { Definition, SeriesKey } = require('../lib/series');
const { StateLog } = require('../lib/statelog');
const { eventually, stage } = require('./support/sidecars');

const set = stage();

const WELCOME = 2;
const ACK = 5;
const REJECT = 6;
const GOODBYE = 7;

const uint16 = (value) => Buffer.of(value >> 8, value & 0xff);

function int64(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

function int32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** The sidecar's end of a connection. */
class Talk {
  #socket;
  #bytes = Buffer.alloc(0);
  #arrived;

  constructor(socket) {
    this.#socket = socket;
    this.#arrived = socket[Symbol.asyncIterator]();
    socket.on('error', () => {});
  }

  async #take(length) {
    while (this.#bytes.length < length) {
      const { value, done } = await this.#arrived.next();
      assert.ok(!done, 'the client closed');
      this.#bytes = Buffer.concat([this.#bytes, value]);
    }
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }

  /** The body of the next frame of this kind; others are skipped. */
  async #read(kind) {
    for (;;) {
      const head = await this.#take(8);
      const body = (await this.#take(head.readUInt32BE(0) + 4)).subarray(0, -4);
      if (head[4] === kind) {
        return body;
      }
    }
  }

  /** The instance. */
  async hello() {
    return (await this.#read(1)).toString('hex', 6, 22);
  }

  /** Number, count and sum of an interval. */
  async interval() {
    const body = await this.#read(4);
    return [0, 28, 44].map((at) => Number(body.readBigInt64BE(at)));
  }

  send(data) {
    this.#socket.write(data);
  }

  welcome(settled, { window = 64, level = 1, maxBody = 1 << 20 } = {}) {
    this.send(frame(WELCOME, uint16(1), int64(settled), int32(maxBody), int32(window), Buffer.of(level)));
  }

  ack(sequence) {
    this.send(frame(ACK, int64(sequence)));
  }

  reject(scope, reference, code) {
    this.send(frame(REJECT, Buffer.of(scope), int64(reference), uint16(code), uint16(0)));
  }

  async goodbye() {
    await this.#read(GOODBYE);
  }

  async end(sequence) {
    await this.goodbye();
    this.ack(sequence);
  }

  /** How many bytes come until the client has ended the connection. */
  async rest() {
    let bytes = this.#bytes.length;
    for (let next = await this.#arrived.next(); !next.done; next = await this.#arrived.next()) {
      bytes += next.value.length;
    }
    return bytes;
  }

  /** Waits until the client has ended the connection. */
  async gone() {
    try {
      while (!(await this.#arrived.next()).done) {
        // What it has sent meanwhile is not read.
      }
    } catch (error) {
      assert.equal(error.code, 'ECONNRESET');
    }
  }

  destroy() {
    this.#socket.destroy();
  }
}

/** An address at which each connection has a function of its own, and what waits for them all. */
async function scripted(...talks) {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = [];
  server.on('connection', (socket) => sockets.push(socket));
  set.later(() => {
    server.close();
    sockets.forEach((socket) => socket.destroy());
  });
  const serve = async () => {
    for (const talk of talks) {
      const socket = await eventually(() => sockets.shift());
      const one = new Talk(socket);
      await talk(one);
      one.destroy();
    }
  };
  const ended = serve();
  ended.catch(() => {});
  return { address: `tcp://127.0.0.1:${server.address().port}`, ended };
}

function signal() {
  let give;
  const given = new Promise((resolve) => (give = resolve));
  return { give, given };
}

async function delivered(client, ended) {
  assert.equal((await client.close(60_000)).deliveredAll, true);
  await ended;
  assert.equal(client.health().loopFailures, 0);
}

test('numbers that somebody else took are counted, and not sent again', async () => {
  const again = signal();
  let seen;
  const { address, ended } = await scripted(
    async (talk) => {
      seen = await talk.hello();
      talk.welcome(0);
      assert.deepEqual(await talk.interval(), [1, 1, 5]);
      await again.given;
    },
    async (talk) => {
      assert.equal(await talk.hello(), seen);
      talk.welcome(99);
      await talk.gone();
    },
    async (talk) => {
      assert.notEqual(await talk.hello(), seen);
      talk.welcome(0);
      assert.deepEqual(await talk.interval(), [1, 1, 7]);
      talk.ack(1);
      await talk.end(1);
    },
  );
  const client = set.client(address);
  const calls = client.recorder('calls');
  calls.record(5);
  await eventually(() => client.health().sentIntervals === 1);
  again.give();
  await eventually(() => client.health().lostValues.numbers_taken);
  calls.record(7);
  await delivered(client, ended);
  const { lostValues, harvestedValues, acknowledgedValues } = client.health();
  assert.deepEqual(lostValues, { numbers_taken: 1 });
  assert.deepEqual([harvestedValues, acknowledgedValues], [2, 1]);
});

test('a sidecar that was set back gets all that it has not', () => {
  const tally = new Tally();
  const delivery = new Delivery(tally, () => {}, 2);
  const series = new Series(new SeriesKey('calls', []), new Definition(), tally, () => {});
  const sent = [];
  const send = (data) => sent.push(data);
  const limits = { kind: 'welcome', maxBody: 1 << 20, window: 64, level: 0 };
  delivery.welcomed({ ...limits, settled: 0 });
  for (let number = 1; number <= 5; number++) {
    series.counters.record(number);
    delivery.add(series, series.harvest(), number, number + 1);
    delivery.pump(send);
  }
  delivery.settle(3);
  delivery.lostConnection();
  assert.equal(delivery.isOutOfStep(1), true); // The next number is 4.
  assert.equal(delivery.isOutOfStep(2), false);
  assert.equal(delivery.startOver(1), 0);
  delivery.welcomed({ ...limits, settled: 0 });
  sent.length = 0;
  delivery.pump(send);
  // The two that were encoded wait again, and are added together.
  const body = sent.at(-1).subarray(8);
  assert.deepEqual(
    [0, 28, 44].map((at) => Number(body.readBigInt64BE(at))),
    [1, 2, 4 + 5],
  );
  assert.equal(tally.lost.size, 0);
  assert.equal(tally.acknowledgedValues, 3);
});

const IMPOSSIBLE = {
  'more than was sent': (talk) => talk.ack(2),
  'no frame': (talk) => talk.send('HTTP/1.1 400 Bad Request\r\n\r\n'),
  'a damaged frame': (talk) => talk.send(Buffer.concat([frame(ACK, int64(1)).subarray(0, -1), Buffer.of(0)])),
  'a body that is too long': (talk) => talk.send(frame(ACK, Buffer.alloc(1 << 18))),
  replaced: (talk) => talk.reject(0, 0, 20),
  'a reason of a later version': (talk) => talk.reject(0, 0, 999),
  'a scope that is none': (talk) => talk.reject(3, 0, 1),
  'a frame of clients': (talk) => talk.send(frame(GOODBYE)),
  'a second welcome': (talk) => talk.welcome(1),
  'a short frame': (talk) => talk.send(frame(ACK)),
  'a negative number': (talk) => talk.ack(-1),
};

for (const [name, answer] of Object.entries(IMPOSSIBLE)) {
  test(`an answer that is ${name} ends the connection and loses nothing`, async () => {
    let seen;
    const { address, ended } = await scripted(
      async (talk) => {
        seen = await talk.hello();
        talk.welcome(0);
        assert.deepEqual(await talk.interval(), [1, 1, 5]);
        answer(talk);
        await talk.gone();
      },
      async (talk) => {
        assert.equal(await talk.hello(), seen);
        talk.welcome(0);
        assert.deepEqual(await talk.interval(), [1, 1, 5]);
        talk.ack(1);
        await talk.end(1);
      },
    );
    const client = set.client(address);
    client.recorder('calls').record(5);
    await delivered(client, ended);
    assert.equal(client.health().resentIntervals, 1);
    assert.deepEqual(client.health().lostValues, {});
  });
}

test('an acknowledgement that was lost doubles nothing', async () => {
  const { address, ended } = await scripted(
    async (talk) => {
      await talk.hello();
      talk.welcome(0);
      await talk.interval();
    },
    async (talk) => {
      await talk.hello();
      talk.welcome(1); // It was merged.
      await talk.end(1);
    },
  );
  const client = set.client(address);
  client.recorder('calls').record(5);
  await delivered(client, ended);
  assert.equal(client.health().resentIntervals, 0);
  assert.equal(client.health().acknowledgedValues, 1);
});

test('what is recorded behind a goodbye is the next instance’s, and a close asked for then waits for it', async () => {
  const goodbye = signal();
  const answer = signal();
  let seen;
  const { address, ended } = await scripted(
    async (talk) => {
      seen = await talk.hello();
      talk.welcome(0);
      assert.deepEqual(await talk.interval(), [1, 1, 5]);
      talk.ack(1);
      await talk.goodbye();
      goodbye.give();
      await answer.given;
      talk.ack(1);
    },
    async (talk) => {
      assert.notEqual(await talk.hello(), seen);
      talk.welcome(0);
      assert.deepEqual(await talk.interval(), [1, 1, 7]);
      talk.ack(1);
      await talk.end(1);
    },
  );
  const client = set.client(address);
  client.recorder('calls').record(5);
  const first = client.close(60_000);
  await goodbye.given;
  client.recorder('calls').record(7);
  const second = client.close(60_000);
  answer.give();
  assert.equal((await first).deliveredAll, true);
  assert.equal(client.health().acknowledgedValues, 1);
  assert.equal((await second).deliveredAll, true);
  assert.equal(client.health().acknowledgedValues, 2);
  await ended;
});

test('nothing is said behind a goodbye, also when its answer is long in coming', async () => {
  const { address, ended } = await scripted(async (talk) => {
    await talk.hello();
    talk.welcome(0);
    await talk.interval();
    talk.ack(1);
    await talk.goodbye();
    // Until the deadline of the close, which is later than the next HEALTH.
    assert.equal(await talk.rest(), 0);
  });
  const client = set.client(address, { intervalMillis: 10 });
  client.recorder('calls').record(5);
  assert.equal((await client.close(2_500)).deliveredAll, true);
  await ended;
});

test('the window bounds what is in flight', async () => {
  const full = signal();
  const { address, ended } = await scripted(async (talk) => {
    await talk.hello();
    talk.welcome(0, { window: 2, level: 0 });
    assert.deepEqual(await talk.interval(), [1, 1, 1]);
    assert.deepEqual(await talk.interval(), [2, 1, 2]);
    await full.given;
    talk.ack(2);
    assert.deepEqual(await talk.interval(), [3, 3, 3 + 4 + 5]);
    talk.ack(3);
    await talk.end(3);
  });
  const client = set.client(address);
  const calls = client.recorder('calls');
  for (let number = 1; number <= 5; number++) {
    calls.record(number);
    await eventually(() => client.health().harvestedValues === number);
    if (number < 3) {
      await eventually(() => client.health().sentIntervals === number);
    }
  }
  assert.equal(client.health().inFlightIntervals, 2);
  assert.equal(client.health().pendingIntervals, 1);
  full.give();
  await delivered(client, ended);
  assert.equal(client.health().joinedIntervals, 2);
});

test('silence ends the connection', async () => {
  const { address, ended } = await scripted(
    async (talk) => {
      await talk.hello();
      talk.welcome(0);
      await talk.interval();
      await talk.gone();
    },
    async (talk) => {
      await talk.hello();
      talk.welcome(0);
      assert.deepEqual(await talk.interval(), [1, 1, 5]);
      talk.ack(1);
      await talk.end(1);
    },
  );
  // Long enough that a machine under load does not take the second connection for silent, too.
  const client = set.client(address, { stallTimeoutMillis: 3_000 });
  client.recorder('calls').record(5);
  await delivered(client, ended);
});

test('a sidecar that takes shorter frames than the one before gets what was encoded anew', async () => {
  const { address, ended } = await scripted(
    async (talk) => {
      await talk.hello();
      talk.welcome(0, { level: 0 });
      assert.deepEqual((await talk.interval()).slice(0, 2), [1, 2_000]);
    },
    async (talk) => {
      await talk.hello();
      talk.welcome(0, { level: 0, maxBody: 1_024 });
      let total = 0;
      let last;
      while (total < 2_000) {
        const [sequence, count] = await talk.interval();
        total += count;
        last = sequence;
      }
      assert.equal(total, 2_000);
      assert.ok(last > 2);
      talk.ack(last);
      await talk.end(last);
    },
  );
  const client = set.client(address, { intervalMillis: 1_000 });
  for (let number = 0; number < 2_000; number++) {
    client.recorder('calls').record(number);
  }
  await delivered(client, ended);
  assert.equal(client.health().acknowledgedValues, 2_000);
});

test('more series at once than a call can have arguments are sampled, too', async () => {
  const tally = new Tally();
  const series = new Series(new SeriesKey('calls', []), new Definition(), tally, () => {});
  series.counters.record(1);
  const engine = new Engine({
    config: new Config({ address: 'tcp://127.0.0.1:1' }),
    tally,
    log: new StateLog({ info() {}, warn() {} }),
    seriesCount: () => 1,
    takeRecorded: () => new Array(1_000_000).fill(series),
    ended() {},
  });
  const result = await engine.close(performance.now());
  assert.equal(result.undeliveredValues, 1);
  assert.equal(tally.loopFailures, 0);
  engine.endNow();
});
