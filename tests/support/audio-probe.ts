import type { Locator, Page, Route } from '@playwright/test';

interface Probe {
  contexts: AudioContext[];
  sources: AudioBufferSourceNode[];
  gains: GainNode[];
  taps: AnalyserNode[];
  /** How often `start` was called on a source. */
  starts: number;
  /** Largest step between two samples that follow each other: with `steadyTrack`, the largest jump of the volume. */
  largestStep: number;
  /** Change of the volume per second, for every look at a fade. */
  slopes: number[];
  /** The last samples of what was played. */
  last(count: number): Float32Array;
}

type ProbedWindow = typeof globalThis & { probe: Probe };

/**
 * Counts every audio node that the page makes, and hangs an analyser beside the loudspeaker: the page's own word is not
 * asked for. Call it before the page is opened.
 */
export const probeAudio = (page: Pick<Page, 'addInitScript'>) =>
  page.addInitScript(() => {
    const samples = new Float32Array(32768);
    const last = (count: number) => {
      const tap = probe.taps.at(-1);
      if (!tap) return new Float32Array(count);
      tap.getFloatTimeDomainData(samples);
      return samples.slice(-count);
    };
    const probe: Probe = {
      contexts: [],
      sources: [],
      gains: [],
      taps: [],
      starts: 0,
      largestStep: 0,
      slopes: [],
      last,
    };
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
    /** Three times within the length of the analyser's window, so that nothing passes unseen. */
    const watch = (tap: AnalyserNode) =>
      setInterval(() => {
        const window = last(tap.fftSize);
        for (let at = 1; at < window.length; at++)
          probe.largestStep = Math.max(probe.largestStep, Math.abs((window[at] ?? 0) - (window[at - 1] ?? 0)));
        const moving = window.filter((sample) => sample > 0.001 && sample < 0.999);
        const way = (moving.at(-1) ?? 0) - (moving[0] ?? 0);
        // A window in which a fade is turned round, or that holds little of one, says nothing of how fast it is.
        const isStraight = moving.every((sample, at) => at === 0 || (sample - (moving[at - 1] ?? 0)) * way > 0);
        if (isStraight && moving.length > 4_000)
          probe.slopes.push((way / (moving.length - 1)) * tap.context.sampleRate);
      }, 200);
  });

const read = <T>(page: Page, what: (probe: Probe) => T): Promise<T> =>
  page.evaluate(`(${what})(globalThis.probe)`) as Promise<T>;

/** Root mean square of the last 2048 samples (46 ms); 0 is silence. */
export const loudness = (page: Page): Promise<number> =>
  read(page, ({ last }) => Math.sqrt(last(2048).reduce((sum, sample) => sum + sample ** 2, 0) / 2048));

/** The last sample. With `steadyTrack` it is the volume. */
export const level = (page: Page): Promise<number> => read(page, ({ last }) => last(1)[0] ?? 0);

/** Change of the volume per second in every look at a fade since it was last asked, with `steadyTrack`. */
export const slopes = (page: Page): Promise<number[]> => read(page, (probe) => probe.slopes.splice(0));

/** Clicks whenever the volume is on its way, so many times. */
export const clickMidway = (button: Locator, times: number): Promise<void> =>
  button.evaluate(async (button: HTMLButtonElement, times) => {
    const { last } = (globalThis as ProbedWindow).probe;
    for (let done = 0; done < times; done++) {
      for (let now = 0; now < 0.2 || now > 0.8; now = last(1)[0] ?? 0)
        await new Promise((resolve) => setTimeout(resolve, 10));
      button.click();
    }
  }, times);

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
