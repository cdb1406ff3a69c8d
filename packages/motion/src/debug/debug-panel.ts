import type { Engines } from '../engines.ts';

/** The panel shows the median of this many frames, and updates as often. */
const SAMPLE_FRAMES = 30;

/** Number of long frames that the panel lists. */
const MAX_LONG_FRAMES = 4;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The part of the Long Animation Frames API that this file uses; TypeScript's DOM library does not describe it yet. */
interface LongFrame extends PerformanceEntry {
  readonly blockingDuration: number;
  readonly scripts: readonly { invoker: string; sourceURL: string; duration: number }[];
}

/**
 * Shows a debug panel in a corner (R45): frame times, long frames with their scripts, the scroll position, the state of
 * the stage and of the sound. Loaded only if the DEBUG flag is set. The panel runs in every frame, so it cannot measure
 * a page at rest.
 * @returns A function that removes the panel.
 */
export function showDebugPanel(engines: Engines): () => void {
  const panel = document.createElement('output');
  panel.dataset.debugPanel = '';
  panel.setAttribute('aria-hidden', 'true');
  // Inline, so that visitors without the flag do not download these styles.
  panel.style.cssText =
    'position:fixed;inset:auto auto 0 0;z-index:99;padding:8px 12px;background:#000c;color:#fff;font:12px/1.5 monospace;white-space:pre-wrap;pointer-events:none';
  document.body.append(panel);

  const longFrames: string[] = [];
  const observer = watchLongFrames((line) => {
    longFrames.unshift(line);
    longFrames.length = Math.min(longFrames.length, MAX_LONG_FRAMES);
  });
  const frames: number[] = [];
  const updatePanel = () => {
    panel.textContent = [...panelLines(engines, frames), ...longFrames].join('\n');
  };
  let last = performance.now();
  // The frame loop caps its delta after a stall. The panel measures the uncapped time, because it looks for stalls.
  const recordFrame = (time: number) => {
    frames.push(time - last);
    last = time;
    if (frames.length === SAMPLE_FRAMES) {
      updatePanel();
      frames.length = 0;
    }
    return true;
  };
  engines.frame.play('draw', recordFrame);
  return () => {
    engines.frame.stop(recordFrame);
    observer?.disconnect();
    panel.remove();
  };
}

function panelLines({ scroll, stage, mixer }: Engines, frames: number[]): string[] {
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

/** @returns `null` if the browser does not report long animation frames. */
function watchLongFrames(report: (line: string) => void): PerformanceObserver | null {
  if (!PerformanceObserver.supportedEntryTypes.includes('long-animation-frame')) return null;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LongFrame[]) report(describeLongFrame(entry));
  });
  observer.observe({ type: 'long-animation-frame', buffered: true });
  return observer;
}

function describeLongFrame({ startTime, duration, blockingDuration, scripts }: LongFrame): string {
  const longest = scripts.toSorted((a, b) => b.duration - a.duration)[0];
  const file = longest?.sourceURL.split('/').pop();
  const cause = longest ? `${file} ${longest.invoker} ${Math.round(longest.duration)} ms` : 'no script';
  return `long frame at ${Math.round(startTime)}: ${Math.round(duration)} ms, blocking ${Math.round(blockingDuration)} ms, ${cause}`;
}
