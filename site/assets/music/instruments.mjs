// What plays: three wave forms, a choir of three of them, a heartbeat, the wind.
import { createBus, lay, RATE } from './circle.mjs';

/** @param note MIDI number, 69 is the A of 440 Hz. @returns Hertz. */
export const hertz = (note) => 440 * 2 ** ((note - 69) / 12);

const TABLE_LENGTH = 4096;

/** One period of a wave with `partials` partials; each is weaker than the first by its number to the power of `roll`. */
function wave(roll, partials) {
  const table = new Float32Array(TABLE_LENGTH + 1);
  for (let partial = 1; partial <= partials; partial++)
    for (let at = 0; at <= TABLE_LENGTH; at++)
      table[at] += Math.sin((2 * Math.PI * partial * at) / TABLE_LENGTH) / partial ** roll;
  return table;
}

const DARK = wave(2.6, 6);
const WARM = wave(1.28, 30);
const PURE = wave(2.2, 4);

/** @param turn 0..1. */
function read(table, turn) {
  const place = turn * TABLE_LENGTH;
  const index = Math.floor(place);
  return table[index] + (table[index + 1] - table[index]) * (place - index);
}

/** A rounded rise and fall. @returns 0..1. */
function swell(time, duration, rise, fall) {
  if (time < rise) return 0.5 - 0.5 * Math.cos((Math.PI * time) / rise);
  if (time > duration - fall) return 0.5 - 0.5 * Math.cos((Math.PI * (duration - time)) / fall);
  return 1;
}

/**
 * One note of three voices, a little out of tune with each other and spread from left to right.
 * @param note.rise, note.fall Seconds. @param note.bright 0 dark … 1 warm. @param note.detune Cents between the voices.
 * @param note.vibrato Share of the frequency. @param note.spread How far the voices stand apart, 0..1.
 * @param note.breath Depth of a slow swell, 0..1. @param note.putter Depth of a tremor of 9 Hz, as of an engine far off.
 */
export function sing(bus, random, note) {
  const { at, duration, frequency, gain, pan = 0, rise = 4, fall = 5, bright = 0.4, detune = 5 } = note;
  const { vibrato = 0, spread = 0.45, breath = 0, putter = 0 } = note;
  for (const [index, side] of [-1, 0.13, 1].entries()) {
    let turn = random();
    const own = frequency * 2 ** ((side * detune) / 1200);
    const phase = random() * 2 * Math.PI;
    lay(bus, { at, duration, pan: pan + side * spread, gain }, (time) => {
      turn += (own * (1 + vibrato * Math.sin(phase + time * 4.4))) / RATE;
      turn -= Math.floor(turn);
      // Brightness and loudness go up and down by themselves: a pad that stands still is heard as a machine.
      const colour = bright * (0.55 + 0.45 * Math.sin(phase + time * 0.41 + index));
      const loud = 1 - breath * (0.5 + 0.5 * Math.sin(phase + time * 0.98 + index * 2.1));
      const tremor = 1 - putter * (0.5 + 0.5 * Math.sin(2 * Math.PI * 9.1 * time + phase));
      const value = read(DARK, turn) * (1 - colour) + read(WARM, turn) * colour;
      return value * loud * tremor * swell(time, duration, rise, fall);
    });
  }
}

/** The thud of a slow engine: a low note that begins a third higher and falls into place. @param frequency Hertz. */
export function thud(bus, { at, frequency, gain }) {
  let turn = 0;
  // Both sides get it whole, so the low end is in the middle.
  lay(bus, { at, duration: 0.7, gain: gain * Math.SQRT2 }, (time) => {
    turn += (frequency * (1 + 0.35 * Math.exp(-time * 40))) / RATE;
    turn -= Math.floor(turn);
    return read(DARK, turn) * Math.min(1, time / 0.018) * Math.exp(-time * 6.2);
  });
}

/** A short clear note. */
export function drop(bus, { at, frequency, gain, pan }) {
  let turn = 0;
  lay(bus, { at, duration: 0.55, gain, pan }, (time) => {
    turn += frequency / RATE;
    turn -= Math.floor(turn);
    return read(PURE, turn) * Math.min(1, time / 0.012) * Math.exp(-time * 8);
  });
}

/**
 * Wind: noise through a filter that wanders. Everything that moves it turns a whole number of times in the piece, and the
 * piece is gone through twice, so that the filter comes to its beginning as it left its end.
 */
export function wind(random, length) {
  const bus = createBus(length);
  for (const [side, out] of bus.entries()) {
    const noise = Float32Array.from({ length: out.length }, () => random() * 2 - 1);
    const wander = (share) =>
      Math.sin(2 * Math.PI * (share * 3 + side * 0.13)) * 0.5 +
      Math.sin(2 * Math.PI * (share * 7 + 0.3 + side * 0.21)) * 0.3 +
      Math.sin(2 * Math.PI * (share * 13 + 0.7)) * 0.2;
    let low = 0;
    let band = 0;
    for (let turn = 0; turn < 2; turn++)
      for (let at = 0; at < out.length; at++) {
        const gust = wander(at / out.length);
        const cutoff = 2 * Math.sin((Math.PI * 620 * 2 ** (gust * 1.1)) / RATE);
        low += cutoff * band;
        const high = noise[at] - low - 0.9 * band;
        band += cutoff * high;
        const loud = 0.45 + 0.55 * (gust * 0.5 + 0.5) ** 2;
        out[at] = (low * 0.045 + band * 0.03 + high * 0.0035 * (0.6 + 0.4 * gust)) * loud;
      }
  }
  return bus;
}
