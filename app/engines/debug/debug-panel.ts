import type { Engines } from '../engines.ts';

/** Frames a figure is the median of. */
const SAMPLE = 60;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Frame, scroll and state figures in a corner (R45). Loaded only where the DEBUG flag is set. */
export function showDebugPanel(engines: Engines): () => void {
  const panel = document.createElement('output');
  panel.dataset.debugPanel = '';
  panel.setAttribute('aria-hidden', 'true');
  document.body.append(panel);

  const frames: number[] = [];
  let last = performance.now();
  let request = 0;
  const tick = (now: number) => {
    frames.push(now - last);
    last = now;
    if (frames.length === SAMPLE) {
      panel.textContent = figures(engines, frames);
      frames.length = 0;
    }
    request = requestAnimationFrame(tick);
  };
  request = requestAnimationFrame(tick);
  return () => {
    cancelAnimationFrame(request);
    panel.remove();
  };
}

function figures({ stage }: Engines, frames: number[]): string {
  const limit = document.documentElement.scrollHeight - innerHeight;
  return [
    `frame ${median(frames).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(1)} ms`,
    `scroll ${Math.round(scrollY)} of ${limit} px`,
    `heroCanPlay ${stage.heroCanPlay()}`,
  ].join('\n');
}
