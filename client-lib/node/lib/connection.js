'use strict';

const { readFileSync } = require('node:fs');
const net = require('node:net');
const tls = require('node:tls');
const { Reader } = require('./frames');

/**
 * What a connection tells. `ended` comes once, at last, with the reason.
 *
 * @typedef {{
 *   connected: () => void,
 *   answered: (answer: import('./frames').Answer) => void,
 *   ended: (cause: Error) => void,
 *   handled: () => void,
 * }} Listener
 */

/**
 * How long the network may take to connect. While it does, Node does not let the process end, so it
 * is not long.
 */
const CONNECT_MILLIS = 5000;

/** @param {import('./config').Config} config */
function open(config) {
  const { scheme, host, port, path } = config.address;
  if (scheme === 'unix') {
    return net.connect({ path });
  }
  if (scheme === 'tcp') {
    return net.connect({ host, port, noDelay: true });
  }
  /** @param {string | undefined} file */
  const read = (file) => (file === undefined ? undefined : readFileSync(file));
  return tls.connect({
    host,
    port,
    ca: read(config.tlsCa),
    cert: read(config.tlsCertificate),
    key: read(config.tlsKey),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true, // Whatever NODE_TLS_REJECT_UNAUTHORIZED says: there may be a token.
  });
}

/** One connection with the sidecar: TCP, TLS or a Unix socket. Does not keep the process alive. */
class Connection {
  #socket;
  #listener;
  #reader = new Reader();
  #isOver = false;
  /** @type {Error | undefined} */
  #cause;
  #timer;

  /**
   * @param {import('./config').Config} config
   * @param {Listener} listener
   * @throws {Error} when a file of TLS cannot be used
   */
  constructor(config, listener) {
    this.#listener = listener;
    this.#socket = open(config);
    this.#timer = setTimeout(() => {
      this.#socket.destroy(new Error(`not connected after ${CONNECT_MILLIS} ms`));
    }, CONNECT_MILLIS).unref();
    this.#socket
      .unref()
      .on(config.address.scheme === 'tls' ? 'secureConnect' : 'connect', () => {
        clearTimeout(this.#timer);
        this.#guarded(() => this.#listener.connected());
      })
      .on('data', (data) => {
        this.#guarded(() => {
          for (const answer of this.#reader.feed(data)) {
            this.#listener.answered(answer);
          }
        });
      })
      .on('error', (error) => {
        this.#cause ??= error;
      })
      .on('close', () => this.#end());
  }

  /** @param {() => void} action */
  #guarded(action) {
    if (this.#isOver) {
      return;
    }
    try {
      action();
    } catch (error) {
      this.#cause ??= error instanceof Error ? error : new Error(String(error));
      this.#end();
    }
    this.#listener.handled();
  }

  #end() {
    if (!this.#isOver) {
      this.close();
      this.#listener.ended(this.#cause ?? new Error('closed by the sidecar'));
      this.#listener.handled();
    }
  }

  /**
   * Sends a frame, or keeps it to be sent.
   *
   * @param {Buffer} data
   */
  send(data) {
    if (!this.#isOver) {
      this.#socket.write(data);
    }
  }

  /**
   * Sends what an action sends in as few packets as it takes.
   *
   * @param {() => void} action
   */
  together(action) {
    this.#socket.cork();
    try {
      action();
    } finally {
      this.#socket.uncork();
    }
  }

  /** Whether something waits to be written. */
  get hasUnwritten() {
    return this.#socket.writableLength > 0;
  }

  /**
   * Whether the process is to live as long as this.
   *
   * @param {boolean} alive
   */
  keepAlive(alive) {
    if (alive) {
      this.#socket.ref();
    } else {
      this.#socket.unref();
    }
  }

  /** At once, and without another word to the listener. */
  close() {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#socket.destroy();
  }
}

module.exports = { Connection };
