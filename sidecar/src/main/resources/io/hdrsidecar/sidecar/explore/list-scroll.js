// Of a long list only the lines in sight are in the document.

const BEYOND = 8; // lines drawn above and below those in sight

/** Places lines, draws those in sight, and moves the focus among them. */
export class LinesInSight {
  /** @type {import('./list-lines.js').Line[]} */
  #lines = [];
  /** Where each line begins, in pixels, and behind them where the last ends. */
  #tops = [0];
  #elements = new Map();
  /** Which one the tabulator reaches. */
  current = 0;

  /**
   * @param {{element: HTMLElement, grid: HTMLElement, scroll: HTMLElement, space: HTMLElement}} parts of the list
   * @param {(line: import('./list-lines.js').Line, known: any) => HTMLElement} make fills the element of a line, or makes one
   */
  constructor(parts, make) {
    this.parts = parts;
    this.make = make;
    new ResizeObserver(() => this.draw()).observe(parts.scroll);
  }

  /** @param {import('./list-lines.js').Line[]} lines in place of those there were */
  show(lines) {
    this.#lines = lines;
    this.draw(true);
  }

  /** Puts the lines in sight into the document; those that are there already stay, with the focus they may have. */
  draw(anew = false) {
    const { scroll, space, grid } = this.parts;
    if (!this.#place()) {
      return; // not in the document
    }
    const first = Math.max(0, this.#lineAt(scroll.scrollTop) - BEYOND);
    const last = Math.min(this.#lines.length, this.#lineAt(scroll.scrollTop + scroll.clientHeight) + 1 + BEYOND);
    space.style.height = `${this.#tops[this.#lines.length]}px`;
    grid.setAttribute('aria-rowcount', String(this.#lines.length + 1));
    const wanted = new Map();
    for (let i = first; i < last; i++) {
      wanted.set(this.#lines[i].key, this.#element(i, anew));
    }
    for (const [key, element] of this.#elements) {
      if (!wanted.has(key)) {
        element.remove();
      }
    }
    this.#elements = wanted;
    for (const element of wanted.values()) {
      if (!element.isConnected) {
        space.append(element);
      }
    }
  }

  #element(i, anew) {
    const line = this.#lines[i];
    const known = this.#elements.get(line.key);
    const element = known !== undefined && !anew ? known : this.make(line, known);
    element.style.top = `${this.#tops[i]}px`;
    element.setAttribute('aria-rowindex', String(i + 2));
    element.tabIndex = i === this.current ? 0 : -1;
    element.dataset.index = String(i);
    return element;
  }

  /** @param {number} index of the line that gets the focus; the nearest there is */
  focus(index) {
    const { scroll } = this.parts;
    this.current = Math.max(0, Math.min(this.#lines.length - 1, index));
    const top = this.#tops[this.current];
    const bottom = this.#tops[this.current + 1];
    if (top < scroll.scrollTop) {
      scroll.scrollTop = top;
    } else if (bottom > scroll.scrollTop + scroll.clientHeight) {
      scroll.scrollTop = bottom - scroll.clientHeight;
    }
    this.draw();
    this.#elements.get(this.#lines[this.current]?.key)?.focus({ preventScroll: true });
  }

  /** Lines have one of three heights, which the style sheet has. @returns {boolean} whether it is there */
  #place() {
    const style = getComputedStyle(this.parts.element);
    const height = (name) => parseFloat(style.getPropertyValue(name));
    const heights = { group: height('--row-group'), single: height('--row'), member: height('--row-member') };
    this.#tops = [0];
    for (const line of this.#lines) {
      const kind = line.kind === 'group' ? 'group' : line.group === null ? 'single' : 'member';
      this.#tops.push(this.#tops[this.#tops.length - 1] + heights[kind]);
    }
    return heights.single > 0;
  }

  /** @param {number} top pixels @returns {number} index of the line there */
  #lineAt(top) {
    let [low, high] = [0, this.#lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      [low, high] = this.#tops[middle + 1] <= top ? [middle + 1, high] : [low, middle];
    }
    return low;
  }
}
