// The tools above the charts: range, scale, unit, live.

import { serverNow } from './api.js';
import { h, say } from './dom.js';
import { spanOf } from './model.js';
import {
  DEFAULT_START,
  LIVE_START,
  PRESETS,
  clockText,
  dateText,
  isRelative,
  isoTime,
  parseTime,
  zoneText,
} from './times.js';
import { TIME_UNITS } from './units.js';

/** A range that ended so long ago does not go on. */
const OVER_MILLIS = 60_000;
const UNIT_NAMES = { auto: 'auto', ns: 'ns', us: 'µs', ms: 'ms', s: 's' };

/** The row of tools for the whole view. */
export class Toolbar {
  /** @param {import('./main.js').App} app @param {() => void} again asks everything anew */
  constructor(app, again) {
    this.app = app;
    this.presets = PRESETS.map(([name, start]) =>
      h('button', { 'data-start': start, onclick: () => app.change({ start, end: '', sel: null }) }, name),
    );
    this.start = this.#field('Start', 'view-start');
    this.end = this.#field('End', 'view-end');
    this.apply = h('button', { type: 'submit' }, 'Show');
    this.problem = h('span', { class: 'problem', role: 'alert' });
    this.zone = h('span', { class: 'note' });
    this.live = h(
      'button',
      { 'data-testid': 'live-toggle', title: 'Go on by itself, step by step', onclick: () => this.#toggleLive() },
      h('span', { class: 'dot', 'aria-hidden': 'true' }),
      'Live',
    );
    this.scale = h('button', {
      'data-testid': 'scale-toggle',
      onclick: () => app.change({ y: app.state.y === 'log' ? 'lin' : 'log' }, false),
    });
    this.unit = h(
      'select',
      {
        'data-testid': 'unit-select',
        'aria-label': 'Unit of times',
        onchange: () => app.change({ unit: this.unit.value }, false),
      },
      TIME_UNITS.map((unit) => h('option', { value: unit }, UNIT_NAMES[unit])),
    );
    const pan = (by) => () => this.#pan(by);
    this.element = h(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': 'Range and scale' },
      h('div', { class: 'segments', role: 'group', 'aria-label': 'Presets' }, this.presets),
      h(
        'div',
        { class: 'segments', role: 'group', 'aria-label': 'Move the range' },
        h('button', { 'aria-label': 'Half a range earlier', title: 'Half a range earlier', onclick: pan(-0.5) }, '‹'),
        h(
          'button',
          { 'aria-label': 'Twice as long a range', title: 'Twice as long a range', onclick: () => this.#widen() },
          '−',
        ),
        h('button', { 'aria-label': 'Half a range later', title: 'Half a range later', onclick: pan(0.5) }, '›'),
      ),
      h(
        'form',
        { class: 'span', onsubmit: (event) => this.#submit(event) },
        this.start,
        h('span', { 'aria-hidden': 'true' }, '–'),
        this.end,
        this.apply,
      ),
      this.zone,
      this.problem,
    );
    this.display = h(
      'div',
      { class: 'display', role: 'group', 'aria-label': 'Display' },
      this.live,
      h('button', { title: 'Ask again', 'data-testid': 'refresh', onclick: again }, '↻ Refresh'),
      this.scale,
      this.unit,
    );
  }

  /**
   * @param {import('./state.js').State} state
   * @param {import('./model.js').Range|null} range what start and end mean now
   * @param {string} problem what is wrong with them
   * @param {boolean} hasLive whether there is anything to come
   */
  update(state, range, problem, hasLive) {
    this.range = range;
    const { start, end } = hasLive ? firstTexts(state, range) : { start: state.start || '0', end: state.end };
    for (const preset of this.presets) {
      preset.setAttribute(
        'aria-pressed',
        String(preset.dataset.start === start && (state.end === '' || state.end === 'now')),
      );
    }
    this.#set(this.start, shown(start, range?.start));
    this.#set(this.end, shown(end, range?.end));
    say(this.problem, problem);
    say(this.zone, zoneText());
    this.start.setAttribute('aria-invalid', String(problem !== ''));
    this.live.hidden = !hasLive;
    this.live.setAttribute('aria-pressed', String(state.live));
    say(this.scale, state.y === 'log' ? 'Log' : 'Linear');
    this.scale.title = `Values are on a ${state.y === 'log' ? 'logarithmic' : 'linear'} axis; switch to the other`;
    this.unit.value = state.unit;
  }

  #field(label, testid) {
    return h('input', {
      'aria-label': label,
      'data-testid': testid,
      size: '19',
      spellcheck: 'false',
      autocomplete: 'off',
      title: `${label}: 2026-01-31 03:00, -15m for fifteen minutes ago, or now`,
    });
  }

  /** Not under the hands of somebody who is typing. */
  #set(field, text) {
    if (document.activeElement !== field) {
      field.value = text;
    }
  }

  #submit(event) {
    event.preventDefault();
    const plain = (field) =>
      isRelative(field.value.trim()) || this.app.time(field.value) === null
        ? field.value.trim()
        : isoTime(/** @type {number} */ (this.app.time(field.value)));
    const end = plain(this.end);
    this.app.change({ start: plain(this.start), end: end === 'now' ? '' : end, sel: null, live: false });
  }

  #toggleLive() {
    const { state } = this.app;
    if (state.live) {
      this.app.change({ live: false }, false);
    } else {
      const length =
        this.range === null || this.range === undefined ? 900 : Math.round((this.range.end - this.range.start) / 1000);
      this.app.change({
        live: true,
        end: '',
        start: state.start === '' || isRelative(state.start) ? state.start : `-${Math.min(length, 3600)}s`,
      });
    }
  }

  #pan(by) {
    if (this.range) {
      const distance = Math.round(((this.range.end - this.range.start) * by) / 1000) * 1000;
      this.app.change({
        ...spanOf({ start: this.range.start + distance, end: this.range.end + distance }),
        sel: null,
        live: false,
      });
    }
  }

  #widen() {
    if (this.range) {
      const half = Math.ceil((this.range.end - this.range.start) / 2000) * 1000;
      this.app.change({
        ...spanOf({ start: this.range.start - half, end: this.range.end + half }),
        sel: null,
        live: false,
      });
    }
  }
}

/** What the ends of the range are called: without a wish the range may be shorter than usual, or over. */
function firstTexts(state, range) {
  if (state.start !== '' || state.end !== '' || range === null) {
    return { start: state.start || DEFAULT_START, end: state.end || 'now' };
  }
  const isOver = serverNow() - range.end > OVER_MILLIS;
  const usual = [DEFAULT_START, LIVE_START].find((text) => !isOver && parseTime(text, range.end) === range.start);
  return { start: usual ?? '', end: isOver ? '' : 'now' };
}

/** A time of the URL as it is to be read and typed: relative as it is, else in the zone of the page. */
function shown(text, millis) {
  return isRelative(text) || millis === undefined ? text : `${dateText(millis)} ${clockText(millis)}`;
}
