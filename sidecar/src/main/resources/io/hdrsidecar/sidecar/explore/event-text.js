// The text of server-sent events, cut into events: as the HTML standard has it, as far as the API uses it.

import { parseJson } from './json.js';

/** Takes text in whatever pieces it comes. */
export class EventText {
  #rest = '';

  /**
   * @param {string} text
   * @returns {{type: string, id: string, data: any}[]} events that are complete now; comments are left out
   */
  add(text) {
    this.#rest += text;
    const parts = this.#rest.split(/\r?\n\r?\n/);
    this.#rest = parts.pop() ?? '';
    return parts.map(parse).filter((event) => event !== null);
  }
}

function parse(block) {
  let type = 'message';
  let id = '';
  const data = [];
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon <= 0) {
      continue; // a comment, or nothing we know
    }
    const value = line.slice(colon + 1).replace(/^ /, '');
    switch (line.slice(0, colon)) {
      case 'event':
        type = value;
        break;
      case 'id':
        id = value;
        break;
      case 'data':
        data.push(value);
        break;
      default:
    }
  }
  return data.length === 0 ? null : { type, id, data: parseJson(data.join('\n')) };
}
