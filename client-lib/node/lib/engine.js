'use strict';

const { performance } = require('node:perf_hooks');
const { Delivery } = require('./delivery');
const { figures, healthOf } = require('./health');
const { Session } = require('./session');
const spill = require('./spill');
const { messageOf } = require('./config');

const FEWEST_MILLIS_OF_HEALTH = 1000;
const MOST_MILLIS_OF_HEALTH = 10_000;
const PAUSE_AFTER_FAILURE_MILLIS = 100;

/** Series sampled at a time: so the event loop goes on in between. */
const SLICE = 64;

/** @typedef {import('../index').DeliveryResult} DeliveryResult */

/**
 * What a close came to.
 *
 * @param {number} undeliveredValues
 * @param {number} spilledValues
 * @param {string} [spillFile]
 * @returns {DeliveryResult}
 */
function resultOf(undeliveredValues, spilledValues, spillFile) {
  return { deliveredAll: undeliveredValues + spilledValues === 0, undeliveredValues, spilledValues, spillFile };
}

/**
 * What an engine needs of its client. No call fails.
 *
 * @typedef {{
 *   config: import('./config').Config,
 *   tally: import('./health').Tally,
 *   log: import('./statelog').StateLog,
 *   seriesCount: () => number,
 *   takeRecorded: () => import('./recorder').Series[],
 *   ended: () => void,
 * }} Host
 *
 * A close that somebody waits for.
 * @typedef {{ deadline: number, begun: boolean, answer: (result: DeliveryResult | undefined) => void }} Close
 */

/**
 * One instance of a client: samples, delivers, and ends for good when all is delivered at a close.
 * The client makes another when something is recorded later.
 *
 * All it does is done in turns, which a timer starts, or something that came from the sidecar.
 */
