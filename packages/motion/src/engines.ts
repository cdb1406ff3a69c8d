import { createFrameLoop, type FrameLoop } from './frame/frame.ts';
import { createScroll, type Scroll } from './scroll/scroll.ts';
import type { createMixer, Mixer } from './sound/mixer.ts';
import { createStage, type Stage } from './stage/stage.ts';

/** The engines for motion and sound. All pages share one instance of each. */
export interface Engines {
  frame: FrameLoop;
  stage: Stage;
  scroll: Scroll;
  mixer: Mixer;
}

/**
 * Creates the engines without side effects. The browser starts them; the server only renders their initial state.
 * @param mixerFactory Creates the mixer; `createSilence` if the site has no music.
 */
export function createEngines(mixerFactory: typeof createMixer): Engines {
  const frame = createFrameLoop();
  const stage = createStage();
  const scroll = createScroll({ frame, stage, loadLenis: () => import('./scroll/lenis.ts') });
  return { frame, stage, scroll, mixer: mixerFactory({ stage, scroll }) };
}
