import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventText } from '../event-text.js';

const TEXT =
  ': keep-alive\n\nevent: step\nid: 1767225600000\ndata: {"start":"2026-01-01T00:00:00Z","max":4611686018427387904}\n\n: keep-alive\n\nevent: error\ndata: {"error":"x"}\n\nevent: step\ndata: {"half":';
const EVENTS = [
  { type: 'step', id: '1767225600000', data: { start: '2026-01-01T00:00:00Z', max: 2n ** 62n } },
  { type: 'error', id: '', data: { error: 'x' } },
];

test('EventText gives the same events wherever the text is cut', () => {
  for (let cut = 0; cut <= TEXT.length; cut++) {
    const events = new EventText();
    assert.deepEqual([...events.add(TEXT.slice(0, cut)), ...events.add(TEXT.slice(cut))], EVENTS, `cut at ${cut}`);
  }
});

test('EventText keeps what is not complete for the next piece', () => {
  const events = new EventText();
  events.add(TEXT);
  assert.deepEqual(events.add(' 1}\n\n'), [{ type: 'step', id: '', data: { half: 1 } }]);
});