class Engine {
  #host;
  #config;
  #tally;
  #log;
  #delivery;
  #session;
  /** @type {import('./recorder').Series[]} */
  #toSample = [];
  #sampledAt = Date.now();
  #sampleEnd = this.#sampledAt;
  #nextSample;
  #nextHealth;
  /** @type {Close[]} */
  #closes = [];
  #isOver = false;
  #inTurn = false;
  #again = false;
  #stated = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** @type {NodeJS.Immediate | undefined} */
  #soon;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    this.#config = host.config;
    this.#tally = host.tally;
    this.#log = host.log;
    this.#delivery = new Delivery(host.tally, (what, message) => this.#log.once(what, message));
    this.#session = new Session(this.#config, this.#delivery, this.#log, performance.now.bind(performance), () =>
      this.#turn(),
    );
    const now = performance.now();
    this.#nextSample = now + this.#config.intervalMillis;
    this.#nextHealth = now;
    this.#arm(0);
  }

  /** @returns {import('../index').ClientHealth} */
  health() {
    return healthOf(this.#tally, {
      connected: this.#session.isOpen,
      series: this.#host.seriesCount(),
      pending: this.#delivery.pending,
      flying: this.#delivery.flying,
    });
  }

  /**
   * Delivers what was recorded until now, and ends.
   *
   * @param {number} deadline
   * @returns {Promise<DeliveryResult | undefined>} undefined when it had ended already, and what was
   *     recorded since is another's to deliver
   */
  close(deadline) {
    return new Promise((answer) => {
      if (this.#isOver) {
        answer(undefined);
      } else {
        this.#closes.push({ deadline, begun: false, answer });
        this.#turn();
      }
    });
  }

  // Turns.

  #turn() {
    if (this.#inTurn) {
      this.#again = true;
    }
    if (this.#inTurn || this.#isOver) {
      return;
    }
    this.#inTurn = true;
    this.#again = false;
    try {
      this.#doTurn();
    } catch (failure) {
      // A client that ends would lose what is recorded later.
      this.#tally.loopFailures++;
      this.#log.once('failure', `delivery failed and goes on: ${messageOf(failure)}`);
      this.#arm(PAUSE_AFTER_FAILURE_MILLIS);
    } finally {
      this.#inTurn = false;
    }
    if (this.#again && !this.#isOver) {
      this.#arm(0);
    }
  }

  /** Does what is due, and sees to it that there is another turn. */
  #doTurn() {
    const now = performance.now();
    if (!this.#session.isLeaving) {
      const closesBegin = this.#beginCloses();
      if (closesBegin || now >= this.#nextSample) {
        this.#beginSample(now);
      }
      this.#sample(closesBegin ? Infinity : SLICE);
    }
    if (now >= this.#nextHealth && this.#session.isOpen && !this.#session.isLeaving) {
      this.#sendHealth(now);
    }
    this.#session.onTime();
    let more = this.#session.pump();
    const closing = this.#closing();
    if (closing !== undefined && this.#hasClosed(closing)) {
      this.#end();
      return;
    }
    more ||= this.#toSample.length > 0;
    this.#session.keepAlive(this.#closes.length > 0);
    this.#arm(more ? undefined : this.#until(closing) - performance.now());
  }

  /** @param {number | undefined} millis undefined for as soon as others had their turn */
  #arm(millis) {
    clearTimeout(this.#timer);
    clearImmediate(this.#soon);
    this.#timer = this.#soon = undefined;
    const turn = () => this.#turn();
    const waiting = this.#closes.length > 0;
    if (millis === undefined) {
      this.#soon = setImmediate(turn);
      if (!waiting) {
        this.#soon.unref();
      }
    } else {
      this.#timer = setTimeout(turn, Math.max(0, Math.ceil(millis)));
      if (!waiting) {
        this.#timer.unref();
      }
    }
  }

  /** @param {Close | undefined} closing */
  #until(closing) {
    // Behind a goodbye nothing is sampled and nothing said.
    let deadline = this.#session.nextDeadline;
    if (!this.#session.isLeaving) {
      deadline = Math.min(deadline, this.#nextSample);
    }
    if (this.#session.isOpen && !this.#session.isLeaving) {
      deadline = Math.min(deadline, this.#nextHealth);
    }
    return closing === undefined ? deadline : Math.min(deadline, closing.deadline);
  }

  /**
   * Takes the series that have something, as one interval each.
   *
   * @param {number} now
   */
  #beginSample(now) {
    this.#toSample = this.#toSample.concat(this.#host.takeRecorded()); // may be too many for arguments
    this.#sampleEnd = Date.now();
    // On the grid of intervals, however late this is.
    const late = Math.max(0, now - this.#nextSample);
    this.#nextSample = now + this.#config.intervalMillis - (late % this.#config.intervalMillis);
  }

  /** @param {number} most */
  #sample(most) {
    if (this.#toSample.length === 0) {
      this.#sampledAt = this.#sampleEnd;
      return;
    }
    const end = this.#sampleEnd;
    const start = Math.min(this.#sampledAt, end);
    for (const series of this.#toSample.splice(0, most)) {
      const counts = series.harvest();
      if (counts !== undefined) {
        this.#tally.harvestedValues += counts.total;
        this.#delivery.add(series, counts, start, end);
      }
    }
    if (this.#toSample.length === 0) {
      this.#sampledAt = end;
    }
  }

  /** @param {number} now */
  #sendHealth(now) {
    const every = 10 * this.#config.intervalMillis;
    this.#nextHealth = now + Math.min(Math.max(every, FEWEST_MILLIS_OF_HEALTH), MOST_MILLIS_OF_HEALTH);
    this.#session.sendHealth(figures(this.health(), this.#tally));
  }

  // The end.

  /** Begins those that are new; returns whether there are any. */
  #beginCloses() {
    const begun = this.#closes.filter((close) => !close.begun);
    for (const close of begun) {
      close.begun = true;
      this.#session.hurry();
    }
    return begun.length > 0;
  }

  /** Of those under way the one that waits longest. */
  #closing() {
    const begun = this.#closes.filter((close) => close.begun);
    return begun.sort((one, other) => other.deadline - one.deadline).at(0);
  }

  /**
   * Goes on with a close; returns whether this is the end.
   *
   * @param {Close} closing
   */
  #hasClosed(closing) {
    if (this.#delivery.isEmpty && this.#toSample.length === 0) {
      if (this.#session.hasLeft || !this.#session.isOpen || performance.now() >= closing.deadline) {
        this.#answer(resultOf(0, 0));
        return true;
      }
      this.#session.sayGoodbye();
    }
    return performance.now() >= closing.deadline && this.#giveUp();
  }

  /** The deadline has passed. Without a spill folder it is tried further. */
  #giveUp() {
    this.#session.relax();
    if (this.#config.spillFolder === undefined) {
      this.#stated = this.#delivery.values;
      this.#log.warn(`not delivered in time: values=${this.#stated}`);
      this.#answer(resultOf(this.#stated, 0));
      return false;
    }
    this.#answer(this.#spill(this.#config.spillFolder));
    return true;
  }

  /** @param {string} folder */
  #spill(folder) {
    this.#session.disconnect();
    const intervals = this.#delivery.drain();
    const values = this.#delivery.values;
    try {
      const file = spill.write(folder, this.#session.instance, this.#config.common, intervals);
      this.#tally.spilledIntervals += intervals.length;
      this.#tally.spilledValues += values;
      this.#log.warn(`not delivered in time, written to ${file}: values=${values}`);
      return resultOf(0, values, file);
    } catch (error) {
      this.#log.warn(`not delivered, and not spilled: values=${values}: ${messageOf(error)}`);
      this.#tally.lose('spill_failed', values);
      return resultOf(values, 0);
    } finally {
      this.#delivery.forget();
    }
  }

  /** @param {DeliveryResult} result of those that have begun */
  #answer(result) {
    const begun = this.#closes.filter((close) => close.begun);
    this.#closes = this.#closes.filter((close) => !close.begun);
    for (const close of begun) {
      close.answer(result);
    }
  }

  #end() {
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearImmediate(this.#soon);
    this.#session.disconnect();
    const missed = this.#closes;
    this.#closes = [];
    this.#host.ended();
    for (const close of missed) {
      close.answer(undefined);
    }
  }

  /** The process ends now, and nothing can be waited for: to the spill folder, or it is lost. */
  endNow() {
    if (this.#isOver) {
      return;
    }
    this.#beginSample(performance.now());
    this.#sample(Infinity);
    if (!this.#delivery.isEmpty && this.#config.spillFolder !== undefined) {
      this.#spill(this.#config.spillFolder);
    } else if (this.#delivery.values > this.#stated) {
      const values = this.#delivery.values;
      this.#log.warn(`not delivered before the end of the process: values=${values}; await client.close() delivers`);
    }
    this.#end();
  }
}

module.exports = { Engine, resultOf };
