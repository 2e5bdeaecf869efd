// The selected stretch of time, on all charts over time at once: dragged with mouse or finger, moved with arrow
// keys. Only whole seconds, as intervals are.

import { h } from './dom.js';

const SECOND = 1000;
const DRAG_PIXELS = 4;

/** One for all charts with the same time axis. */
export class TimeSelection {
  /** @type {{u: any, box: HTMLElement}[]} */
  #layers = [];
  /** @type {import('./model.js').Range|null} */
  #shown = null;
  /** @type {import('./model.js').Range} */
  #range = { start: 0, end: 1 };
  /** @type {import('./model.js').Range|null} what is being dragged, whatever is shown anew meanwhile */
  #dragged = null;
  #step = SECOND;

  /** @param {(range: import('./model.js').Range|null, done: boolean) => void} onchange done: by one gesture, else by one of many key presses */
  constructor(onchange) {
    this.onchange = onchange;
  }

  /** @param {any} u a chart that was made, or made anew */
  attach(u) {
    this.#layers = this.#layers.filter((layer) => layer.u.root.isConnected && layer.u !== u);
    const box = h('div', { class: 'selection', hidden: true });
    u.over.append(box);
    u.over.classList.add('draggable');
    this.#layers.push({ u, box });
    u.over.addEventListener('pointerdown', (event) => this.#press(u, event));
    this.#draw();
  }

  /**
   * @param {import('./model.js').Range|null} selected
   * @param {import('./model.js').Range} range of the axis
   * @param {number} step of the charts, which an arrow key moves by
   */
  show(selected, range, step) {
    this.#shown = selected;
    this.#range = range;
    this.#step = step;
    this.#draw();
  }

  /** @param {KeyboardEvent} event on a chart */
  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Escape' && this.#shown !== null) {
      event.preventDefault();
      this.onchange(null, true);
    } else if (by !== undefined && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.#move(by * this.#step, event.shiftKey);
    }
  }

  #move(by, endOnly) {
    if (this.#shown === null) {
      // Somewhere to begin: the last tenth.
      const length = Math.max(
        this.#step,
        Math.round((this.#range.end - this.#range.start) / 10 / this.#step) * this.#step,
      );
      this.onchange(this.#whole(this.#range.end - length, this.#range.end), false);
      return;
    }
    const { start, end } = this.#shown;
    const moved = endOnly ? this.#whole(start, Math.max(start + SECOND, end + by)) : this.#whole(start + by, end + by);
    if (endOnly || moved.end - moved.start === end - start) {
      this.onchange(moved, false);
    }
  }

  #press(u, event) {
    if (event.button !== 0) {
      return;
    }
    const { left, width } = u.over.getBoundingClientRect();
    const at = (x) => u.posToVal(Math.min(width, Math.max(0, x - left)), 'x');
    const from = event.clientX;
    const before = this.#shown;
    // The window hears the pointer to the end; a chart may be made anew in the middle of a drag.
    const listening = new AbortController();
    const on = (type, listener) =>
      window.addEventListener(
        type,
        (each) => {
          if (each.pointerId === event.pointerId) {
            listener(each);
          }
        },
        { signal: listening.signal },
      );
    on('pointermove', (moved) => {
      if (this.#dragged !== null || Math.abs(moved.clientX - from) >= DRAG_PIXELS) {
        this.#dragged = this.#whole(Math.min(at(from), at(moved.clientX)), Math.max(at(from), at(moved.clientX)));
        this.#draw();
      }
    });
    const finish = (cancelled) => {
      listening.abort();
      const range = this.#dragged;
      this.#dragged = null;
      if (cancelled) {
        this.#draw(); // the finger went on to scroll
      } else if (range !== null || before !== null) {
        this.#shown = range;
        this.onchange(range, true);
      }
    };
    on('pointerup', () => finish(false));
    on('pointercancel', () => finish(true));
    u.over.setPointerCapture(event.pointerId);
  }

  /** Whole seconds, at least one, within the axis. */
  #whole(start, end) {
    const least = Math.max(this.#range.start, Math.round(start / SECOND) * SECOND);
    const most = Math.min(this.#range.end, Math.round(end / SECOND) * SECOND);
    return most - least >= SECOND
      ? { start: least, end: most }
      : { start: Math.min(least, this.#range.end - SECOND), end: Math.min(least, this.#range.end - SECOND) + SECOND };
  }

  #draw() {
    const selected = this.#dragged ?? this.#shown;
    for (const { box } of this.#layers) {
      box.hidden = selected === null;
      if (selected !== null) {
        const left = this.#share(selected.start);
        box.style.left = `${left}%`;
        box.style.width = `${this.#share(selected.end) - left}%`;
      }
    }
  }

  /** In percent of the width, so that it holds when the width changes. */
  #share(time) {
    return Math.min(100, Math.max(0, ((time - this.#range.start) / (this.#range.end - this.#range.start)) * 100));
  }
}
