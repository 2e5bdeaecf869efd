'use strict';

const { createHash, randomBytes } = require('node:crypto');
const { Connection } = require('./connection');
const frames = require('./frames');

/**
 * The conversation with the sidecar, over as many connections as it takes.
 *
 *     away --back-off over--> connecting --HELLO--> welcoming --WELCOME--> open
 *       ^                         |                    |                    |
 *       '---------- failure, refusal, close, or an answer due for too long -'
 *
 * Times are milliseconds of a clock that does not jump.
 *
 * @typedef {'away' | 'connecting' | 'welcoming' | 'open'} State
 */

const HURRIED_RETRY_MILLIS = 50;
const LONG_MILLIS = 3_600_000;

/** The sidecar refuses the connection, for a reason that it names. */
class RefusedError extends Error {}

/**
 * An instance as logs may show it, and as the sidecar does: it is a secret itself.
 *
 * @param {Buffer} instance
 */
function shownAs(instance) {
  return createHash('sha256').update(instance).digest('hex').slice(0, 32);
}

class Session {
  #config;
  #delivery;
  #log;
  #now;
  #wake;
  /** @type {State} */
  #state = 'away';
  /** @type {Connection | undefined} */
  #connection;
  #backoff;
  #retryAt;
  #openedAt;
  // Or since when an answer is owed.
  #heardAt;
  #hurried = false;
  #leaving = false;
  #keepsAlive = false;
  instance = randomBytes(16);

  /**
   * @param {import('./config').Config} config
   * @param {import('./delivery').Delivery} delivery
   * @param {import('./statelog').StateLog} log
   * @param {() => number} now
   * @param {() => void} wake called when something has come
   */
  constructor(config, delivery, log, now, wake) {
    this.#config = config;
    this.#delivery = delivery;
    this.#log = log;
    this.#now = now;
    this.#wake = wake;
    this.#backoff = config.minBackoffMillis;
    this.#retryAt = this.#openedAt = this.#heardAt = now();
  }

  /** Whether the sidecar has welcomed this client. */
  get isOpen() {
    return this.#state === 'open';
  }

  /** Does what is due by time: connects, or gives up a connection that owes an answer. */
  onTime() {
    const now = this.#now();
    if (this.#state === 'away' && now >= this.#retryAt) {
      this.#connect(now);
    }
    if (this.#owes() && now - this.#heardAt >= this.#config.stallTimeoutMillis) {
      this.#lost(new Error(`no answer for ${this.#config.stallTimeoutMillis} ms`));
    }
  }

  /** When `onTime` has something to do. */
  get nextDeadline() {
    if (this.#state === 'away') {
      return this.#retryAt;
    }
    return this.#owes() ? this.#heardAt + this.#config.stallTimeoutMillis : this.#now() + LONG_MILLIS;
  }

