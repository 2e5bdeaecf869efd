// Elements without a framework: h('button', {class: 'primary', onclick: f}, 'Open').

/**
 * @param {string} tag
 * @param {Object<string, any>} [properties] on... are listeners; true and false set or leave out an attribute
 * @param {...any} children elements, texts, lists of them; null and false are left out
 * @returns {any}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  apply(element, properties);
  append(element, children);
  return element;
}

/** As h, for SVG. */
export function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  apply(element, properties);
  append(element, children);
  return element;
}

/** Puts these in the place of all children. */
export function fill(element, ...children) {
  element.textContent = '';
  append(element, children);
  return element;
}

/**
 * As fill, for what is drawn again while somebody may be in it: the focus stays at the same place.
 */
export function refill(element, ...children) {
  const reachable = 'a[href], button, input, select, [tabindex]';
  const place = [...element.querySelectorAll(reachable)].indexOf(document.activeElement);
  fill(element, ...children);
  if (place >= 0) {
    element.querySelectorAll(reachable)[place]?.focus({ preventScroll: true });
  }
  return element;
}

/**
 * Draws once before a next frame, however often it is asked to until then, and rests three times as long as the
 * last drawing took: when a hundred answers come in, the page still has most of the time for who uses it.
 *
 * @param {() => void} draw
 * @returns {() => void}
 */
export function soon(draw) {
  let waiting = false;
  let restUntil = 0;
  const run = () => {
    waiting = false;
    const from = performance.now();
    draw();
    restUntil = performance.now() + 3 * (performance.now() - from);
  };
  return () => {
    if (!waiting) {
      waiting = true;
      setTimeout(() => requestAnimationFrame(run), Math.max(0, Math.min(1000, restUntil - performance.now())));
    }
  };
}

/** Sets text only where it differs, so that a screen reader is not told again and nothing is laid out again. */
export function say(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

function apply(element, properties) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (key.startsWith('on')) {
      element.addEventListener(key.slice(2), value);
    } else if (key === 'value' || key === 'checked') {
      element[key] = value;
    } else {
      element.setAttribute(key, value === true ? '' : String(value));
    }
  }
}

function append(element, children) {
  for (const child of children.flat(3)) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child);
    }
  }
}
