/// <reference lib="esnext.disposable" />

/** Names and values. One with an empty value is the same as none. Copied when they are given. */
export type Labels = Readonly<Record<string, string>>;

/** The unit of a series' values. The exposition has them in seconds or bytes. */
export type Unit = 'ns' | 'us' | 'ms' | 's' | 'bytes' | 'none';

/** Where log lines go: `console`, and most loggers, will do. One that throws is not asked twice. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
}

/** Settings of a client. README has defaults and the variables of the environment. */
export interface ClientOptions {
  /** `tcp://host:port`, `tls://host:port` or `unix:///path`; by default `tcp://127.0.0.1:9924`. */
  address?: string | undefined;
  /** False: records and discards. */
  enabled?: boolean | undefined;
  /** Milliseconds that an interval lasts, 10 to 3,600,000; 1,000 by default. */
  intervalMillis?: number | undefined;
  /** Labels that all series of this client have. */
  commonLabels?: Labels | undefined;
  /** What the sidecar asks for, up to 4,096 characters. */
  token?: string | undefined;
  /** A file with the token, read for each connection. */
  tokenFile?: string | URL | undefined;
  /** PEM file of who may vouch for the sidecar; by default whom Node trusts. */
  tlsCa?: string | URL | undefined;
  /** PEM file of the client's certificate with its chain, read for each connection. */
  tlsCertificate?: string | URL | undefined;
  /** PEM file of its key. */
  tlsKey?: string | URL | undefined;
  /** A folder for what is not delivered by the end, which a sidecar then picks up. */
  spillFolder?: string | URL | undefined;
  /** Milliseconds that `close` and the end of the process try to deliver, 0 to 600,000; 2,000. */
  closeTimeoutMillis?: number | undefined;
  /** An answer owed for so many milliseconds ends the connection, 100 to 3,600,000; 30,000. */
  stallTimeoutMillis?: number | undefined;
  /** First wait before connecting again; 100 ms. */
  minBackoffMillis?: number | undefined;
  /** Longest wait before connecting again, up to 3,600,000; 10,000 ms. */
  maxBackoffMillis?: number | undefined;
  /** Label sets above it share a series for each name, with `overflow="true"`; to 1,000,000. */
  maxSeries?: number | undefined;
  /** Whether delays of the event loop are measured, as `node_hiccup` and `node_hiccup_raw`. */
  hiccups?: boolean | undefined;
  /** Milliseconds between two looks for a delay, 1 to 1,000; 10 by default. */
  hiccupResolutionMillis?: number | undefined;
  /** By default warnings go to `console.warn`; `NODE_DEBUG=hdr-sidecar` shows the rest. */
  logger?: Logger | undefined;
}

/** Range, precision and unit of a series. */
export interface RecorderOptions {
  /** Nanoseconds by default. */
  unit?: Unit | undefined;
  /** The finest difference kept apart, 1 or more; 1 by default. */
  lowest?: number | undefined;
  /**
   * Values above count as this. At least twice `lowest`, at most 2^62; by default an hour, or 2^40
   * of bytes and plain numbers.
   */
  highest?: number | bigint | undefined;
  /** Significant decimal digits, 0 to 5; 3 by default. Each costs up to ten times the memory. */
  digits?: number | undefined;
  /** Up to 1,024 characters that say what is counted. */
  help?: string | undefined;
}

/** What a close came to. */
export interface DeliveryResult {
  /** Whether the sidecar has all that was recorded before the close. */
  readonly deliveredAll: boolean;
  /** Values that the sidecar has not acknowledged, and that are in no spill file. */
  readonly undeliveredValues: number;
  /** Values written to the spill file. */
  readonly spilledValues: number;
  /** The spill file, if one was written. */
  readonly spillFile: string | undefined;
}

/**
 * The client's figures at one moment. The sidecar shows them as `hdr_sidecar_client_*`.
 *
 * At rest, harvestedValues = acknowledgedValues + spilledValues + all of lostValues + values that
 * still wait. (What is no number is in lostValues and was never harvested.)
 */
