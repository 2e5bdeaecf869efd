// In which zone times are shown and typed: local time or UTC, whatever was chosen last unless the URL says.

import { fill, h } from './dom.js';
import { localZoneText } from './times.js';

const KEY = 'hdr-sidecar-tz';

/**
 * @param {import('./state.js').State} state as a URL has it
 * @returns {import('./state.js').State} with the zone that was chosen last, if it names none
 */
export function withZone(state) {
  const chosen = localStorage.getItem(KEY);
  return state.zone === '' && (chosen === 'utc' || chosen === 'local') ? { ...state, zone: chosen } : state;
}

/** The control in the header. */
export class ZoneChoice {
  /** @param {import('./main.js').App} app */
  constructor(app) {
    this.element = h('select', {
      'data-testid': 'zone-select',
      'aria-label': 'Times are shown in',
      title: 'Times are shown and typed in this zone',
      onchange: () => {
        localStorage.setItem(KEY, this.element.value);
        app.change({ zone: this.element.value }, false);
      },
    });
    fill(
      this.element,
      h('option', { value: 'local' }, `Local (${localZoneText()})`),
      h('option', { value: 'utc' }, 'UTC'),
    );
  }

  /** @param {import('./state.js').State} state */
  update(state) {
    this.element.value = state.zone === 'utc' ? 'utc' : 'local';
  }
}
