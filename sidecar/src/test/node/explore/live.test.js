import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.sessionStorage = /** @type {any} */ ({ getItem: () => null, setItem: () => undefined });
globalThis.document = /** @type {any} */ ({ hidden: false, addEventListener: () => undefined });
const { LiveFeed, passes } = await import('../live.js');
const { ApiError } = await import('../api.js');

const step = (id) => `id: ${id}\nevent: step\ndata: {"start":"2026-01-01T00:00:0${id}Z"}\n\n`;
const refused = (status) => new Response(JSON.stringify({ error: `refused ${status}` }), { status });

/** Answers one after the other; the last again and again. Resolves when it is over, with what came. */
function follow(answers, until) {
  const asked = [];
  const steps = [];
  const failures = [];
  return new Promise((resolve) => {
    const over = () => {
      if (until({ asked, steps, failures })) {
        feed.want(null);
        resolve({ asked, steps, failures });
      }
    };
    globalThis.fetch = /** @type {any} */ (
      async (address, { headers }) => {
        asked.push(new Headers(headers).get('Last-Event-ID'));
        const answer = answers[Math.min(asked.length, answers.length) - 1];
        setTimeout(over, 1);
        return answer();
      }
    );
    const feed = new LiveFeed(
      (selector, data) => {
        steps.push(data.start);
        over();
      },
      (failure) => {
        failures.push(failure);
        over();
      },
      [1],
    );
    feed.want({ selectors: ['calls'], step: '1s', percentiles: '99' });
  });
}

test('follow after a restart goes on where it broke off, though there is no such series for a while', async () => {
  const { asked, steps, failures } = await follow(
    [
      () => new Response(step(1)),
      () => refused(503),
      () => refused(404),
      () => refused(404),
      () => new Response(step(2)),
    ],
    ({ steps: seen }) => seen.length === 2,
  );
  assert.deepEqual(steps, ['2026-01-01T00:00:01Z', '2026-01-01T00:00:02Z']);
  assert.deepEqual(asked, [null, '1', '1', '1', '1']);
  assert.deepEqual(failures, []);
});

test('follow of what never was there, or is not allowed, gives up and says so', async () => {
  for (const status of [404, 400, 403]) {
    const { asked, failures } = await follow([() => refused(status)], ({ failures: seen }) => seen.length > 0);
    assert.equal(asked.length, 1);
    assert.equal(failures[0].status, status);
  }
});

test('follow of a stream that breaks off within is taken up again', async () => {
  let pulls = 0;
  const broken = () =>
    new Response(
      new ReadableStream({
        pull: (controller) =>
          pulls++ === 0
            ? controller.enqueue(new TextEncoder().encode(step(1)))
            : controller.error(new TypeError('terminated')),
      }),
    );
  const { steps, failures } = await follow(
    [broken, () => new Response(step(2))],
    ({ steps: seen }) => seen.length === 2,
  );
  assert.equal(steps.length, 2);
  assert.deepEqual(failures, []);
});

test('follow of text that is not what it should be tells it as a mistake, once', async () => {
  const { asked, failures } = await follow(
    [() => new Response('id: 1\nevent: step\ndata: {"start"\n\n')],
    ({ failures: seen }) => seen.length > 0,
  );
  assert.equal(asked.length, 1);
  assert.ok(!(failures[0] instanceof ApiError));
});

test('passes by itself: silence, being busy, and being away after having been there', () => {
  assert.ok(passes(new ApiError(0, ''), false));
  assert.ok(passes(new ApiError(503, ''), false));
  assert.ok(passes(new ApiError(404, ''), true));
  assert.ok(!passes(new ApiError(404, ''), false));
  assert.ok(!passes(new ApiError(422, ''), true));
  assert.ok(!passes(new TypeError(''), true));
});
