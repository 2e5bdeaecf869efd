// What is shown in place of data, and what to do then.

import { h } from './dom.js';
import { setToken, tokenProblem } from './api.js';
import { rangeText } from './times.js';

const FIRST_VALUE = `try (HdrSidecarClient client = HdrSidecarClient.fromEnvironment()) {
  LatencyRecorder checkout =
      client.recorder("checkout", Labels.of("route", "/pay"));

  while (serving()) {
    long start = System.nanoTime();
    pay();
    checkout.record(System.nanoTime() - start);
  }
}`;

/**
 * No series at all, neither now nor in a past: how the first one comes here.
 *
 * @param {boolean} isNodeOfFleet
 */
export function noSeriesYet(isNodeOfFleet) {
  if (isNodeOfFleet) {
    return h(
      'section',
      { class: 'message', 'data-testid': 'empty-state' },
      h('h2', {}, 'No series yet'),
      h(
        'p',
        {},
        'The node is up, and there is no series in its partitions; other nodes may have some. Sidecars hand on to a gateway (upstream.address); what they have is here some seconds after that.',
      ),
      h('p', { class: 'note' }, 'This page looks again every few seconds.'),
    );
  }
  return h(
    'section',
    { class: 'message', 'data-testid': 'empty-state' },
    h('h2', {}, 'No series yet'),
    h(
      'p',
      {},
      'The sidecar is up; no series lives, and it keeps no past of any. These lines in a service on this machine send it the first value; it is here a second later:',
    ),
    h('pre', { tabindex: '0' }, h('code', {}, FIRST_VALUE)),
    h('p', {}, 'Or upload a histogram log:'),
    h(
      'pre',
      { tabindex: '0' },
      h('code', {}, `curl --data-binary @jHiccup.hlog '${location.origin}/api/v1/intervals?name=hiccup'`),
    ),
    h('p', { class: 'note' }, 'This page looks again every few seconds.'),
  );
}

/**
 * Nothing lives, but there is a past.
 *
 * @param {import('./extent.js').Extent} extent of the past
 * @param {() => void} show it
 */
export function onlyAPast(extent, show) {
  return h(
    'section',
    { class: 'message', 'data-testid': 'empty-state' },
    h('h2', {}, 'No series lives now'),
    h(
      'p',
      {},
      'Nothing has been recorded for a while: a series that is silent for long ends (series.idle-expiry). There is a past from ',
      h('strong', {}, rangeText(extent.start, extent.end)),
      ', with the series there were.',
    ),
    h('button', { class: 'primary', 'data-testid': 'show-past', onclick: show }, 'Show the past'),
    h('p', { class: 'note' }, 'This page looks every few seconds whether a series begins.'),
  );
}

/**
 * Nothing in a range of the past.
 *
 * @param {string} range in words
 * @param {() => void} showNow
 */
export function nothingThen(range, showNow) {
  return h(
    'section',
    { class: 'message', 'data-testid': 'empty-state' },
    h('h2', {}, 'No series in this time'),
    h('p', {}, `No series lives, and none is kept that had values ${range}. Choose another time above.`),
    h('button', { onclick: showNow }, 'Show the series of now'),
  );
}

/**
 * @param {{query: string, selector: boolean, past: boolean}} asked words or a selector, and whether of a past
 * @param {{clear: () => void, showPast: (() => void)|null, open: () => void}} actions showPast is null where there is no other past
 */
export function nothingFound({ query, selector, past }, { clear, showPast, open }) {
  const those = past ? 'Of the series of this time' : 'Of the series that live now';
  return h(
    'section',
    { class: 'message', 'data-testid': 'empty-state' },
    h('h2', {}, 'No series matches'),
    h(
      'p',
      {},
      selector
        ? [`${those}, none is matched by `, h('code', {}, query), '.']
        : [`${those}, none has all of `, h('code', {}, query), ' in its name or labels.'],
      ' Type part of a name or of a label’s value, or a selector such as ',
      h('code', {}, 'checkout{route=~"/pay.*"}'),
      '.',
    ),
    h(
      'p',
      {},
      showPast === null
        ? null
        : h('button', { class: 'primary', 'data-testid': 'show-past', onclick: showPast }, 'Look in the past, too'),
      ' ',
      selector ? h('button', { 'data-testid': 'open-typed', onclick: open }, 'Open this selector') : null,
      ' ',
      h('button', { onclick: clear }, 'Show all series'),
    ),
  );
}

/**
 * @param {string} title
 * @param {string} text what the API said, or what happened
 * @param {string} advice what to do
 * @param {...any} actions
 */
export function errorMessage(title, text, advice, ...actions) {
  return h(
    'section',
    { class: 'message error', 'data-testid': 'error-state', role: 'alert' },
    h('h2', {}, title),
    h('p', {}, text),
    advice === '' ? null : h('p', { class: 'note' }, advice),
    actions,
  );
}

/** @param {number} status of an ApiError @returns {string} what to do about it */
export function adviceFor(status) {
  switch (status) {
    case 0:
      return 'It is tried again by itself. If that goes on: is the sidecar running, and is this its address?';
    case 400:
      return 'The part of the address that is named above needs a change.';
    case 403:
      return 'The token that was given does not allow this.';
    case 404:
      return 'No series of this selector lives, and none is kept in the range asked for. Choose another range, or a past time in the list of all series: a series that is silent for long ends (series.idle-expiry) and is found there.';
    case 422:
      return 'Choose a shorter range, or raise the setting that is named above.';
    case 503:
      return 'The sidecar is busy or starting. Try again in a moment.';
    default:
      return 'If it happens again, the log of the sidecar says more.';
  }
}

/** @param {boolean} again whether a token was given and refused @param {() => void} done */
export function tokenForm(again, done) {
  const field = h('input', {
    type: 'password',
    name: 'token',
    id: 'token',
    autocomplete: 'current-password',
    required: true,
    size: '36',
    'aria-describedby': 'token-help',
  });
  const problem = h('p', { class: 'problem', role: 'alert', 'data-testid': 'token-problem' });
  const send = (event) => {
    event.preventDefault();
    const text = field.value.trim();
    const wrong = tokenProblem(text);
    field.setAttribute('aria-invalid', String(wrong !== ''));
    problem.textContent = wrong;
    if (wrong === '') {
      setToken(text);
      done();
    }
  };
  return h(
    'section',
    { class: 'message', 'data-testid': 'token-form' },
    h('h2', {}, again ? 'This token is not accepted' : 'This sidecar asks for a token'),
    h(
      'form',
      { onsubmit: send },
      h('label', { for: 'token' }, 'Token'),
      field,
      h('button', { class: 'primary', type: 'submit' }, 'Continue'),
    ),
    problem,
    h(
      'p',
      { class: 'note', id: 'token-help' },
      'One of those in the file that http.token-file names. It is kept until this tab is closed, and sent to this sidecar only.',
    ),
  );
}
