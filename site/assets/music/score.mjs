// "Last Light": 48 s that go round. Dusk in D dorian, a slow engine under it, a tune far off and one that answers it.
import { BEAT_S, createBus, createRandom, mixInto, PIECE_S, RATE } from './circle.mjs';
import { addDrop, addThud, addVoices, createWind, noteFrequency } from './instruments.mjs';
import { createReverb, masterBus } from './room.mjs';

const CHORD_S = 12;
/** MIDI notes, the bass first: Dm9, B♭maj9♯11, Fmaj9 over A, C6sus. */
const CHORDS = [
  [38, 50, 57, 60, 64, 65],
  [34, 50, 53, 57, 60, 64],
  [33, 48, 53, 57, 60, 67],
  [36, 48, 55, 57, 62, 65],
];

/** The tune: when it begins, in seconds; the note; how long, in seconds. */
const CALL = [
  [5, 76, 4],
  [9.5, 74, 5],
  [17, 72, 4.5],
  [21.2, 69, 6],
  [29.5, 72, 4],
  [33, 79, 6],
  [41, 74, 4],
  [44.6, 77, 5.5],
];

/** What answers it, lower and slower: from the fifth bar into the ninth, and once more, higher, over the last chord. */
const ANSWER = [
  [13.6, 62, 4.4],
  [17.2, 65, 3.4],
  [19.8, 64, 2.6],
  [21.6, 60, 4],
  [24.6, 57, 6],
  [38, 67, 4],
  [41.2, 69, 3.2],
  [43.6, 67, 2.6],
  [45.4, 65, 5.5],
];

const HIGH_NOTE = 62;

/** Chords that swell into one another; each note comes a little after the one below it. */
function createPads(random) {
  const bus = createBus();
  for (const [index, [, ...notes]] of CHORDS.entries())
    for (const [voice, note] of notes.entries())
      addVoices(bus, random, {
        at: index * CHORD_S - 2.5 + voice * 0.35,
        duration: 17,
        frequency: noteFrequency(note),
        gain: note > HIGH_NOTE ? 0.034 : 0.055,
        pan: (voice - 2) * 0.36,
        spread: 0.6,
        bright: note > HIGH_NOTE ? 0.42 : 0.72,
        detune: 4 + voice,
        rise: 4.6,
        fall: 6.2,
        breath: 0.34,
      });
  return bus;
}

/** The bass, and the engine far off that breathes in it. */
function createBasses(random) {
  const bus = createBus();
  for (const [index, [bass]] of CHORDS.entries()) {
    const at = index * CHORD_S - 1.7;
    addVoices(bus, random, {
      at,
      duration: 15.5,
      frequency: noteFrequency(bass),
      gain: 0.092,
      detune: 1.5,
      bright: 0.05,
      rise: 3,
      spread: 0.2,
    });
    addVoices(bus, random, {
      at,
      duration: 15.5,
      frequency: noteFrequency(bass + 12),
      gain: 0.017,
      detune: 7,
      bright: 0.5,
      rise: 6,
      fall: 7,
      putter: 0.6,
      breath: 0.7,
      spread: 0.8,
    });
  }
  return bus;
}

function createTunes(random) {
  const bus = createBus();
  for (const [index, [at, note, duration]] of CALL.entries())
    addVoices(bus, random, {
      at,
      duration,
      frequency: noteFrequency(note),
      gain: 0.03,
      pan: index % 2 ? 0.42 : -0.42,
      bright: 0.34,
      detune: 2.5,
      rise: 0.9,
      fall: duration - 1.2,
      vibrato: 0.0014,
    });
  for (const [index, [at, note, duration]] of ANSWER.entries())
    addVoices(bus, random, {
      at,
      duration,
      frequency: noteFrequency(note),
      gain: 0.027,
      pan: index % 2 ? -0.3 : 0.3,
      bright: 0.62,
      detune: 3.5,
      rise: 1.3,
      fall: duration - 1.6,
      vibrato: 0.0022,
      spread: 0.3,
    });
  return bus;
}

/** An engine's slow heartbeat on the beat, and after it a drop of the chord, now here, now there. */
function createPulse() {
  const bus = createBus();
  for (let beat = 0; beat < PIECE_S / BEAT_S; beat++) {
    const chord = CHORDS[Math.floor((beat * BEAT_S) / CHORD_S)];
    const bass = chord[0] < 36 ? chord[0] + 12 : chord[0];
    const weight = beat % 4 === 0 ? 1 : beat % 2 === 0 ? 0.62 : 0.4;
    addThud(bus, { at: beat * BEAT_S, frequency: noteFrequency(bass), gain: 0.16 * weight });
    const tide = 0.5 + 0.5 * Math.sin((2 * Math.PI * beat * BEAT_S) / PIECE_S - 1);
    addDrop(bus, {
      at: (beat + 0.5) * BEAT_S,
      frequency: noteFrequency(chord[2 + ((beat * 3) % 4)] + 12),
      gain: 0.022 * tide * (beat % 8 < 5 ? 1 : 0.35),
      pan: 0.75 * Math.sin(beat * 1.7),
    });
  }
  return bus;
}

/** The pads give way to each beat by a tenth. */
function duckToBeat(bus) {
  return bus.map((side) =>
    side.map((value, at) => value * (1 - 0.1 * Math.exp((-7 * ((at / RATE) % BEAT_S)) / BEAT_S))),
  );
}

/** @returns Left and right of the whole piece, before its loudness is set. */
export function composePiece() {
  const random = createRandom(20261120);
  const [pad, low, tune, beat, air] = [
    createPads(random),
    createBasses(random),
    createTunes(random),
    createPulse(),
    createWind(random),
  ];
  const room = createBus();
  for (const [bus, gain] of [
    [pad, 0.55],
    [low, 0.05],
    [tune, 1.6],
    [beat, 0.22],
    [air, 0.5],
  ])
    mixInto(room, bus, gain);
  const mix = createBus();
  const wet = createReverb(room, { size: 1.75, decay: 0.88, damp: 0.24, delay: 0.02 });
  for (const [bus, gain] of [
    [duckToBeat(pad), 0.9],
    [low, 1],
    [tune, 0.7],
    [beat, 1],
    [air, 1],
    [wet, 0.55],
  ])
    mixInto(mix, bus, gain);
  return masterBus(mix);
}
