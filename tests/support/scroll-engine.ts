import { createFrameLoop } from '@pillion/motion/frame/frame.ts';
import { createScroll } from '@pillion/motion/scroll/scroll.ts';
import { createStage } from '@pillion/motion/stage/stage.ts';

/** The scroll engine on a page of the test. */
const stage = createStage();
export const scroll = createScroll({
  frame: createFrameLoop(),
  stage,
  loadLenis: () => import('@pillion/motion/scroll/lenis.ts'),
});
stage.start();
scroll.start();
