// Ticks of time: round in the zone of the page, as many as there is room for.

import { clockText, dateText, offsetAt } from './times.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DISTANCES = [1, 2, 5, 10, 15, 30]
  .map((n) => n * SECOND)
  .concat([1, 2, 5, 10, 15, 30].map((n) => n * MINUTE))
  .concat([1, 2, 3, 6, 12].map((n) => n * HOUR))
  .concat([1, 2, 5, 7, 14, 28, 56, 112, 365].map((n) => n * DAY));

/**
 * @param {number} start milliseconds since 1970
 * @param {number} end
 * @param {number} width pixels
 * @returns {{at: number, text: string}[]}
 */
export function timeTicks(start, end, width) {
  const most = Math.max(2, Math.floor(width / 84));
  const distance = DISTANCES.find((each) => (end - start) / each <= most) ?? DISTANCES[DISTANCES.length - 1];
  const ticks = [];
  for (let at = firstTick(start, distance); at <= end; at += distance) {
    ticks.push({ at, text: label(at, distance) });
  }
  return ticks;
}

/** The first multiple of the distance, counted from a midnight. */
function firstTick(start, distance) {
  const offset = offsetAt(start);
  return Math.ceil((start - offset) / distance) * distance + offset;
}

/** Midnight has the date, since that is what a reader lacks there. */
function label(at, distance) {
  const clock = clockText(at);
  if (distance >= DAY || clock === '00:00:00') {
    return dateText(at).slice(5);
  }
  return distance >= MINUTE ? clock.slice(0, 5) : clock;
}
