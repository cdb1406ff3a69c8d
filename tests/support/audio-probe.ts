import type { Page, Route } from '@playwright/test';

/** What reaches the loudspeaker, read from the browser's own audio graph. */
export interface Heard {
  /** Seconds on the context's clock at the end of `samples`. */
  time: number;
  /** Samples a second. */
  rate: number;
  /** The last of what was played, up to 32768 samples. */
  samples: number[];
}

interface Probe {
  contexts: AudioContext[];
  sources: AudioBufferSourceNode[];
  gains: GainNode[];
  taps: AnalyserNode[];
  /** How often `start` was called on a source. */
  starts: number;
  /** Largest step between two samples that follow each other. Meaningful with a steady tone of frequency 0. */
  largestStep: number;
}

type ProbedWindow = typeof globalThis & { probe: Probe };

/**
 * Counts every audio node that the page makes, and hangs an analyser beside the loudspeaker: the page's own word is not
 * asked for. Call it before the page is opened.
 */
export const probeAudio = (page: Pick<Page, 'addInitScript'>) =>
  page.addInitScript(() => {
    const probe: Probe = { contexts: [], sources: [], gains: [], taps: [], starts: 0, largestStep: 0 };
    Object.assign(globalThis, { probe });
    const { AudioContext: Context, AudioBufferSourceNode: Source, GainNode: Gain } = globalThis;
    globalThis.AudioContext = class extends Context {
      constructor(options?: AudioContextOptions) {
        super(options);
        probe.contexts.push(this);
      }
    };
    globalThis.AudioBufferSourceNode = class extends Source {
      constructor(context: BaseAudioContext, options?: AudioBufferSourceOptions) {
        super(context, options);
        probe.sources.push(this);
      }
    };
    globalThis.GainNode = class extends Gain {
      constructor(context: BaseAudioContext, options?: GainOptions) {
        super(context, options);
        probe.gains.push(this);
      }
    };
    const { createGain, createBufferSource } = BaseAudioContext.prototype;
    BaseAudioContext.prototype.createGain = function (...given) {
      const gain = createGain.apply(this, given);
      probe.gains.push(gain);
      return gain;
    };
    BaseAudioContext.prototype.createBufferSource = function (...given) {
      const source = createBufferSource.apply(this, given);
      probe.sources.push(source);
      return source;
    };
    const { start } = Source.prototype;
    Source.prototype.start = function (...given) {
      probe.starts += 1;
      start.apply(this, given);
    };
    const { connect } = AudioNode.prototype;
    AudioNode.prototype.connect = function (this: AudioNode, ...given: unknown[]) {
      if (given[0] instanceof AudioDestinationNode) {
        const tap = new AnalyserNode(this.context, { fftSize: 32768 });
        Reflect.apply(connect, this, [tap]);
        probe.taps.push(tap);
        watch(tap);
      }
      return Reflect.apply(connect, this, given);
    } as AudioNode['connect'];
    const watch = (tap: AnalyserNode) => {
      const samples = new Float32Array(tap.fftSize);
      // Three times within the length of the window: nothing passes unseen.
      setInterval(() => {
        tap.getFloatTimeDomainData(samples);
        // Before the first sound the window is filled with silence, which is no step.
        for (let at = 1; at < samples.length; at++)
          probe.largestStep = Math.max(probe.largestStep, Math.abs((samples[at] ?? 0) - (samples[at - 1] ?? 0)));
      }, 200);
    };
  });

const read = <T>(page: Page, what: (probe: Probe) => T): Promise<T> =>
  page.evaluate(`(${what})(globalThis.probe)`) as Promise<T>;

/** @returns The last of what was played; empty where nothing plays to a loudspeaker. */
export const heard = (page: Page): Promise<Heard> =>
  page.evaluate(() => {
    const { taps } = (globalThis as ProbedWindow).probe;
    const tap = taps.at(-1);
    if (!tap) return { time: 0, rate: 1, samples: [] };
    const samples = new Float32Array(tap.fftSize);
    tap.getFloatTimeDomainData(samples);
    return { time: tap.context.currentTime, rate: tap.context.sampleRate, samples: [...samples] };
  });

/** Root mean square of the last 2048 samples (46 ms); 0 is silence. */
export const loudness = async (page: Page): Promise<number> => {
  const samples = (await heard(page)).samples.slice(-2048);
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / Math.max(1, samples.length));
};

/** The last sample. With `steadyTrack` it is the volume. */
export const level = async (page: Page): Promise<number> => (await heard(page)).samples.at(-1) ?? 0;

export const largestStep = (page: Page) => read(page, (probe) => probe.largestStep);
export const contextState = (page: Page) => read(page, (probe) => probe.contexts.at(-1)?.state);
export const madeNodes = (page: Page) =>
  read(page, ({ contexts, sources, gains, starts }) => ({
    contexts: contexts.length,
    sources: sources.length,
    gains: gains.length,
    starts,
  }));
export const loopOf = (page: Page) =>
  read(page, ({ sources }) => {
    const source = sources.at(-1);
    return source && { isLoop: source.loop, start: source.loopStart, end: source.loopEnd };
  });

/**
 * A track of nothing but ones: what reaches the loudspeaker then is the volume itself, sample by sample, in browsers too
 * whose `gain.value` does not follow a fade.
 */
export function steadyTrack(seconds = 4, rate = 44_100): Buffer {
  const samples = seconds * rate;
  const file = Buffer.alloc(44 + samples * 4);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + samples * 4, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  // 32-bit float, one channel.
  file.writeUInt16LE(3, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 4, 28);
  file.writeUInt16LE(4, 32);
  file.writeUInt16LE(32, 34);
  file.write('data', 36);
  file.writeUInt32LE(samples * 4, 40);
  for (let at = 0; at < samples; at++) file.writeFloatLE(1, 44 + at * 4);
  return file;
}

/** Address of the demo's music. */
export const TRACK = '**/media/last-light.mp3';

export const answerSteady = (route: Route) => route.fulfill({ contentType: 'audio/wav', body: steadyTrack() });
