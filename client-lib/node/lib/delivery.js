'use strict';

const frames = require('./frames');
const { Outgoing } = require('./outgoing');
const { parts } = require('./payload');

/**
 * From intervals that wait to intervals settled, over as many connections as it takes.
 *
 * Why every interval is merged exactly once: it gets a number when it is encoded, and is kept, bytes
 * and number, until the sidecar settles that number. On the next connection what is left is sent
 * again as it was, and the sidecar drops the numbers it has merged. Nothing is encoded before a
 * WELCOME, so what is in flight is bounded by the window stated there. All else waits, one interval
 * a series.
 *
 * An encoded interval.
 *
 * @typedef {{ sequence: number, series: Outgoing, part: import('./payload').Part, frame: Buffer }} Interval
 * @typedef {(data: Buffer) => void} Send
 */

const MAX_WINDOW = 1024;
const MAX_GAP = 65_536;
const USUAL_BODY = 1 << 20;

/** Intervals encoded at a time: so the event loop goes on in between. */
const SLICE = 64;

/** Belongs to one instance of a client. */
class Delivery {
  #tally;
  #warn;
  /** @type {Outgoing[]} */
  #roster = [];
  /** @type {Map<import('./recorder').Series, Outgoing>} */
  #of = new Map();
  /** @type {Outgoing[]} */
  #waiting = [];
  /** @type {Interval[]} */
  #sent = [];
  /** @type {Interval[]} */
  #unsent = [];
  /** @type {import('./frames').Welcome | undefined} */
  #limits;
  #connection = 0;
  #next = 1;
  #lastSent = 0;
  #maxGap;
  /** Whether something was settled on this connection. */
  progressed = false;

  /**
   * @param {import('./health').Tally} tally
   * @param {(what: string, message: string) => void} warn
   * @param {number} [maxGap]
   */
  constructor(tally, warn, maxGap = MAX_GAP) {
    this.#tally = tally;
    this.#warn = warn;
    this.#maxGap = maxGap;
  }

  /** Intervals that wait to be encoded. */
  get pending() {
    return this.#waiting.length;
  }

  /** Intervals encoded and not settled. */
  get flying() {
    return this.#sent.length + this.#unsent.length;
  }

  /** Intervals sent on this connection and not settled. */
  get awaiting() {
    return this.#sent.length;
  }

  get isEmpty() {
    return this.pending + this.flying === 0;
  }

  /** Values in all of them. */
  get values() {
    const flying = [...this.#sent, ...this.#unsent].reduce((sum, one) => sum + one.part.figures.total, 0);
    return this.#waiting.reduce((sum, one) => sum + (one.waiting?.total ?? 0), flying);
  }

  /**
   * What a series counted from start to end.
   *
   * @param {import('./recorder').Series} series
   * @param {import('./counts').Counts} counts
   * @param {number} start
   * @param {number} end
   */
  add(series, counts, start, end) {
    let outgoing = this.#of.get(series);
    if (outgoing === undefined) {
      outgoing = new Outgoing(this.#roster.length + 1, series);
      this.#of.set(series, outgoing);
      this.#roster.push(outgoing);
    }
    this.#wait(outgoing, counts, start, end);
  }

  /**
   * @param {Outgoing} series
   * @param {import('./counts').Counts} counts
   * @param {number} start
   * @param {number} end
   */
  #wait(series, counts, start, end) {
    if (series.wait(counts, start, end)) {
      this.#tally.joinedIntervals++;
    } else {
      this.#waiting.push(series);
    }
  }

  // What the sidecar says.

  /**
   * Whether its number cannot come from what was sent: the instance cannot be kept.
   *
   * @param {number} settled
   */
  isOutOfStep(settled) {
    const following = this.#unsent.length > 0 ? this.#unsent[0].sequence : this.#next;
    return settled > this.#lastSent || (settled > 0 && settled < following - this.#maxGap);
  }

  /**
   * Goes on as another instance, numbered from 1; returns values nobody can know of.
   *
   * If the old numbers were taken by somebody else, what was sent under them may be merged or not.
   * Otherwise the sidecar was set back, and has not what it does not say it has.
   *
   * @param {number} settled
   */
  startOver(settled) {
    const taken = settled > this.#lastSent;
    if (!taken) {
      this.#settle(settled);
    }
    const left = this.#unsent;
    this.#unsent = [];
    let unknown = 0;
    for (const one of left) {
      if (taken && one.sequence <= this.#lastSent) {
        unknown += one.part.figures.total;
        this.#tally.lose('numbers_taken', one.part.figures.total);
      } else {
        this.#putBack(one);
      }
    }
    this.#next = 1;
    this.#lastSent = 0;
    return unknown;
  }

  /**
   * A connection is open, under these limits.
   *
   * @param {import('./frames').Welcome} welcome
   */
  welcomed(welcome) {
    this.#tally.welcomes++;
    this.#connection++;
    this.progressed = false;
    this.#limits = welcome;
    this.settle(welcome.settled);
    const left = this.#unsent;
    this.#unsent = [];
    for (const one of left) {
      if (one.frame.length <= welcome.maxBody + frames.OVERHEAD) {
        this.#unsent.push(one);
      } else {
        this.#putBack(one);
      }
    }
  }

  /**
   * It waits again, and is encoded anew.
   *
   * @param {Interval} one
   */
  #putBack(one) {
    this.#wait(one.series, one.part.counts, one.part.figures.start, one.part.figures.end);
  }

