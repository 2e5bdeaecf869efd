// What is shown in place of data, and what to do then.

import { h } from './dom.js';
import { setToken } from './api.js';

const FIRST_VALUE = `try (HdrSidecarClient client = HdrSidecarClient.fromEnvironment()) {
  LatencyRecorder checkout =
      client.recorder("checkout", Labels.of("route", "/pay"));

  while (serving()) {
    long start = System.nanoTime();
    pay();
    checkout.record(System.nanoTime() - start);
  }
}`;

/** No series at all: how the first one comes here. */
export function noSeriesYet() {
  return h('section', { class: 'message', 'data-testid': 'empty-state' },
    h('h2', {}, 'No series yet'),
    h('p', {}, 'The sidecar is up, and nothing has been recorded. These lines in a service on this machine send it the first value; it is here a second later:'),
    h('pre', { tabindex: '0' }, h('code', {}, FIRST_VALUE)),
    h('p', {}, 'Or upload a histogram log:'),
    h('pre', { tabindex: '0' }, h('code', {}, `curl --data-binary @jHiccup.hlog '${location.origin}/api/v1/intervals?name=hiccup'`)),
    h('p', { class: 'note' }, 'This page looks again every few seconds.'));
}

/** @param {string} query @param {() => void} clear */
export function nothingFound(query, clear) {
  return h('section', { class: 'message', 'data-testid': 'empty-state' },
    h('h2', {}, 'No series matches'),
    h('p', {}, 'Nothing has all of ', h('code', {}, query), ' in its name or labels. Type part of a name or of a label’s value, or a selector such as ', h('code', {}, 'checkout{route=~"/pay.*"}'), '.'),
    h('button', { onclick: clear }, 'Show all series'));
}

/**
 * @param {string} title
 * @param {string} text what the API said, or what happened
 * @param {string} advice what to do
 * @param {...any} actions
 */
export function errorMessage(title, text, advice, ...actions) {
  return h('section', { class: 'message error', 'data-testid': 'error-state', role: 'alert' },
    h('h2', {}, title),
    h('p', {}, text),
    advice === '' ? null : h('p', { class: 'note' }, advice),
    actions);
}

/** @param {number} status of an ApiError @returns {string} what to do about it */
export function adviceFor(status) {
  switch (status) {
    case 0: return 'It is tried again by itself. If that goes on: is the sidecar running, and is this its address?';
    case 400: return 'The part of the address that is named above needs a change.';
    case 403: return 'The token that was given does not allow this.';
    case 404: return 'A series that has been silent for long ends and leaves the sidecar (series.idle-expiry). Go back to the list for those there are.';
    case 422: return 'Choose a shorter range, or raise the setting that is named above.';
    case 503: return 'The sidecar is busy or starting. Try again in a moment.';
    default: return 'If it happens again, the log of the sidecar says more.';
  }
}

/** @param {boolean} again whether a token was given and refused @param {() => void} done */
export function tokenForm(again, done) {
  const field = h('input', { type: 'password', name: 'token', id: 'token', autocomplete: 'current-password', required: true, size: '36', 'aria-describedby': 'token-help' });
  const send = (event) => {
    event.preventDefault();
    setToken(field.value.trim());
    done();
  };
  return h('section', { class: 'message', 'data-testid': 'token-form' },
    h('h2', {}, again ? 'This token is not accepted' : 'This sidecar asks for a token'),
    h('form', { onsubmit: send }, h('label', { for: 'token' }, 'Token'), field, h('button', { class: 'primary', type: 'submit' }, 'Continue')),
    h('p', { class: 'note', id: 'token-help' }, 'One of those in the file that http.token-file names. It is kept until this tab is closed, and sent to this sidecar only.'));
}