  #owes() {
    if (this.#state === 'open' && this.#connection !== undefined) {
      return this.#delivery.awaiting > 0 || this.#connection.hasUnwritten || this.#leaving;
    }
    return this.#state !== 'away';
  }

  /** There is a deadline: a sidecar that is away is tried at once and often. */
  hurry() {
    this.#hurried = true;
    if (this.#state === 'away') {
      this.#retryAt = this.#now();
    }
  }

  /** The deadline has passed. */
  relax() {
    this.#hurried = false;
  }

  /**
   * Whether the process is to live as long as a connection of this.
   *
   * @param {boolean} alive
   */
  keepAlive(alive) {
    this.#keepsAlive = alive;
    this.#connection?.keepAlive(alive);
  }

  /** @param {number} now */
  #connect(now) {
    this.#state = 'connecting';
    this.#heardAt = now;
    try {
      this.#connection = new Connection(this.#config, {
        connected: () => this.#sayHello(),
        answered: (answer) => {
          this.#heardAt = this.#now();
          this.#onAnswer(answer);
        },
        ended: (cause) => this.#lost(cause),
        handled: this.#wake,
      });
      this.#connection.keepAlive(this.#keepsAlive);
    } catch (error) {
      this.#lost(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #sayHello() {
    this.#state = 'welcoming';
    this.#heardAt = this.#now();
    this.#connection?.send(frames.hello(this.instance, this.#config.common, this.#config.currentToken()));
  }

  /** @param {import('./frames').Answer} answer */
  #onAnswer(answer) {
    if (answer.kind === 'reject') {
      this.#onReject(answer);
    } else if (answer.kind === 'welcome' && this.#state === 'welcoming') {
      this.#onWelcome(answer);
    } else if (answer.kind === 'ack' && this.#state === 'open') {
      this.#delivery.settle(answer.sequence);
      if (this.#leaving) {
        throw new Error('said goodbye');
      }
    } else {
      throw new frames.ProtocolError(`the sidecar must not send ${answer.kind} now: ${this.#state}`);
    }
  }

  /** @param {import('./frames').Welcome} welcome */
  #onWelcome(welcome) {
    if (this.#delivery.isOutOfStep(welcome.settled)) {
      const before = shownAs(this.instance);
      this.instance = randomBytes(16);
      const unknown = this.#delivery.startOver(welcome.settled);
      const why =
        `the sidecar has settled interval ${welcome.settled} of ${before}, which does not fit what was sent: ` +
        'somebody else has used its id, or the sidecar was set back; ' +
        `goes on as ${shownAs(this.instance)}, lost as nobody knows whether they were counted: values=${unknown}`;
      this.#log.once('numbers', why);
      throw new frames.ProtocolError(why);
    }
    this.#delivery.welcomed(welcome);
    this.#state = 'open';
    this.#openedAt = this.#now();
    this.#log.enter('connected', 'info', `connected to ${this.#config.address.text} as ${shownAs(this.instance)}`);
  }

  /** @param {import('./frames').Reject} reject */
  #onReject(reject) {
    if (reject.scope === 'connection') {
      throw new RefusedError(`${reject.reason}: ${reject.message}`);
    }
    if (reject.scope === 'series') {
      this.#delivery.refuseSeries(reject.reference, reject.reason, reject.message);
    } else {
      this.#delivery.refuseInterval(reject.reference, reject.reason, reject.message);
    }
  }

  /** Sends what the sidecar has room for; returns whether it is to be called again soon. */
  pump() {
    const connection = this.#connection;
    if (connection === undefined || this.#state !== 'open' || this.#leaving) {
      return false;
    }
    const owed = this.#owes();
    let more = false;
    connection.together(() => {
      more = this.#delivery.pump((data) => connection.send(data));
    });
    if (!owed) {
      this.#heardAt = this.#now();
    }
    return more;
  }

  /**
   * Sends the client's figures.
   *
   * @param {Record<string, number>} figures
   */
  sendHealth(figures) {
    if (this.isOpen) {
      this.#connection?.send(frames.health(figures));
    }
  }

  /** Says that nothing more will come; the sidecar answers and closes. */
  sayGoodbye() {
    if (this.isOpen && !this.#leaving) {
      this.#leaving = true;
      this.#heardAt = this.#now();
      this.#connection?.send(frames.goodbye());
    }
  }

  /** Whether it said goodbye: nothing can be sent any longer. */
  get isLeaving() {
    return this.#leaving;
  }

  /** Whether it said goodbye and the connection has ended. */
  get hasLeft() {
    return this.#leaving && this.#connection === undefined;
  }

  /**
   * Gives the connection up; what was in flight is sent again on the next.
   *
   * @param {Error} cause
   */
  #lost(cause) {
    const now = this.#now();
    const wasOpen = this.isOpen;
    const lasted = now - this.#openedAt >= this.#config.maxBackoffMillis;
    if (wasOpen && (this.#delivery.progressed || lasted)) {
      this.#backoff = this.#config.minBackoffMillis;
    }
    this.disconnect();
    if (this.#hurried) {
      this.#retryAt = now + HURRIED_RETRY_MILLIS;
    } else {
      this.#retryAt = now + this.#backoff * (0.5 + Math.random() / 2);
      this.#backoff = Math.min(this.#backoff * 2, this.#config.maxBackoffMillis);
    }
    if (!this.#leaving) {
      this.#logLost(wasOpen, cause);
    }
  }

  /**
   * @param {boolean} wasOpen
   * @param {Error} cause
   */
  #logLost(wasOpen, cause) {
    const address = this.#config.address.text;
    if (cause instanceof RefusedError) {
      const why = `refused by ${address}, values wait: ${cause.message}`;
      this.#log.enter(`refused ${cause.message}`, 'warn', why);
    } else {
      const what = wasOpen ? 'lost' : 'no connection with';
      this.#log.enter('away', 'warn', `${what} ${address}, values wait: ${describe(cause)}`);
    }
  }

  /** Closes the connection; what is in flight stays. */
  disconnect() {
    const closing = this.#connection;
    this.#connection = undefined;
    this.#state = 'away';
    this.#delivery.lostConnection();
    closing?.close();
  }
}

/**
 * An error of all addresses of a host has a message that is empty.
 *
 * @param {Error & { code?: string }} error
 */
function describe(error) {
  return error.message || error.code || error.name;
}

module.exports = { Session, shownAs };
