/** The steps of one frame, in this order: scroll the page, update what depends on its position, draw the scene. */
const FRAME_ORDER = ['scroll', 'follow', 'draw'] as const;

export type FrameStep = (typeof FRAME_ORDER)[number];

/**
 * @param time Milliseconds of `performance.now()`, the same for all work of a frame.
 * @param delta Milliseconds since the last frame; 1/60 s for the first frame.
 * @returns Whether to run again in the next frame.
 */
export type FrameWork = (time: number, delta: number) => boolean;

export interface FrameLoop {
  /** Runs `work` in every frame until it returns false. No effect if `work` is already running. */
  play(step: FrameStep, work: FrameWork): void;
  stop(work: FrameWork): void;
}

/** Delta of a frame that follows no other, in milliseconds. */
const FIRST_DELTA_MS = 1000 / 60;

/**
 * Upper limit of the delta, in milliseconds. After a stall (a hidden tab, a long task) movement continues without a
 * jump.
 */
const MAX_DELTA_MS = 100;

/**
 * The page's only animation loop. It requests frames only while something moves, so a page at rest costs nothing. If
 * work throws, the loop reports the error, removes that work and continues with the rest.
 */
export function createFrameLoop(): FrameLoop {
  const steps = new Map(FRAME_ORDER.map((step) => [step, new Set<FrameWork>()]));
  let isRunning = false;
  let lastTime: number | null = null;

  const runWork = (works: Set<FrameWork>, work: FrameWork, time: number, delta: number) => {
    let wantsMore = false;
    try {
      wantsMore = work(time, delta);
    } catch (error) {
      reportError(error);
    }
    if (!wantsMore) works.delete(work);
  };

  const tick = (time: number) => {
    const delta = lastTime === null ? FIRST_DELTA_MS : Math.min(time - lastTime, MAX_DELTA_MS);
    lastTime = time;
    for (const works of steps.values()) for (const work of works) runWork(works, work, time, delta);
    isRunning = [...steps.values()].some(({ size }) => size > 0);
    if (isRunning) requestAnimationFrame(tick);
    else lastTime = null;
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
