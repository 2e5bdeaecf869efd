'use strict';

const { readFileSync } = require('node:fs');
const { fileURLToPath } = require('node:url');
const frames = require('./frames');
const { labelsOf } = require('./series');
const { usualLogger } = require('./statelog');

/** @typedef {{ text: string, scheme: 'tcp' | 'tls' | 'unix', host: string, port: number, path: string }} Address */

const MAX_SOCKET_PATH = 107;
const MAX_TOKEN = 4096;
const MAX_HELLO = 4096;
const NET_ADDRESS = /^(tcp|tls):\/\/(?:\[([0-9a-fA-F:.]+)\]|([^\s/:@?#[\]]+)):([0-9]{1,5})$/;
const DURATION = /^([0-9]{1,9})(ms|s|m|h)$/;
const MILLISECONDS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const HOUR = MILLISECONDS.h;

/**
 * @param {unknown} text
 * @returns {Address}
 */
function addressOf(text) {
  if (typeof text === 'string') {
    const net = NET_ADDRESS.exec(text);
    const port = Number(net?.[4]);
    if (net !== null && port >= 1 && port <= 65_535) {
      const scheme = /** @type {'tcp' | 'tls'} */ (net[1]);
      return { text, scheme, host: net[2] ?? net[3], port, path: '' };
    }
    const path = text.startsWith('unix:///') ? text.slice('unix://'.length) : '';
    if (path.length > 1 && Buffer.byteLength(path) <= MAX_SOCKET_PATH && !path.includes('\0')) {
      return { text, scheme: 'unix', host: '', port: 0, path };
    }
  }
  throw new RangeError(
    'address must be tcp://host:port, tls://host:port or unix:///path ' +
      `(at most ${MAX_SOCKET_PATH} bytes): ${String(text)}`,
  );
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number} least
 * @param {number} most
 */
function within(name, value, least, most) {
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw new RangeError(`${name} must be a number from ${least} to ${most}: ${String(value)}`);
  }
  return value;
}

/**
 * @param {string} name
 * @param {unknown} path
 * @returns {string | undefined}
 */
function pathOf(name, path) {
  if (path === undefined) {
    return undefined;
  }
  const text = path instanceof URL ? fileURLToPath(path) : path;
  if (typeof text !== 'string' || text === '' || text.includes('\0')) {
    throw new TypeError(`${name} must be a path: ${String(path)}`);
  }
  return text;
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function truthOf(name, value) {
  if (typeof value !== 'boolean') {
    throw new TypeError(`${name} must be true or false: ${String(value)}`);
  }
  return value;
}

/**
 * @param {unknown} token
 * @returns {string | undefined}
 */
function tokenOf(token) {
  if (token === undefined) {
    return undefined;
  }
  // The message never has the token itself.
  if (typeof token !== 'string' || token.length > MAX_TOKEN || !token.isWellFormed()) {
    throw new RangeError(`token must be a string of at most ${MAX_TOKEN} characters of Unicode`);
  }
  return token;
}

/**
 * @param {unknown} logger
 * @returns {import('../index').Logger | undefined}
 */
function loggerOf(logger) {
  const some = /** @type {Partial<import('../index').Logger> | undefined} */ (logger);
  if (some !== undefined && (typeof some?.info !== 'function' || typeof some?.warn !== 'function')) {
    throw new TypeError('logger must have the methods info and warn, as console has');
  }
  return /** @type {import('../index').Logger | undefined} */ (some);
}

/** Settings of a client, checked. */
class Config {
  /** What the sidecar asks for: in no listing of this object. @type {string | undefined} */
  #token;

  /** @param {import('../index').ClientOptions} options */
  constructor(options) {
    if (typeof options !== 'object' || options === null) {
      throw new TypeError(`options of a client must be an object: ${String(options)}`);
    }
    const unknown = Object.keys(options).filter((name) => !SETTINGS.has(name));
    if (unknown.length > 0) {
      throw new TypeError(`no such option of a client: ${unknown.join(', ')}`);
    }
    this.address = addressOf(options.address ?? 'tcp://127.0.0.1:9924');
    this.enabled = truthOf('enabled', options.enabled ?? true);
    this.intervalMillis = within('intervalMillis', options.intervalMillis ?? 1000, 10, HOUR);
    this.common = labelsOf(options.commonLabels ?? {});
    this.#token = tokenOf(options.token);
    this.tokenFile = pathOf('tokenFile', options.tokenFile);
    this.tlsCa = pathOf('tlsCa', options.tlsCa);
    this.tlsCertificate = pathOf('tlsCertificate', options.tlsCertificate);
    this.tlsKey = pathOf('tlsKey', options.tlsKey);
    this.spillFolder = pathOf('spillFolder', options.spillFolder);
    this.closeTimeoutMillis = within('closeTimeoutMillis', options.closeTimeoutMillis ?? 2000, 0, 600_000);
    this.stallTimeoutMillis = within('stallTimeoutMillis', options.stallTimeoutMillis ?? 30_000, 100, HOUR);
    this.maxBackoffMillis = within('maxBackoffMillis', options.maxBackoffMillis ?? 10_000, 1, HOUR);
    this.minBackoffMillis = within('minBackoffMillis', options.minBackoffMillis ?? 100, 1, this.maxBackoffMillis);
    this.maxSeries = within('maxSeries', options.maxSeries ?? 1000, 1, 1_000_000);
    this.hiccups = truthOf('hiccups', options.hiccups ?? false);
    this.hiccupResolutionMillis = within('hiccupResolutionMillis', options.hiccupResolutionMillis ?? 10, 1, 1000);
    this.logger = loggerOf(options.logger);
    this.#check();
  }

  #check() {
    if (this.#token !== undefined && this.tokenFile !== undefined) {
      throw new TypeError('token and tokenFile: only one can be set');
    }
    const mark = this.common.find(([name]) => name === 'corrected' || name === 'overflow');
    if (mark) {
      throw new RangeError(`common labels must not set ${mark[0]}, which tells series apart`);
    }
    const hello = frames.hello(Buffer.alloc(16), this.common, this.#token ?? '').length - frames.OVERHEAD;
    if (hello > MAX_HELLO) {
      // A sidecar that does not know this client yet may take no more.
      throw new RangeError(`common labels and token must fit a HELLO of ${MAX_HELLO} bytes: ${hello}`);
    }
    if ((this.tlsCertificate === undefined) !== (this.tlsKey === undefined)) {
      throw new TypeError('tlsCertificate and tlsKey: must be set together');
    }
    if (this.address.scheme !== 'tls' && (this.tlsCa ?? this.tlsKey) !== undefined) {
      throw new TypeError(`tlsCa and tlsCertificate are for tls://, not ${this.address.text}`);
    }
  }

  /** @throws {Error} when the token's file cannot be read */
  currentToken() {
    return this.tokenFile === undefined
      ? (this.#token ?? '')
      : readFileSync(this.tokenFile, 'utf8').trim().slice(0, MAX_TOKEN).toWellFormed();
  }
}

const SETTINGS = new Set([
  'address',
  'enabled',
  'intervalMillis',
  'commonLabels',
  'token',
  'tokenFile',
  'tlsCa',
  'tlsCertificate',
  'tlsKey',
  'spillFolder',
  'closeTimeoutMillis',
  'stallTimeoutMillis',
  'maxBackoffMillis',
  'minBackoffMillis',
  'maxSeries',
  'hiccups',
  'hiccupResolutionMillis',
  'logger',
]);

/** @param {string} text */
function truth(text) {
  if (text !== 'true' && text !== 'false') {
    throw new RangeError(`must be true or false: ${text}`);
  }
  return text === 'true';
}

/** @param {string} text */
function duration(text) {
  const found = DURATION.exec(text);
  if (found === null) {
    throw new RangeError(`must be a whole number with a unit, such as 500ms, 10s, 1m or 1h: ${text}`);
  }
  return Number(found[1]) * MILLISECONDS[/** @type {keyof typeof MILLISECONDS} */ (found[2])];
}

/** @param {string} text */
function labels(text) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const pair of text.split(',')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals).trim();
    if (equals < 0) {
      throw new RangeError(`must be name=value,name=value: ${text}`);
    }
    if (found.has(name)) {
      throw new RangeError(`label name used twice: ${name}`);
    }
    found.set(name, pair.slice(equals + 1).trim());
  }
  return Object.fromEntries(labelsOf(Object.fromEntries(found)));
}

/** @param {string} text */
function same(text) {
  return text;
}

const VARIABLES = new Map(
  /** @type {[string, [keyof import('../index').ClientOptions, (text: string) => unknown]][]} */ ([
    ['HDR_SIDECAR_ADDRESS', ['address', (text) => addressOf(text).text]],
    ['HDR_SIDECAR_ENABLED', ['enabled', truth]],
    ['HDR_SIDECAR_INTERVAL', ['intervalMillis', duration]],
    ['HDR_SIDECAR_LABELS', ['commonLabels', labels]],
    ['HDR_SIDECAR_TOKEN', ['token', same]],
    ['HDR_SIDECAR_TOKEN_FILE', ['tokenFile', same]],
    ['HDR_SIDECAR_TLS_CA', ['tlsCa', same]],
    ['HDR_SIDECAR_TLS_CERTIFICATE', ['tlsCertificate', same]],
    ['HDR_SIDECAR_TLS_KEY', ['tlsKey', same]],
    ['HDR_SIDECAR_SPILL_FOLDER', ['spillFolder', same]],
    ['HDR_SIDECAR_HICCUPS', ['hiccups', truth]],
    ['HDR_SIDECAR_HICCUPS_RESOLUTION', ['hiccupResolutionMillis', duration]],
  ]),
);

/**
 * Settings of the variables `HDR_SIDECAR_*`; what code sets goes before. An empty variable is the
 * same as none; one whose name nearly is one of these is ignored with a warning.
 *
 * @param {import('../index').ClientOptions} options
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {import('../index').ClientOptions}
 * @throws {RangeError} that names all variables that are wrong
 */
function fromEnvironment(options, environment) {
  /** @type {Record<string, unknown>} */
  const found = {};
  /** @type {string[]} */
  const problems = [];
  warnOfMistakes(environment, loggerOf(options.logger) ?? usualLogger);
  for (const [variable, [setting, read]] of VARIABLES) {
    const text = (environment[variable] ?? '').trim();
    if (text !== '' && options[setting] === undefined) {
      try {
        found[setting] = read(text);
      } catch (error) {
        problems.push(`${variable}: ${messageOf(error)}`);
      }
    }
  }
  if (problems.length === 0) {
    try {
      const every = { ...found, ...withoutUndefined(options) };
      new Config(every); // Says what is wrong.
      return every;
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  throw new RangeError(`environment of hdr-sidecar's client: ${problems.join('; ')}`);
}

/**
 * None of the sidecar's own variables, which may stand there, too, is so near to one of these.
 *
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @param {import('../index').Logger} logger
 */
function warnOfMistakes(environment, logger) {
  for (const mistaken of Object.keys(environment)) {
    if (mistaken.startsWith('HDR_SIDECAR_') && !VARIABLES.has(mistaken)) {
      for (const variable of VARIABLES.keys()) {
        if (apart(mistaken, variable) <= 2) {
          logger.warn(`unknown variable ${mistaken} is ignored: did you mean ${variable}?`);
        }
      }
    }
  }
}

/**
 * How many characters there are between the equal ones at the start and at the end.
 *
 * @param {string} one
 * @param {string} other
 */
function apart(one, other) {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) {
    start++;
  }
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) {
    end++;
  }
  return Math.max(one.length, other.length) - start - end;
}

/** @param {import('../index').ClientOptions} options */
function withoutUndefined(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

module.exports = { Config, VARIABLES, fromEnvironment, messageOf };
