import { createFrameLoop, type FrameLoop } from './frame/frame.ts';
import { createScroll, type Scroll } from './scroll/scroll.ts';
import type { createMixer, Mixer } from './sound/mixer.ts';
import { createStage, type Stage } from './stage/stage.ts';

/** Motion and sound of the site: one engine of each for all pages. */
export interface Engines {
  frame: FrameLoop;
  stage: Stage;
  scroll: Scroll;
  mixer: Mixer;
}

/**
 * Building the engines touches nothing; the browser starts them, the server only renders what they begin with.
 * @param music Makes the mixer; `createSilence` where the site has no music.
 */
export function createEngines(music: typeof createMixer): Engines {
  const frame = createFrameLoop();
  const stage = createStage();
  const scroll = createScroll({ frame, stage, loadLenis: () => import('./scroll/lenis.ts') });
  return { frame, stage, scroll, mixer: music({ stage, scroll }) };
}