export interface ClientHealth {
  readonly connected: boolean;
  readonly series: number;
  readonly pendingIntervals: number;
  readonly inFlightIntervals: number;
  readonly harvestedValues: number;
  readonly sentIntervals: number;
  readonly acknowledgedIntervals: number;
  readonly acknowledgedValues: number;
  readonly resentIntervals: number;
  readonly joinedIntervals: number;
  readonly reconnects: number;
  /** By reason. */
  readonly lostValues: Readonly<Record<string, number>>;
  readonly clampedNegative: number;
  readonly clampedTooLarge: number;
  readonly overflowedLookups: number;
  readonly loopFailures: number;
  readonly lostBackFill: number;
  readonly spilledIntervals: number;
  readonly spilledValues: number;
}

/**
 * Counts the values of one series. Get it from `Client.recorder` once and keep it.
 *
 * `record`, `recordWithExpectedInterval` and what `start` returns never throw, block or log. They
 * allocate 4 KiB of counters for each magnitude that is new, and what an exemplar takes.
 */
export interface Recorder {
  /** The name of the series. */
  readonly name: string;
  /** A copy of its labels, without the common ones. */
  readonly labels: Record<string, string>;

  /**
   * Counts a value, in the unit of the series: by default nanoseconds.
   *
   * One below 0 or above the range counts as the end of the range; fractions are cut off. NaN, and
   * what is neither number nor BigInt, is counted as lost (`not_a_number`).
   *
   * With a trace id, the largest such value of an interval goes with it as an exemplar: 1 to 64
   * visible ASCII characters, and up to 32 for the span id. Other ids are ignored.
   */
  record(value: number | bigint, traceId?: string | null, spanId?: string | null): void;

  /**
   * Counts a value here and, corrected for coordinated omission, in a series beside this.
   *
   * For callers that start a call each `expectedInterval` (in the unit of the series) and wait for
   * its end. The other series has the label `corrected="expected_interval"` and also the values that
   * such a caller failed to record while it waited. It is an estimate: never add it to this one.
   *
   * Missing values above 2^32 for one value, over more than 65,536 buckets, or for a value of 2^52
   * or more, are counted as lost (`lostBackFill`).
   */
  recordWithExpectedInterval(value: number | bigint, expectedInterval: number | bigint): void;

  /**
   * Starts a measurement, which ends when the function that is returned is called for the first
   * time. Throws TypeError when the series does not count time.
   */
  start(): () => void;

  /**
   * Times a function, or if it returns a promise, until that is settled. Also when it fails.
   * Returns what it returns. Throws TypeError when the series does not count time.
   */
  time<T>(action: () => T): T;

  /**
   * A function that does the same and is timed each time. Throws TypeError for a generator function,
   * whose calls do no more than make a generator.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the arguments of any function
  timed<F extends (...args: any[]) => any>(action: F): F;
}

/**
 * Delivers what its recorders count to the sidecar, each value once.
 *
 * Make one for a process. It connects when the first value is recorded. Neither its timer nor its
 * socket keeps the process alive. Each process, also of a cluster, and each worker thread is an
 * instance of its own. Nothing here throws or rejects because of the sidecar.
 */
export class Client {
  /** Throws TypeError or RangeError for a setting that cannot be. */
  constructor(options?: ClientOptions);

  /**
   * With the settings of the variables `HDR_SIDECAR_*`; those given here go before.
   *
   * Throws RangeError that names all variables that are wrong.
   */
  static fromEnvironment(options?: ClientOptions, environment?: Readonly<Record<string, string | undefined>>): Client;

  /**
   * The recorder of a series, the same one each time. Keep it: a lookup costs microseconds.
   *
   * Without options it counts nanoseconds, up to an hour, with three significant digits. The name
   * has no unit: the sidecar appends `_seconds` or `_bytes`.
   *
   * Throws TypeError or RangeError for a name, labels or options that cannot be, labels that
   * contradict the common ones, or a series that exists with other options. Above the limit of
   * series all further label sets of a name share one with `overflow="true"`.
   */
  recorder(name: string, labels?: Labels | null, options?: RecorderOptions): Recorder;

