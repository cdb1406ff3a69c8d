import type { FrameLoop, FrameWork } from '@pillion/motion/frame/frame.ts';
import { MAX_LAMPS } from '../sign-up-number/steps.ts';
import { bakeTextures, NOISE_UNIT } from './bakes.ts';
import { computeView } from './camera.ts';
import type { Convoy } from './convoy.ts';
import { createFrameBlock, type FrameValues } from './frame-block.ts';
import { assertLinked, createFence, type Gl, isCompiled } from './gl.ts';
import { createGovernor } from './governor.ts';
import type { Joining } from './joining.ts';
import { createLand } from './land.ts';
import { createLights } from './lights.ts';
import { createMovement, type JoiningAt, SPEED_M_PER_S } from './movement.ts';
import { createPoles } from './poles.ts';
import { compilePrograms, type Programs } from './programs.ts';
import { AT_REST, type Reaction } from './reaction.ts';
import { createRider } from './rider.ts';
import { createSky } from './sky.ts';

interface RideOptions {
  gl: Gl;
  frame: FrameLoop;
  /** Half the texture size and a coarser grid, for phones. */
  isSmall: boolean;
  /** Number of riders with a lamp on the pass, and whether the visitor is already one of them. */
  lamps: number;
  hasOwn: boolean;
  /** Continues even if the GPU is slow. */
  isPatient: boolean;
  /** Called once if the GPU is too slow to continue. */
  onTooSlow: () => void;
}

export interface Ride {
  /**
   * Resolves when the first frame is on the canvas. Rejects if the driver rejects a shader, if the context is lost, and
   * with `TooSlow` if the GPU is too slow.
   */
  ready: Promise<void>;
  /** Continues the ride, with the opening at the first call unless it was skipped. */
  play(): void;
  pause(): void;
  skipIntro(): void;
  /** @param progress The page's scroll progress, 0..1. @param isAtOnce Without easing. */
  setProgress(progress: number, isAtOnce?: boolean): void;
  /** @param x -1..1 to the right. @param y -1..1 down. */
  setPointer(x: number, y: number): void;
  /** The page has moved. @param windows Distance in window heights, in either direction. */
  moved(windows: number): void;
  /** The current reaction to the visitor's input. */
  reaction(): Reaction;
  /** The visitor's light joins the others. */
  join(joiningAt: JoiningAt): void;
  /** Ends the joining sequence: the visitor's light is in its place. */
  settle(): void;
  /** Reads the canvas' size and the screen's pixel ratio again, and draws a frame without advancing time. */
  resize(): void;
  /** Frees the GPU's resources. The canvas cannot be used afterwards. */
  dispose(): void;
  /** Draws one frame of a moment, for stills and tests. @param seconds Time in the ride. @param intro 0..1. */
  renderAt(seconds: number, intro: number): void;
  /** Draws one frame at any size, with the same pixels each time. Read it in the same task. */
  still(still: Still): void;
}

export interface Still {
  /** In canvas pixels. */
  width: number;
  height: number;
  seconds: number;
  progress: number;
  /** Metres ridden. Default: the distance ridden in `seconds`. */
  travel?: number;
  /** Whether the rider is on the road. */
  rider?: boolean;
  /** Number of lamps on the pass. Default: all. */
  lamps?: number;
  /** The visitor's own light, and how far the view has risen for it. */
  own?: Pick<Joining, 'lift' | 'climbed' | 'flare'>;
  /** Default: at rest. */
  reaction?: Reaction;
}

export class TooSlow extends Error {}

/** Limits of canvas pixels per CSS pixel. */
const MIN_RATIO = 0.7;
const MAX_RATIO = 1.75;

/** Changes with the browser's zoom, and on another screen. */
const currentMaxRatio = () => Math.min(devicePixelRatio, MAX_RATIO);

/**
 * Total time for the textures after which the GPU counts as too slow, in milliseconds. A weak phone needs a quarter.
 */
const MAX_BAKE_MS = 900;

