'use strict';

const { performance } = require('node:perf_hooks');
const { debuglog } = require('node:util');
const { SeriesKey } = require('./series');

/**
 * @typedef {import('../index').Client} Client
 * @typedef {import('../index').Recorder} Recorder
 * @typedef {import('../index').HttpRequest} HttpRequest
 * @typedef {import('../index').HttpResponse} HttpResponse
 * @typedef {import('../index').LatencyOptions} LatencyOptions
 */

const NAME = 'http_server_requests';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE']);
const UNMATCHED = 'unmatched';
const OTHER = 'other';

/** As nginx counts a caller that left before its answer. */
const LEFT = '499';

const MAX_ROUTE = 1000;

/** Routes of an application are few; with ids in them they would be as many as there are callers. */
const MOST_ROUTES = 200;

/** Recorders that are kept; others are looked up each time. */
const MOST_KNOWN = 2000;

const debug = debuglog('hdr-sidecar');

/** @type {WeakMap<HttpRequest, string>} */
const mounts = new WeakMap();

/**
 * Notes where the router is mounted whose route Express sets: with an error that goes on to the application's handler
 * it takes that back, and not the route.
 *
 * @param {HttpRequest} request
 */
function watchRoute(request) {
  if (mounts.has(request)) {
    return; // There is another middleware of ours.
  }
  let route = request.route;
  const note = () => mounts.set(request, request.baseUrl ?? '');
  note();
  Object.defineProperty(request, 'route', {
    configurable: true,
    enumerable: true,
    get: () => route,
    set: (value) => {
      route = value;
      note();
    },
  });
}

/**
 * The route that Express matched: that of the router with where it is mounted.
 *
 * @param {HttpRequest} request
 */
function expressRoute(request) {
  const path = request.route?.path;
  return path === undefined ? '' : `${mounts.get(request) ?? ''}${String(path)}`;
}

/** One series for each method, route and status. Whatever comes, a request does not fail. */
class RequestRecorders {
  #client;
  #name;
  #trace;
  #hasWarned = false;
  /** @type {Map<string, Recorder>} */
  #known = new Map();
  /** @type {Set<string>} */
  #routes = new Set();

  /**
   * @param {Client} client
   * @param {LatencyOptions} options
   */
  constructor(client, { name = NAME, trace }) {
    new SeriesKey(name, []); // One that cannot be is told at the start.
    this.#client = client;
    this.#name = name;
    this.#trace = trace;
  }

  /**
   * Times a request from now until its response is closed.
   *
   * @param {HttpRequest} request
   * @param {HttpResponse} response
   * @param {(request: any) => unknown} routeOf asked at the end
   * @param {unknown} subject what it is asked with
   */
  observe(request, response, routeOf, subject) {
    const start = performance.now();
    let isOver = false;
    const end = () => {
      if (!isOver) {
        isOver = true;
        this.#count(performance.now() - start, request, response, routeOf, subject);
      }
    };
    response.once('finish', end);
    response.once('close', end);
  }

  /**
   * @param {number} millis
   * @param {HttpRequest} request
   * @param {HttpResponse} response
   * @param {(request: any) => unknown} routeOf
   * @param {unknown} subject
   */
  #count(millis, request, response, routeOf, subject) {
    try {
      const method = METHODS.has(request.method ?? '') ? /** @type {string} */ (request.method) : OTHER;
      const status = response.headersSent ? String(response.statusCode) : LEFT;
      const route = this.#bounded(this.#asked(routeOf, subject));
      const { traceId, spanId } = this.#traced(subject);
      this.#recorder(method, route, status).record(millis * 1e6, traceId, spanId);
    } catch (error) {
      this.#warn(error);
    }
  }

  /** @param {unknown} error as of a common label that is set to another value here */
  #warn(error) {
    if (!this.#hasWarned) {
      this.#hasWarned = true;
      process.emitWarning(`requests are not recorded: ${String(error)}`, 'HdrSidecarWarning');
    }
  }

  /** @param {unknown} subject */
  #traced(subject) {
    try {
      return this.#trace?.(subject) ?? {};
    } catch (error) {
      debug('no trace: %O', error);
      return {};
    }
  }

  /**
   * @param {(request: any) => unknown} routeOf
   * @param {unknown} subject
   */
  #asked(routeOf, subject) {
    try {
      const route = routeOf(subject);
      return typeof route === 'string' && route !== '' ? route.slice(0, MAX_ROUTE).toWellFormed() : UNMATCHED;
    } catch (error) {
      debug('no route: %O', error); // Of the application's own function, anything may come.
      return UNMATCHED;
    }
  }

  /** @param {string} route */
  #bounded(route) {
    if (this.#routes.size < MOST_ROUTES) {
      this.#routes.add(route);
    }
    return this.#routes.has(route) ? route : OTHER;
  }

  /**
   * @param {string} method
   * @param {string} route
   * @param {string} status
   */
  #recorder(method, route, status) {
    const key = `${method} ${status} ${route}`;
    const present = this.#known.get(key);
    if (present !== undefined) {
      return present;
    }
    const recorder = this.#client.recorder(this.#name, { method, route, status });
    if (this.#known.size < MOST_KNOWN) {
      this.#known.set(key, recorder);
    }
    return recorder;
  }
}

/**
 * For Express, Connect and node:http. See index.d.ts.
 *
 * @param {Client} client
 * @param {LatencyOptions} [options]
 */
function latencyMiddleware(client, options = {}) {
  const recorders = new RequestRecorders(client, options);
  const routeOf = options.route ?? expressRoute;
  /**
   * @param {HttpRequest} request
   * @param {HttpResponse} response
   * @param {(error?: unknown) => void} [next]
   */
  return function hdrSidecarLatency(request, response, next) {
    if (routeOf === expressRoute) {
      watchRoute(request);
    }
    recorders.observe(request, response, routeOf, request);
    next?.();
  };
}

/** @param {{ routeOptions?: { url?: string } }} request */
function fastifyRoute(request) {
  return request.routeOptions?.url ?? '';
}

/**
 * For Fastify. See index.d.ts.
 *
 * @param {any} fastify
 * @param {LatencyOptions & { client: Client }} options
 */
async function fastifyLatency(fastify, options) {
  const recorders = new RequestRecorders(options.client, options);
  const routeOf = options.route ?? fastifyRoute;
  fastify.addHook('onRequest', async (/** @type {any} */ request, /** @type {any} */ reply) => {
    recorders.observe(request.raw, reply.raw, routeOf, request);
  });
}

// As fastify-plugin does: the hook is for all routes, not for those of this plugin alone.
Object.assign(fastifyLatency, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: 'hdr-sidecar',
  [Symbol.for('plugin-meta')]: { name: 'hdr-sidecar', fastify: '>=4.10' },
});

module.exports = { fastifyLatency, latencyMiddleware };
