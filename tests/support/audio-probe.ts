import type { Page, Route } from '@playwright/test';

/** One call that schedules a change of a volume. */
interface VolumeCall {
  method: 'setValueAtTime' | 'linearRampToValueAtTime' | 'cancelScheduledValues';
  args: number[];
}

interface Probe {
  contexts: AudioContext[];
  sources: AudioBufferSourceNode[];
  gains: GainNode[];
  /** An analyser for each node that is connected to an output. */
  taps: AnalyserNode[];
  /** Number of calls of `start` on a source. */
  starts: number;
  /** The changes that the page has scheduled for each volume, in order. */
  changes: VolumeCall[];
  /** The last samples of what was played. */
  last(count: number): Float32Array;
}

type ProbedWindow = typeof globalThis & { probe: Probe };

/**
 * Counts every audio node that the page makes, and connects an analyser to the output. It does not rely on values of the
 * page. Call it before the page is opened.
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
    const probe: Probe = { contexts: [], sources: [], gains: [], taps: [], starts: 0, changes: [], last };
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
    const { createGain } = BaseAudioContext.prototype;
    BaseAudioContext.prototype.createGain = function (...given) {
      const gain = createGain.apply(this, given);
      probe.gains.push(gain);
      return gain;
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
      }
      return Reflect.apply(connect, this, given);
    } as AudioNode['connect'];
    for (const method of ['setValueAtTime', 'linearRampToValueAtTime', 'cancelScheduledValues'] as const) {
      const schedule = AudioParam.prototype[method] as (...args: number[]) => AudioParam;
      AudioParam.prototype[method] = function (this: AudioParam, ...args: number[]) {
        probe.changes.push({ method, args });
        return schedule.apply(this, args);
      } as never;
    }
  });

const readProbe = <T>(page: Page, select: (probe: Probe) => T): Promise<T> =>
  page.evaluate(`(${select})(globalThis.probe)`) as Promise<T>;

/** Root mean square of the last 2048 samples (46 ms); 0 is silence. */
export const readLoudness = (page: Page): Promise<number> =>
  readProbe(page, ({ last }) => Math.sqrt(last(2048).reduce((sum, sample) => sum + sample ** 2, 0) / 2048));

/** The last sample. With `createSteadyTrack` it is the volume. */
export const readLevel = (page: Page): Promise<number> => readProbe(page, ({ last }) => last(1)[0] ?? 0);

/** The volume that the page has scheduled, as an idle audio thread plays it. */
interface Played {
  /** Change of the volume per second in each of its straight lines, rounded to a hundredth. */
  slopes: number[];
  /** Largest step between two samples. */
  largestStep: number;
  /** At its end. */
  level: number;
}

/**
 * Plays the volume changes that the page has scheduled again, offline and without a gap: a busy machine can play the
 * sound itself late or in pieces.
 */
export const replayVolume = (page: Page): Promise<Played> =>
  page.evaluate(async () => {
    const { changes, gains, taps } = (globalThis as ProbedWindow).probe;
    const [recorded, gainsMade, tapsMade] = [[...changes], gains.length, taps.length];
    const rate = 8_000;
    const seconds = Math.max(0, ...changes.map(({ args }) => args[1] ?? args[0] ?? 0)) + 0.1;
    const context = new OfflineAudioContext(1, Math.ceil(seconds * rate), rate);
    const source = new ConstantSourceNode(context);
    const gain = new GainNode(context, { gain: 0 });
    source.connect(gain).connect(context.destination);
    source.start();
    for (const { method, args } of recorded) Reflect.apply(gain.gain[method], gain.gain, args);
    // The probe has counted this node too, which is not the page's.
    [changes.length, gains.length, taps.length] = [recorded.length, gainsMade, tapsMade];
    const samples = (await context.startRendering()).getChannelData(0);
    const slopes: number[] = [];
    let largestStep = 0;
    const stepTo = (index: number) => (samples[index] ?? 0) - (samples[index - 1] ?? 0);
    const slopeAt = (index: number) => Math.round(stepTo(index) * rate * 100) / 100;
    for (let index = 1, lineLength = 0; index < samples.length; index++) {
      largestStep = Math.max(largestStep, Math.abs(stepTo(index)));
      const slope = slopeAt(index);
      // A line is a slope that lasts for a hundredth of a second.
      lineLength = slope !== 0 && slope === slopeAt(index - 1) ? lineLength + 1 : 0;
      if (lineLength === rate / 100) slopes.push(slope);
    }
    return { slopes, largestStep, level: samples.at(-1) ?? 0 };
  });

export const readContextState = (page: Page) => readProbe(page, (probe) => probe.contexts.at(-1)?.state);
export const countNodes = (page: Page) =>
  readProbe(page, ({ contexts, sources, gains, starts }) => ({
    contexts: contexts.length,
    sources: sources.length,
    gains: gains.length,
    starts,
  }));
export const readLoop = (page: Page) =>
  readProbe(page, ({ sources }) => {
    const source = sources.at(-1);
    return source && { isLoop: source.loop, start: source.loopStart, end: source.loopEnd };
  });

/**
 * A track with all samples 1: the output is then the volume itself, sample by sample, also in browsers with a
 * `gain.value` that does not follow a fade.
 */
export function createSteadyTrack(seconds = 4, rate = 44_100): Buffer {
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

/** Address of the fixture's music. */
export const TRACK = '**/media/music.mp3';

export const fulfillSteadyTrack = (route: Route) =>
  route.fulfill({ contentType: 'audio/wav', body: createSteadyTrack() });
