import assert from 'node:assert/strict';
import { test } from 'node:test';

const kept = new Map();
globalThis.sessionStorage = /** @type {any} */ ({
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => kept.set(key, value),
});
const { ApiError, ask, open, requireAlive, setToken, token, tokenProblem } = await import('../api.js');

test('tokenProblem of what a header cannot carry says which character, and where', () => {
  assert.equal(tokenProblem('s3cret-_.~+/='), '');
  assert.match(tokenProblem('abc–def'), /Character 4 is “–” \(U\+2013\)/);
  assert.match(tokenProblem('”abc'), /Character 1 .* \(U\+201D\)/);
  assert.match(tokenProblem('ab c'), /Character 3 is a space \(U\+0020\)/);
  assert.match(tokenProblem('é'), /U\+00E9/);
  assert.notEqual(tokenProblem(''), '');
});

test('token that cannot be sent, kept from before, is none', () => {
  kept.set('hdr-sidecar-token', 'abc–def');
  assert.equal(token(), null);
  setToken('good');
  assert.equal(token(), 'good');
});

test('requireAlive shows no token, and takes any answer below 500 as a sign of life', async () => {
  setToken('good');
  const calls = [];
  globalThis.fetch = /** @type {any} */ (
    async (address, options) => {
      calls.push([address, new Headers(options?.headers).get('Authorization')]);
      return new Response('', { status: calls.length === 1 ? 200 : 503 });
    }
  );
  await requireAlive();
  await assert.rejects(requireAlive(), ApiError);
  await open('api/v1/status').catch(() => undefined);
  assert.deepEqual(calls, [
    ['-/healthy', null],
    ['-/healthy', null],
    ['api/v1/status', 'Bearer good'],
  ]);
});

test('ask when the answer breaks off is told as silence, and an answer that is no JSON is not', async () => {
  const { signal } = new AbortController();
  globalThis.fetch = /** @type {any} */ (
    async () => new Response(new ReadableStream({ pull: (c) => c.error(new TypeError('terminated')) }))
  );
  await assert.rejects(ask('x', {}, signal), (failure) => failure instanceof ApiError && failure.status === 0);
  globalThis.fetch = /** @type {any} */ (async () => new Response('{'));
  await assert.rejects(ask('x', {}, signal), SyntaxError);
});

test('ask many questions, no more than three are under way, so that three streams have a connection each', async () => {
  let now = 0;
  let most = 0;
  globalThis.fetch = /** @type {any} */ (
    async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now--;
      return new Response('{"data":1}');
    }
  );
  const { signal } = new AbortController();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('x', {}, signal)));
  assert.equal(answers.length, 20);
  assert.equal(most, 3);
});
