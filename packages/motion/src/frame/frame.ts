/** What happens within one frame, in this order: the page moves, what follows its place moves after it, the scene is drawn. */
const FRAME_ORDER = ['scroll', 'follow', 'draw'] as const;

export type FrameStep = (typeof FRAME_ORDER)[number];

/**
 * @param time Milliseconds on the clock of `performance.now()`, the same for all that runs in one frame.
 * @param delta Milliseconds since the last frame; one frame of 60 Hz where there was none.
 * @returns Whether it wants the next frame too.
 */
export type FrameWork = (time: number, delta: number) => boolean;

export interface FrameLoop {
  /** Runs `work` in every frame until it returns false. What runs already runs on. */
  play(step: FrameStep, work: FrameWork): void;
  stop(work: FrameWork): void;
}

/** The length a frame is taken for when nothing ran before it, in milliseconds. */
const FIRST_DELTA_MS = 1000 / 60;

/** After a stall (a hidden tab, a long task) movement goes on from where it was instead of leaping, in milliseconds. */
const LONGEST_DELTA_MS = 100;

/**
 * The page's one animation loop. It asks for frames only while something moves: a page at rest costs nothing.
 * Work that throws is reported and taken out; the rest goes on.
 */
export function createFrameLoop(): FrameLoop {
  const steps = new Map(FRAME_ORDER.map((step) => [step, new Set<FrameWork>()]));
  let isRunning = false;
  let last: number | null = null;

  const runOne = (works: Set<FrameWork>, work: FrameWork, time: number, delta: number) => {
    let wantsMore = false;
    try {
      wantsMore = work(time, delta);
    } catch (error) {
      reportError(error);
    }
    if (!wantsMore) works.delete(work);
  };

  const tick = (time: number) => {
    const delta = last === null ? FIRST_DELTA_MS : Math.min(time - last, LONGEST_DELTA_MS);
    last = time;
    for (const works of steps.values()) for (const work of works) runOne(works, work, time, delta);
    isRunning = [...steps.values()].some(({ size }) => size > 0);
    if (isRunning) requestAnimationFrame(tick);
    else last = null;
  };

  return {
    play(step, work) {
      steps.get(step)?.add(work);
      if (isRunning) return;
      isRunning = true;
      requestAnimationFrame(tick);
    },
    stop(work) {
      for (const works of steps.values()) works.delete(work);
    },
  };
}