/** Draws the ride on a canvas. Draws nothing and requests no frame until it is started. */
export function createRide(
  canvas: HTMLCanvasElement,
  { gl, frame, isSmall, isPatient, lamps, hasOwn, onTooSlow }: RideOptions,
): Ride {
  let maxRatio = currentMaxRatio();
  let governor = createGovernor({ lowest: MIN_RATIO, highest: maxRatio });
  const movement = createMovement(lamps, hasOwn);
  let render: ((input: FrameInput) => void) | null = null;
  let isPlaying = false;

  const updateSize = () => {
    if (maxRatio !== currentMaxRatio()) {
      maxRatio = currentMaxRatio();
      governor = createGovernor({ lowest: MIN_RATIO, highest: maxRatio });
    }
    const width = Math.max(1, Math.round((canvas.clientWidth || innerWidth) * governor.ratio()));
    const height = Math.max(1, Math.round((canvas.clientHeight || innerHeight) * governor.ratio()));
    // Setting a size empties the canvas, even if it is the same.
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
  };
  const drawFrame = () => render?.({ ...movement.now(), width: canvas.width, height: canvas.height, rider: true });

  const tick: FrameWork = (_, delta) => {
    const verdict = governor.frame(delta);
    if (verdict === 'too-slow' && !isPatient) {
      isPlaying = false;
      onTooSlow();
      return false;
    }
    if (verdict === 'ratio' || maxRatio !== currentMaxRatio()) updateSize();
    movement.advance(delta);
    drawFrame();
    return true;
  };

  const { ready, stop } = prepareInSteps({ gl, frame, isSmall, isPatient }, function* (programs) {
    const renderFrame = createFrameRenderer(gl, programs, isSmall);
    yield;
    render = renderFrame;
    updateSize();
    drawFrame();
  });

  return {
    ready,
    ...movement.controls,
    play() {
      if (isPlaying || !render) return;
      isPlaying = true;
      frame.play('draw', tick);
    },
    pause() {
      isPlaying = false;
      // The canvas is not visible, so the next start is at rest.
      movement.rest();
      frame.stop(tick);
    },
    moved(windows) {
      if (isPlaying) movement.add(windows);
    },
    resize() {
      updateSize();
      // Without it, the browser would paint the canvas that the new size has emptied.
      drawFrame();
    },
    dispose() {
      stop();
      frame.stop(tick);
      render = null;
      gl.getExtension('WEBGL_lose_context')?.loseContext();
    },
    renderAt(seconds, introShare) {
      movement.jumpTo(seconds, introShare);
      drawFrame();
    },
    still({ lamps: shown = MAX_LAMPS, own, ...still }) {
      const { width, height, seconds } = still;
      Object.assign(canvas, { width, height });
      const convoy = { lamps: shown, own: own ? { ...own, since: seconds } : null };
      const atRest = {
        intro: 1,
        travel: seconds * SPEED_M_PER_S,
        pointer: [0, 0],
        reaction: AT_REST,
        rider: true,
      } as const;
      render?.({ ...atRest, lift: own?.lift ?? 0, convoy, ...still });
    },
  };
}

interface FrameInput extends FrameValues {
  travel: number;
  pointer: readonly [number, number];
  lift: number;
  reaction: Reaction;
  convoy: Convoy;
}

/** The five draws of a frame, nearest first. Shared values are written once. */
function createFrameRenderer(
  gl: Gl,
  { land, poles, sky, rider, lights }: Programs,
  isSmall: boolean,
): (input: FrameInput) => void {
  const block = createFrameBlock(gl);
  for (const program of [land, poles, sky, rider, lights]) {
    block.bindTo(program);
    program.use();
    gl.uniform1i(program.uniform('uNoise'), NOISE_UNIT);
  }
  const draws = {
    land: createLand(gl, land, isSmall ? 'coarse' : 'fine'),
    poles: createPoles(gl, poles),
    sky: createSky(gl, sky),
    rider: createRider(gl, rider),
    lights: createLights(gl, lights),
  };
  gl.enable(gl.DEPTH_TEST);
  gl.depthFunc(gl.LEQUAL);

  return (input) => {
    const view = computeView({ ...input, aspect: input.width / input.height });
    block.write(view, input);
    gl.viewport(0, 0, input.width, input.height);
    // The colour is not cleared, because the sky fills all remaining pixels.
    gl.clear(gl.DEPTH_BUFFER_BIT);
    draws.land.draw(view.eye[2]);
    draws.poles.draw(view.eye[2]);
    draws.sky.draw(view);
    // Glow is additive and hides nothing.
    gl.depthMask(false);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    draws.lights.draw(view.eye[2], input.seconds, input.progress, input.convoy);
    if (input.rider) draws.rider.draw(view.rider);
    gl.disable(gl.BLEND);
    gl.depthMask(true);
  };
}

/**
 * Prepares everything in small steps, at most one per frame and each after the GPU has finished the last. So the page
 * has no long task, and a slow GPU is found before the visitor notices.
 * @param firstFrame Draws the first frame, also in steps.
 */
function prepareInSteps(
  { gl, frame, isSmall, isPatient }: Pick<RideOptions, 'gl' | 'frame' | 'isSmall' | 'isPatient'>,
  firstFrame: (programs: Programs) => Generator<void>,
): { ready: Promise<void>; stop: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let spentMs = 0;

  function* steps(): Generator<void> {
    const programs = compilePrograms(gl, isSmall);
    yield;
    for (const program of Object.values(programs)) {
      while (!isCompiled(gl, program)) yield;
      assertLinked(gl, program);
    }
    spentMs = 0;
    for (const _ of bakeTextures(gl, programs, isSmall ? 0.5 : 1)) {
      yield* waitForGpu();
      if (spentMs > MAX_BAKE_MS && !isPatient) throw new TooSlow();
    }
    yield* firstFrame(programs);
    yield* waitForGpu();
  }
  function* waitForGpu(): Generator<void> {
    const isReached = createFence(gl);
    do yield;
    while (!isReached());
  }

  const generator = steps();
  const runStep: FrameWork = (_, delta) => {
    spentMs += delta;
    try {
      if (gl.isContextLost()) throw new Error('scene: the context is lost');
      if (!generator.next().done) return true;
      resolve();
    } catch (error) {
      reject(error);
    }
    return false;
  };
  frame.play('draw', runStep);
  return { ready: promise, stop: () => frame.stop(runStep) };
}
