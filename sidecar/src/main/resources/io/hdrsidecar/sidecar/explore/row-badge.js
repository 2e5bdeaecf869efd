// How a series stands, in the list: its service level, or that it is quiet, or has ended.

import { h } from './dom.js';
import { serverNow } from './api.js';
import { clockText, dateText, spanText } from './times.js';

const SLA = { violated: ['✕', 'violated', 0], unknown: ['?', 'unknown', 1], met: ['✓', 'met', 2] };

/** @param {string|null|undefined} state @returns {number|undefined} for ordering, the worst first; undefined without a rule */
export function slaRank(state) {
  return state ? SLA[state]?.[2] : undefined;
}

/** @param {import('./overview.js').Row} row @param {string} quiet what is shown of it, if nothing is recorded now */
export function badgeOf(row, quiet) {
  return row.ended
    ? endedBadge(row)
    : quiet !== '' && row.sla !== 'violated'
      ? quietBadge(row, quiet)
      : slaBadge(row.sla);
}

function endedBadge(row) {
  const last = Date.parse(row.lastSeen);
  return h(
    'span',
    {
      class: 'badge',
      'data-testid': 'ended',
      title: `It does not live any more; its last values are from ${dateText(last)} ${clockText(last)} or before`,
    },
    'ended',
  );
}

function quietBadge(row, quiet) {
  const silent = Math.max(0, serverNow() - Date.parse(row.last.end));
  const since = silent < 3600e3 ? Math.floor(silent / 60e3) * 60e3 : Math.floor(silent / 3600e3) * 3600e3;
  return h(
    'span',
    { class: 'badge quiet', 'data-testid': 'quiet', title: `No values now; shown is ${quiet}` },
    `quiet ${since === 0 ? '' : spanText(since)}`.trim(),
  );
}

function slaBadge(state) {
  if (state === null || state === undefined) {
    return h('span', { class: 'note' }, 'no rule');
  }
  const [icon, word] = SLA[state];
  return h('span', { class: `badge ${state}` }, h('span', { 'aria-hidden': 'true' }, icon), word);
}
