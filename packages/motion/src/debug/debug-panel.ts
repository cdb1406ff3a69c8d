import type { Engines } from '../engines.ts';

/** Frames a figure is the median of; the panel is written anew as often. */
const SAMPLE = 30;

/** Long frames kept in view. */
const LONG_FRAME_COUNT = 4;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The part of the Long Animation Frames API that we use; TypeScript's DOM library does not describe it yet. */
interface LongFrame extends PerformanceEntry {
  readonly blockingDuration: number;
  readonly scripts: readonly { invoker: string; sourceURL: string; duration: number }[];
}

/**
 * What the page is doing, in a corner (R45): frame times, long frames and whose they are, where the page is scrolled to,
 * what the stage waits for, what the sound does. Loaded only where the DEBUG flag is set. It watches every frame itself,
 * so it is no measure of a page at rest.
 * @returns Takes the panel away.
 */
export function showDebugPanel(engines: Engines): () => void {
  const panel = document.createElement('output');
  panel.dataset.debugPanel = '';
  panel.setAttribute('aria-hidden', 'true');
  // Set from here: nobody without the flag has a byte of its looks either.
  panel.style.cssText =
    'position:fixed;inset:auto auto 0 0;z-index:99;padding:8px 12px;background:#000c;color:#fff;font:12px/1.5 monospace;white-space:pre-wrap;pointer-events:none';
  document.body.append(panel);

  const longFrames: string[] = [];
  const observer = watchLongFrames((line) => {
    longFrames.unshift(line);
    longFrames.length = Math.min(longFrames.length, LONG_FRAME_COUNT);
  });
  const frames: number[] = [];
  const write = () => {
    panel.textContent = [...figures(engines, frames), ...longFrames].join('\n');
  };
  let last = performance.now();
  // The loop's own delta is cut after a stall, and stalls are what is looked for here.
  const watch = (time: number) => {
    frames.push(time - last);
    last = time;
    if (frames.length === SAMPLE) {
      write();
      frames.length = 0;
    }
    return true;
  };
  engines.frame.play('draw', watch);
  return () => {
    engines.frame.stop(watch);
    observer?.disconnect();
    panel.remove();
  };
}

function figures({ scroll, stage, mixer }: Engines, frames: number[]): string[] {
  const { scroll: top, limit, progress, direction, velocity } = scroll.state();
  const parts = [...stage.parts()].map(([name, state]) => `${name} ${state}`);
  const sound = Object.entries(mixer.state()).map(([name, value]) => `${name} ${value}`);
  return [
    `frame ${median(frames).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(1)} ms`,
    `scroll ${Math.round(top)} of ${Math.round(limit)} px, progress ${progress.toFixed(3)}, direction ${direction}, velocity ${velocity.toFixed(1)}`,
    `heroCanPlay ${stage.heroCanPlay()}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`,
    `sound ${sound.join(', ')}`,
  ];
}

/** @returns `null` where the browser does not tell of long animation frames. */
function watchLongFrames(report: (line: string) => void): PerformanceObserver | null {
  if (!PerformanceObserver.supportedEntryTypes.includes('long-animation-frame')) return null;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LongFrame[]) report(inWords(entry));
  });
  observer.observe({ type: 'long-animation-frame', buffered: true });
  return observer;
}

function inWords({ startTime, duration, blockingDuration, scripts }: LongFrame): string {
  const longest = [...scripts].sort((a, b) => b.duration - a.duration)[0];
  const file = longest?.sourceURL.split('/').pop();
  const whose = longest ? `${file} ${longest.invoker} ${Math.round(longest.duration)} ms` : 'no script';
  return `long frame at ${Math.round(startTime)}: ${Math.round(duration)} ms, blocking ${Math.round(blockingDuration)} ms, ${whose}`;
}
