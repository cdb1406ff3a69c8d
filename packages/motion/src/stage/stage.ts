import { callSafely, createEmitter } from '@pillion/lib/browser/emitter.ts';

type PartState = 'waiting' | 'ready' | 'failed';

/** What one part of the hero says of itself; only its first word counts. */
interface StagePart {
  ready(): void;
  fail(): void;
}

/** The single owner of `heroCanPlay` (R40): everything that waits for the hero reads it here. */
export interface Stage {
  heroCanPlay(): boolean;
  /** Share of the parts that are ready, 0..1 (R9). */
  progress(): number;
  parts(): ReadonlyMap<string, PartState>;
  /** Called at every change. @returns Ends the subscription. */
  subscribe(listener: () => void): () => void;
  /** Runs `work` when the hero can play, at once if it can already. @returns Calls it off. */
  whenPlaying(work: () => void): () => void;
  /** Makes the stage wait for one more part. Once it is open, nothing waits any more. */
  register(name: string): StagePart;
  /** Called when every part that there is has registered: from here on the stage may open. @returns Stops the clock. */
  start(): () => void;
}

interface StageOptions {
  /** How long the hero may keep a visitor waiting, in milliseconds of visible time (R9: nobody is locked out). */
  deadlineMs?: number;
}

/**
 * Longer than a hero takes on a good phone, shorter than anybody's patience: our choice, no requirement names one. It has to
 * stay below `--longest-wait` in styles/tokens.css, by which the page opens where no script comes. There is no least time: the
 * loader goes as soon as the hero is ready.
 */
const DEADLINE_MS = 4_000;

/**
 * Counts what the hero needs and opens when all of it is ready, when one part fails, when the deadline passes, or at
 * once when nothing has registered. It opens once and for good. Building it touches nothing, so the server has one too.
 */
export function createStage({ deadlineMs = DEADLINE_MS }: StageOptions = {}): Stage {
  const parts = new Map<string, PartState>();
  const { subscribe, emit } = createEmitter();
  let isStarted = false;
  let isPlaying = false;

  const open = () => {
    if (isPlaying) return;
    isPlaying = true;
    emit();
  };
  const count = (wanted: PartState) => [...parts.values()].filter((state) => state === wanted).length;
  const settle = () => {
    if (isPlaying || !isStarted) return;
    // In a frame of its own: what has just become ready is painted once before the loader leaves it to be seen.
    if (count('failed') > 0 || count('waiting') === 0) requestAnimationFrame(open);
  };
  const report = (name: string, state: PartState) => {
    if (parts.get(name) !== 'waiting') return;
    parts.set(name, state);
    emit();
    settle();
  };

  return {
    heroCanPlay: () => isPlaying,
    progress: () => (parts.size === 0 ? 1 : count('ready') / parts.size),
    parts: () => parts,
    subscribe,
    whenPlaying(work) {
      if (isPlaying) {
        callSafely(work);
        return () => {};
      }
      const off = subscribe(() => {
        if (!isPlaying) return;
        off();
        work();
      });
      return off;
    },
    register(name) {
      parts.set(name, 'waiting');
      return { ready: () => report(name, 'ready'), fail: () => report(name, 'failed') };
    },
    start() {
      if (isStarted) return () => {};
      isStarted = true;
      if (parts.size === 0) {
        open();
        return () => {};
      }
      settle();
      return afterVisibleTime(deadlineMs, open);
    },
  };
}

/** Calls `work` after `ms` during which the tab could be seen. @returns Calls it off. */
function afterVisibleTime(ms: number, work: () => void): () => void {
  const watch = new AbortController();
  let left = ms;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since = 0;
  const run = () => {
    since = performance.now();
    timer = setTimeout(() => {
      watch.abort();
      work();
    }, left);
  };
  const pause = () => {
    clearTimeout(timer);
    timer = undefined;
    left -= performance.now() - since;
  };
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.hidden && timer !== undefined) pause();
      else if (!document.hidden && timer === undefined) run();
    },
    { signal: watch.signal },
  );
  if (!document.hidden) run();
  return () => {
    clearTimeout(timer);
    watch.abort();
  };
}
