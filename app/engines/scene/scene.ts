import type { Engines } from '../engines.ts';
import { openContext } from './context.ts';
import { hourAt } from './hour.ts';
import { isGpuFit } from './probe.ts';
import { createRide, type Ride, TooSlow } from './ride.ts';

export type SceneEngines = Pick<Engines, 'frame' | 'stage' | 'scroll'>;

/** The hero's moving picture, one for the whole visit. */
export interface Scene {
  /** Resolves when its first frame is there, or the poster is to stay. Rejects when it broke. */
  ready: Promise<void>;
  /** Stands in `container` until what is returned is called; meanwhile it rests and keeps all it has computed. */
  show(container: HTMLElement): () => void;
}

/** The shorter side of a phone's screen stays below this, in CSS pixels. */
const PHONE_PX = 600;

/** Whoever asked for calm gets a still; with forced colours no picture is shown at all. */
const STILL = '(prefers-reduced-motion: reduce), (forced-colors: active)';
const POINTER = '(hover: hover) and (pointer: fine)';

/** The address `/?scene=force` draws the scene on any GPU, on a server that runs with `DEBUG=true`. */
const isForced = () =>
  document.documentElement.dataset.debug !== undefined && new URLSearchParams(location.search).get('scene') === 'force';

/** A GPU that has not answered by then had better not keep the visitor waiting, in milliseconds. */
const PROBE_MS = 250;

/**
 * Opens the scene, unless the poster is to stay.
 * @param onSlow Called when it takes long to find out which of the two: nobody should wait for it any more.
 * @returns null where this GPU keeps the poster: none, one that is drawn by the processor, or one too old.
 */
export async function openScene(engines: SceneEngines, onSlow: () => void): Promise<Scene | null> {
  const force = isForced();
  const slow = setTimeout(onSlow, PROBE_MS);
  const isFit = force || (await isGpuFit());
  clearTimeout(slow);
  const canvas = document.createElement('canvas');
  canvas.setAttribute('aria-hidden', 'true');
  const isSmall = Math.min(innerWidth, innerHeight) < PHONE_PX;
  const gl = isFit && openContext(canvas, force, isSmall);
  return gl ? createScene(engines, canvas, { gl, isSmall, force }) : null;
}

function createScene(
  { frame, stage, scroll }: SceneEngines,
  canvas: HTMLCanvasElement,
  { gl, isSmall, force }: { gl: WebGL2RenderingContext; isSmall: boolean; force: boolean },
): Scene {
  const still = matchMedia(STILL);
  /** What reveals the canvas and is in view. */
  const revealing = new Set<Element>();
  let isShown = false;
  let ride = start();

  function start(): Ride {
    const made = createRide(canvas, {
      gl,
      frame,
      isSmall,
      isPatient: force,
      onTooSlow: retire,
    });
    if (force) Object.assign(globalThis, { ride: made });
    return made;
  }
  /** The poster is seen again, for good. */
  function retire(): void {
    delete canvas.dataset.drawn;
    ride.dispose();
  }
  /** Time passes with the page, or in the section that is made for it. */
  const hour = () => {
    const passage = document.querySelector('[data-passage]');
    return passage ? hourAt(passage.getBoundingClientRect(), innerHeight) : scroll.state().progress;
  };
  const appear = async () => {
    await ride.ready;
    // Come late, it must not begin in the dark over a poster that is seen already.
    if (stage.heroCanPlay() || still.matches) ride.skipIntro();
    ride.setProgress(still.matches ? 0 : hour(), true);
    ride.resize();
    canvas.dataset.drawn = '';
    update();
  };
  const update = () => {
    const isMoving = isShown && revealing.size > 0 && !still.matches && stage.heroCanPlay();
    if (isMoving && canvas.dataset.drawn !== undefined) ride.play();
    else ride.pause();
  };
  const follow = () => {
    if (!still.matches) ride.setProgress(hour());
  };

  canvas.addEventListener('webglcontextlost', (event) => {
    // Else it is never given back.
    event.preventDefault();
    delete canvas.dataset.drawn;
    update();
  });
  canvas.addEventListener('webglcontextrestored', () => {
    ride = start();
    appear().catch(retire);
  });

  const ready = appear().catch((error: unknown) => {
    retire();
    if (error instanceof TooSlow) return;
    console.warn(error);
    throw error;
  });

  return {
    ready,
    show(container) {
      const watch = new AbortController();
      const { signal } = watch;
      isShown = true;
      container.append(canvas);
      follow();

      const sections = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) revealing.add(target);
          else revealing.delete(target);
        }
        update();
      });
      const revealers = document.querySelectorAll('[data-reveals-scene]');
      for (const element of [container.parentElement, ...revealers]) if (element) sections.observe(element);
      // Called at the beginning too, before the next paint.
      const size = new ResizeObserver(() => ride.resize());
      size.observe(container);
      const offs = [scroll.subscribe(follow), stage.whenPlaying(update)];
      still.addEventListener('change', update, { signal });
      if (matchMedia(POINTER).matches)
        addEventListener(
          'pointermove',
          ({ clientX, clientY }) => ride.setPointer((clientX / innerWidth) * 2 - 1, (clientY / innerHeight) * 2 - 1),
          { signal, passive: true },
        );

      return () => {
        isShown = false;
        watch.abort();
        sections.disconnect();
        size.disconnect();
        revealing.clear();
        for (const off of offs) off();
        update();
        canvas.remove();
      };
    },
  };
}
