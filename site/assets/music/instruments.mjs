// The instruments: three wave forms, a choir of three voices, an engine's thud, a drop, the wind.
import { addSound, createBus, RATE } from './circle.mjs';

/** @param note MIDI number, 69 is the A of 440 Hz. @returns Hertz. */
export const noteFrequency = (note) => 440 * 2 ** ((note - 69) / 12);

const TABLE_LENGTH = 4096;

/** One period of a wave. The amplitude of each partial is its number to the power of `-rolloff`. */
function createWaveTable(rolloff, partials) {
  const table = new Float32Array(TABLE_LENGTH + 1);
  for (let partial = 1; partial <= partials; partial++)
    for (let at = 0; at <= TABLE_LENGTH; at++)
      table[at] += Math.sin((2 * Math.PI * partial * at) / TABLE_LENGTH) / partial ** rolloff;
  return table;
}

const DARK = createWaveTable(2.6, 6);
const WARM = createWaveTable(1.28, 30);
const PURE = createWaveTable(2.2, 4);

/** @param turn 0..1. */
function readTable(table, turn) {
  const position = turn * TABLE_LENGTH;
  const index = Math.floor(position);
  return table[index] + (table[index + 1] - table[index]) * (position - index);
}

/** A rounded rise and fall. @returns 0..1. */
function envelope(time, duration, rise, fall) {
  if (time < rise) return 0.5 - 0.5 * Math.cos((Math.PI * time) / rise);
  if (time > duration - fall) return 0.5 - 0.5 * Math.cos((Math.PI * (duration - time)) / fall);
  return 1;
}

/**
 * Adds a note of three voices, slightly detuned and spread from left to right.
 * @param note.rise, note.fall Seconds. @param note.bright 0 dark … 1 warm. @param note.detune Cents between the voices.
 * @param note.vibrato Share of the frequency. @param note.spread Distance between the voices, 0..1.
 * @param note.breath Depth of a slow swell, 0..1. @param note.putter Depth of a tremor of 9 Hz, as of a distant engine.
 */
export function addVoices(bus, random, note) {
  const { at, duration, frequency, gain, pan = 0, rise = 4, fall = 5, bright = 0.4, detune = 5 } = note;
  const { vibrato = 0, spread = 0.45, breath = 0, putter = 0 } = note;
  for (const [index, side] of [-1, 0.13, 1].entries()) {
    let turn = random();
    const voiceFrequency = frequency * 2 ** ((side * detune) / 1200);
    const phase = random() * 2 * Math.PI;
    addSound(bus, { at, duration, pan: pan + side * spread, gain }, (time) => {
      turn += (voiceFrequency * (1 + vibrato * Math.sin(phase + time * 4.4))) / RATE;
      turn -= Math.floor(turn);
      // Brightness and loudness vary slowly: a constant pad sounds artificial.
      const colour = bright * (0.55 + 0.45 * Math.sin(phase + time * 0.41 + index));
      const loudness = 1 - breath * (0.5 + 0.5 * Math.sin(phase + time * 0.98 + index * 2.1));
      const tremor = 1 - putter * (0.5 + 0.5 * Math.sin(2 * Math.PI * 9.1 * time + phase));
      const value = readTable(DARK, turn) * (1 - colour) + readTable(WARM, turn) * colour;
      return value * loudness * tremor * envelope(time, duration, rise, fall);
    });
  }
}

/** The thud of a slow engine: a low note that begins a third higher and falls. @param frequency Hertz. */
export function addThud(bus, { at, frequency, gain }) {
  let turn = 0;
  // Both channels get it at full volume, so that low notes are in the middle.
  addSound(bus, { at, duration: 0.7, gain: gain * Math.SQRT2 }, (time) => {
    turn += (frequency * (1 + 0.35 * Math.exp(-time * 40))) / RATE;
    turn -= Math.floor(turn);
    return readTable(DARK, turn) * Math.min(1, time / 0.018) * Math.exp(-time * 6.2);
  });
}

/** A short clear note. */
export function addDrop(bus, { at, frequency, gain, pan }) {
  let turn = 0;
  addSound(bus, { at, duration: 0.55, gain, pan }, (time) => {
    turn += frequency / RATE;
    turn -= Math.floor(turn);
    return readTable(PURE, turn) * Math.min(1, time / 0.012) * Math.exp(-time * 8);
  });
}

/**
 * Wind: noise through a filter that changes. Its changes have whole periods in the piece, and the piece is processed
 * twice, so that the filter has the same state at the beginning and at the end.
 */
export function createWind(random, length) {
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
        const loudness = 0.45 + 0.55 * (gust * 0.5 + 0.5) ** 2;
        out[at] = (low * 0.045 + band * 0.03 + high * 0.0035 * (0.6 + 0.4 * gust)) * loudness;
      }
  }
  return bus;
}
