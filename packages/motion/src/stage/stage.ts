import { callSafely, createEmitter } from '@pillion/lib/browser/emitter.ts';

type PartState = 'waiting' | 'ready' | 'failed';

/** Reports the state of one part of the hero; only the first report counts. */
interface StagePart {
  ready(): void;
  fail(): void;
}

/** The single owner of `heroCanPlay` (R40): all code that waits for the hero reads it here. */
export interface Stage {
  heroCanPlay(): boolean;
  /** Share of the parts that are ready, 0..1 (R9). */
  progress(): number;
  parts(): ReadonlyMap<string, PartState>;
  /** The listener runs on every change. @returns A function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Runs `work` when the hero can play, or at once if it already can. @returns A function that cancels it. */
  whenPlaying(work: () => void): () => void;
  /** Makes the stage wait for one more part. No effect once the stage is open. */
  register(name: string): StagePart;
  /** Called after all parts have registered, to let the stage open. @returns A function that stops the deadline. */
  start(): () => void;
}

/**
 * Maximum wait for the hero, in milliseconds of visible time (R9: no visitor is locked out). Our choice, longer than a
 * hero takes on a good phone; no requirement gives a number. It must be less than `--longest-wait` in styles/tokens.css,
 * after which the page opens without script. There is no minimum: the loader leaves as soon as the hero is ready.
 */
const DEADLINE_MS = 4_000;

/**
 * Opens once, when all parts of the hero are ready, when one part fails, when the deadline passes, or at once if no
 * part is registered. Creating the stage has no side effects, so the server can do it too.
 */
export function createStage(): Stage {
  const parts = new Map<string, PartState>();
  const { subscribe, emit } = createEmitter();
  let isStarted = false;
  let isPlaying = false;

  const openStage = () => {
    if (isPlaying) return;
    isPlaying = true;
    emit();
  };
  const countParts = (counted: PartState) => [...parts.values()].filter((state) => state === counted).length;
  const openIfSettled = () => {
    if (isPlaying || !isStarted) return;
    // In a separate frame, so that the parts are painted once before the loader leaves.
    if (countParts('failed') > 0 || countParts('waiting') === 0) requestAnimationFrame(openStage);
  };
  const reportPart = (name: string, state: PartState) => {
    if (parts.get(name) !== 'waiting') return;
    parts.set(name, state);
    emit();
    openIfSettled();
  };

  return {
    heroCanPlay: () => isPlaying,
    progress: () => (parts.size === 0 ? 1 : countParts('ready') / parts.size),
    parts: () => parts,
    subscribe,
    whenPlaying(work) {
      if (isPlaying) {
        callSafely(work);
        return () => {};
      }
      const unsubscribe = subscribe(() => {
        if (!isPlaying) return;
        unsubscribe();
        work();
      });
      return unsubscribe;
    },
    register(name) {
      parts.set(name, 'waiting');
      return { ready: () => reportPart(name, 'ready'), fail: () => reportPart(name, 'failed') };
    },
    start() {
      if (isStarted) return () => {};
      isStarted = true;
      if (parts.size === 0) {
        openStage();
        return () => {};
      }
      openIfSettled();
      return afterVisibleTime(DEADLINE_MS, openStage);
    },
  };
}

/** Calls `work` after the tab was visible for `ms` milliseconds in total. @returns A function that cancels it. */
function afterVisibleTime(ms: number, work: () => void): () => void {
  const controller = new AbortController();
  let remainingMs = ms;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let startedAt = 0;
  const startTimer = () => {
    startedAt = performance.now();
    timer = setTimeout(() => {
      controller.abort();
      work();
    }, remainingMs);
  };
  const pauseTimer = () => {
    clearTimeout(timer);
    timer = undefined;
    remainingMs -= performance.now() - startedAt;
  };
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.hidden && timer !== undefined) pauseTimer();
      else if (!document.hidden && timer === undefined) startTimer();
    },
    { signal: controller.signal },
  );
  if (!document.hidden) startTimer();
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}