  /** What was sent on it is to be sent again, oldest first. */
  lostConnection() {
    this.#unsent = [...this.#sent, ...this.#unsent];
    this.#sent = [];
  }

  /**
   * All up to this number need not be kept.
   *
   * @param {number} sequence
   * @throws {frames.ProtocolError} for one never sent
   */
  settle(sequence) {
    if (!(sequence >= 0 && sequence <= this.#lastSent)) {
      throw new frames.ProtocolError(`answer to interval ${sequence}, but sent were ${this.#lastSent}`);
    }
    this.#settle(sequence);
  }

  /** @param {number} sequence */
  #settle(sequence) {
    for (const some of [this.#sent, this.#unsent]) {
      while (some.length > 0 && some[0].sequence <= sequence) {
        const values = some[0].part.figures.total;
        some.shift();
        this.progressed = true;
        this.#tally.acknowledgedIntervals++;
        this.#tally.acknowledgedValues += values;
      }
    }
  }

  /**
   * All intervals of it are refused on this connection; those on their way are answered.
   *
   * @param {number} id
   * @param {string} reason
   * @param {string} message
   */
  refuseSeries(id, reason, message) {
    const series = this.#roster[id - 1];
    if (series !== undefined) {
      series.refusedOn = this.#connection;
      series.refusal = reason;
      this.#warn(
        `series ${reason}`,
        `series are refused and their values lost, reason=${reason}, the first is ${series.series.key}: ${message}`,
      );
    }
  }

  /**
   * This one is refused for good.
   *
   * @param {number} sequence
   * @param {string} reason
   * @param {string} message
   */
  refuseInterval(sequence, reason, message) {
    const at = this.#sent.findIndex((one) => one.sequence === sequence);
    if (at < 0) {
      return;
    }
    const [one] = this.#sent.splice(at, 1);
    this.progressed = true;
    // That of its series says more than that the series is unknown.
    const why = one.series.refusedOn === this.#connection ? one.series.refusal : reason;
    this.#tally.lose(why, one.part.figures.total);
    this.#warn(
      `interval ${why}`,
      `intervals are refused and their values lost, reason=${why}, the first is of ${one.series.series.key}: ` +
        message,
    );
  }

  // What is sent.

  /**
   * Sends what the window has room for, first what is encoded already; returns whether there is
   * room for more, so that it is to be called again soon.
   *
   * @param {Send} send
   */
  pump(send) {
    const limits = this.#limits;
    if (limits === undefined) {
      return false;
    }
    const window = Math.min(limits.window, MAX_WINDOW);
    for (let turns = 0; this.#sent.length < window; turns++) {
      if (this.#unsent.length > 0) {
        this.#send(this.#unsent[0], limits, send);
        this.#unsent.shift();
      } else if (this.#waiting.length === 0) {
        return false;
      } else if (turns >= SLICE) {
        return true;
      } else {
        this.#encodeNext(limits);
      }
    }
    return false;
  }

  /**
   * @param {Interval} one
   * @param {import('./frames').Welcome} limits
   * @param {Send} send
   */
  #send(one, limits, send) {
    if (!this.#announce(one.series, limits, send)) {
      this.#tally.lose(one.series.refusal, one.part.figures.total);
      return;
    }
    send(one.frame);
    this.#sent.push(one);
    if (one.sequence > this.#lastSent) {
      this.#lastSent = one.sequence;
      this.#tally.sentIntervals++;
    } else {
      this.#tally.resentIntervals++;
    }
  }

  /**
   * Says once a connection what an id stands for; returns whether it is not refused.
   *
   * @param {Outgoing} outgoing
   * @param {import('./frames').Welcome} limits
   * @param {Send} send
   */
  #announce(outgoing, limits, send) {
    if (outgoing.announcedOn !== this.#connection) {
      outgoing.announcedOn = this.#connection;
      const data = frames.series(outgoing.id, outgoing.series.key, outgoing.series.definition);
      if (data.length - frames.OVERHEAD > limits.maxBody) {
        this.refuseSeries(outgoing.id, 'frame_too_large', `its labels and help do not fit ${limits.maxBody} bytes`);
      } else {
        send(data);
      }
    }
    return outgoing.refusedOn !== this.#connection;
  }

  /**
   * Numbers what waits of a series.
   *
   * @param {{ maxBody: number, level: number }} limits
   */
  #encodeNext(limits) {
    const series = this.#waiting[0];
    const counts = series.waiting;
    if (counts !== undefined && series.refusedOn === this.#connection) {
      this.#tally.lose(series.refusal, counts.total);
    } else if (counts !== undefined) {
      const encoded = parts(counts, series.start, series.end, series.series.definition, limits).map((part, at) => {
        const sequence = this.#next + at;
        const frame = frames.interval(sequence, series.id, part.figures, part.payload, part.counts.exemplar);
        return { sequence, series, part, frame };
      });
      this.#unsent.push(...encoded);
      this.#next += encoded.length;
    }
    // At the end: should something above fail, nothing is gone.
    series.waiting = undefined;
    this.#waiting.shift();
  }

  /**
   * Everything that is not settled, with its number; what waits is numbered now.
   *
   * @returns {Interval[]}
   */
  drain() {
    const maxBody = this.#limits?.maxBody ?? USUAL_BODY;
    while (this.#waiting.length > 0) {
      this.#encodeNext({ maxBody, level: this.#limits?.level || 1 });
    }
    return [...this.#sent, ...this.#unsent];
  }

  /** All of it is elsewhere now. */
  forget() {
    this.#sent = [];
    this.#unsent = [];
  }
}

module.exports = { Delivery };