  /**
   * Delivers what was recorded before, and says goodbye to the sidecar.
   *
   * It waits for so many milliseconds at most, by default `closeTimeoutMillis`, and keeps the
   * process alive meanwhile. What is recorded later is delivered as well: the first such value
   * starts another instance. Delays of the event loop are no longer measured.
   *
   * Rejects with RangeError for a timeout that is not 0 to 600,000.
   */
  close(timeoutMillis?: number): Promise<DeliveryResult>;

  /** The client's own figures now. */
  health(): ClientHealth;

  /** As `close`, at the end of a block with `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Three series of one name: `kind="response"`, `kind="service"` and `kind="wait"`. For every call
 * response = wait + service; a call that starts early has waited 0.
 *
 *     intended start          actual start                           end
 *           |                       |                                 |
 *           |-------- wait ---------|------------ service ------------|
 *           |--------------------- response --------------------------|
 *
 * All times are milliseconds of `performance.now()`. They are counted in nanoseconds.
 */
export class ScheduledRecorder {
  /** Throws RangeError when labels have `kind`, or the unit is not `ns`, and as `recorder` does. */
  constructor(client: Client, name: string, labels?: Labels | null, options?: RecorderOptions);

  /** Starts a call now, which ends when the function that is returned is called. */
  begin(intendedStart: number): () => void;

  /** Times a function, or if it returns a promise, until that is settled. Also when it fails. */
  time<T>(intendedStart: number, action: () => T): T;

  /** Counts a call whose times are known. Never throws, blocks or logs. */
  record(intendedStart: number, actualStart: number, end: number): void;
}

/** When calls are meant to start, whatever becomes of those before. Iterate over it once. */
export class Schedule implements AsyncIterable<number> {
  private constructor();

  /** Equally far apart. Throws RangeError for a rate that is not 1e-9 to 1e9. */
  static fixedRate(perSecond: number, options?: { calls?: number }): Schedule;

  /** As independent callers start: at random, with this rate on average. Throws RangeError. */
  static poisson(perSecond: number, options?: { calls?: number; seed?: number }): Schedule;

  /** Milliseconds from the first moment of the schedule to each intended start. */
  offsets(): IterableIterator<number>;

  /**
   * Waits for each intended start and gives it, in milliseconds of `performance.now()`; at once when
   * it is past. Do not wait for a call before the next is started: that would be a closed load.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<number>;
}

/** What is needed of a request of `node:http` or Express. */
export interface HttpRequest {
  method?: string | undefined;
  baseUrl?: string | undefined;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- Express has no more to say
  route?: any;
}

/** What is needed of a response of `node:http`. */
export interface HttpResponse {
  statusCode: number;
  headersSent: boolean;
  once(event: string, listener: () => void): unknown;
}

/** What a middleware records. */
export interface LatencyOptions {
  /** Name of the series; `http_server_requests` by default. */
  name?: string | undefined;
  /**
   * The label `route`, asked after the response. Give it few values, never the path that was asked
   * for. By default that of the route which Express or Fastify matched.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the request of any framework
  route?: ((request: any) => string | undefined) | undefined;
  /** Finds the trace of a request, so that the slowest of an interval has an exemplar. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the request of any framework
  trace?: ((request: any) => { traceId?: string; spanId?: string } | undefined) | undefined;
}

/**
 * Middleware for Express, Connect and their like: `app.use(latencyMiddleware(client))`, before the
 * routes. For `node:http`, call it first in the listener.
 *
 * Records each request as `http_server_requests{method, route, status}`, from its call until the
 * response is sent. Status `499` is that of callers who left before an answer. A request that no
 * route matched has `unmatched`; above 200 routes further ones are `other`.
 */
export function latencyMiddleware(
  client: Client,
  options?: LatencyOptions,
): (request: HttpRequest, response: HttpResponse, next?: (error?: unknown) => void) => void;

/**
 * Plugin for Fastify 4.10 and newer: `await app.register(fastifyLatency, { client })`. Records what
 * `latencyMiddleware` does.
 */
export function fastifyLatency(
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- Fastify is no dependency
  fastify: any,
  options: LatencyOptions & { client: Client },
): Promise<void>;
