// How a series stands, in the list: its service level, or that it has ended.

import { h } from './dom.js';
import { clockText, dateText } from './times.js';

const SLA = { violated: ['✕', 'violated', 0], unknown: ['?', 'unknown', 1], met: ['✓', 'met', 2] };

/** @param {string|null|undefined} state @returns {number|undefined} for ordering, the worst first; undefined without a rule */
export function slaRank(state) {
  return state ? SLA[state]?.[2] : undefined;
}

/** @param {import('./overview.js').Row} row */
export function badgeOf(row) {
  return row.ended ? endedBadge(row) : slaBadge(row.sla);
}

function endedBadge(row) {
  const last = Date.parse(row.lastSeen);
  return h('span', { class: 'badge', 'data-testid': 'ended', title: `It does not live any more; its last values are from ${dateText(last)} ${clockText(last)} or before` }, 'ended');
}

function slaBadge(state) {
  if (state === null || state === undefined) {
    return h('span', { class: 'note' }, 'no rule');
  }
  const [icon, word] = SLA[state];
  return h('span', { class: `badge ${state}` }, h('span', { 'aria-hidden': 'true' }, icon), word);
}
