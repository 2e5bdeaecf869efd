// Questions to the API: a few at a time, cancelled when nobody waits for the answer any more, with the token
// if one is needed, and errors in the API's own words.

import { parseJson } from './json.js';

/** A browser keeps six connections to a host, and live streams want three (live.js). */
const MOST_AT_ONCE = 3;
const TOKEN_KEY = 'hdr-sidecar-token';

/** What the API refused, or that it did not answer (status 0). */
export class ApiError extends Error {
  /** @param {number} status HTTP status, 0 without an answer @param {string} message */
  constructor(status, message) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
  }
}

let running = 0;
/** @type {(() => void)[]} */
const waiting = [];
let clockOffset = 0;

/** @param {number} now milliseconds since 1970, as the sidecar has just said it */
export function setServerNow(now) {
  clockOffset = now - Date.now();
}

/** @returns {number} milliseconds since 1970 by the sidecar's clock, or by ours if it has not said it */
export function serverNow() {
  return Date.now() + clockOffset;
}

/** @returns {string|null} */
export function token() {
  const kept = sessionStorage.getItem(TOKEN_KEY);
  return kept === null || tokenProblem(kept) !== '' ? null : kept;
}

/**
 * A header can carry only some characters, and a text from a chat has others: typographic quotes, dashes, spaces.
 *
 * @param {string} text
 * @returns {string} why it cannot be a token; empty if it can
 */
export function tokenProblem(text) {
  if (text === '') {
    return 'Nothing was typed.';
  }
  const wrong = [...text].findIndex((character) => !/^[\x21-\x7e]$/.test(character));
  if (wrong < 0) {
    return '';
  }
  const character = [...text][wrong];
  const code = `U+${/** @type {number} */ (character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`;
  return `A token has only letters, digits and signs of ASCII, no spaces. Character ${wrong + 1} is ${/\s/.test(character) ? 'a space' : `“${character}”`} (${code}); was it changed where it was copied from?`;
}

/** @param {string} text without a {@link tokenProblem}; kept until the tab is closed */
export function setToken(text) {
  sessionStorage.setItem(TOKEN_KEY, text);
}

/**
 * @param {string} path such as /api/v1/series
 * @param {Object<string, string|number|undefined>} parameters undefined ones are left out
 * @returns {string}
 */
export function url(path, parameters) {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== undefined) {
      params.append(key, String(value));
    }
  }
  const query = params.toString();
  return query === '' ? path : `${path}?${query}`;
}

/** @returns {Record<string, string>} */
function headers() {
  const shown = token();
  return shown === null || shown === '' ? {} : { Authorization: `Bearer ${shown}` };
}

/**
 * @param {string} address
 * @param {AbortSignal} [signal]
 * @param {Record<string, string>} [more] headers
 * @returns {Promise<Response>} with a good status
 * @throws {ApiError} otherwise; what fetch throws when the signal was given
 */
export async function open(address, signal, more = {}) {
  const all = new Headers({ ...headers(), ...more }); // a mistake in them is none of the sidecar's
  let response;
  try {
    response = await fetch(address, { signal, headers: all, cache: 'no-store' });
  } catch (failure) {
    if (signal?.aborted) {
      throw failure;
    }
    throw new ApiError(0, 'The sidecar does not answer.');
  }
  if (!response.ok) {
    throw new ApiError(response.status, await errorText(response));
  }
  return response;
}

/**
 * Whether the sidecar answers at all; that needs no token.
 *
 * @throws {ApiError} while it does not, or is not ready
 */
export async function requireAlive() {
  let response;
  try {
    response = await fetch('-/healthy', { cache: 'no-store' });
  } catch {
    throw new ApiError(0, 'The sidecar does not answer.');
  }
  if (response.status >= 500) {
    throw new ApiError(response.status, 'The sidecar is not ready.');
  }
}

async function errorText(response) {
  const text = await response.text();
  try {
    return parseJson(text).error ?? text;
  } catch {
    return `${response.status} ${response.statusText || 'error'}`;
  }
}

/**
 * Asks, when it is its turn.
 *
 * @param {string} path
 * @param {Object<string, string|number|undefined>} parameters
 * @param {AbortSignal} signal
 * @returns {Promise<{data: any, warnings: string[]}>}
 */
export async function ask(path, parameters, signal) {
  await turn(signal);
  try {
    const response = await open(url(path, parameters), signal);
    const answer = parseJson(await bodyOf(response, signal));
    return { data: answer.data, warnings: answer.warnings ?? [] };
  } finally {
    running--;
    waiting.shift()?.();
  }
}

async function bodyOf(response, signal) {
  try {
    return await response.text();
  } catch (failure) {
    if (signal.aborted) {
      throw failure;
    }
    throw new ApiError(0, 'The sidecar stopped answering.'); // the connection ended within the body
  }
}

async function turn(signal) {
  while (running >= MOST_AT_ONCE) {
    await new Promise((resolve) => waiting.push(() => resolve(undefined)));
  }
  if (signal.aborted) {
    // Whoever woke this one has given its place to nobody yet.
    waiting.shift()?.();
    throw signal.reason;
  }
  running++;
}

/**
 * Things asked for under one name: asking again cancels what was asked before.
 */
export class Latest {
  #controller = new AbortController();

  /** @returns {AbortSignal} for the new question; the old ones are cancelled */
  next() {
    this.#controller.abort();
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  cancel() {
    this.#controller.abort();
  }
}

/** @param {unknown} failure @returns {boolean} whether it is only that nobody wants the answer any more */
export function isCancelled(failure) {
  return failure instanceof DOMException && failure.name === 'AbortError';
}
