// What answers say is not quite as it was asked for, for the whole view: each thing once, and not here what stands
// beside the distribution already.

import { fill, h } from './dom.js';

const MOST = 6;
/** Which time the intervals cover, whole as they are, stands below the distribution in any case. */
const SAID_ANYWAY = /^intervals are up to .* and are not cut/;

/** @param {string[]} texts of an answer @returns {string[]} those that the page does not say by itself */
export function worthSaying(texts) {
  return texts.filter((text) => !SAID_ANYWAY.test(text));
}

/**
 * @param {Map<string, string[]>} bySource
 * @param {string} shownThere the source that shows its own
 * @returns {string[]} what the others say besides, each once
 */
export function otherWarnings(bySource, shownThere) {
  const there = new Set(bySource.get(shownThere) ?? []);
  const others = [...bySource].filter(([source]) => source !== shownThere).flatMap(([, texts]) => texts);
  return [...new Set(others)].filter((text) => !there.has(text)).slice(0, MOST);
}

/** Collects and shows them. */
export class ViewWarnings {
  #bySource = new Map();
  element = h('ul', { class: 'notes', 'data-testid': 'view-warnings', hidden: true });

  /** @param {string} shownThere the source that shows its own */
  constructor(shownThere) {
    this.shownThere = shownThere;
  }

  /** @param {string} source whose earlier ones these replace @param {string[]} texts */
  of(source, texts) {
    this.#bySource.set(source, worthSaying(texts));
    const shown = otherWarnings(this.#bySource, this.shownThere);
    const kind = shown.join('\n');
    if (this.element.dataset.kind !== kind) {
      this.element.dataset.kind = kind; // not drawn again, and not read out again, with every step
      this.element.hidden = shown.length === 0;
      fill(
        this.element,
        shown.map((text) => h('li', {}, text)),
      );
    }
  }
}
