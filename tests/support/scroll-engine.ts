import { createFrameLoop } from '@pillion/motion/frame/frame.ts';
import { loadMotion } from '@pillion/motion/load-motion.ts';
import { createScroll } from '@pillion/motion/scroll/scroll.ts';
import { createStage } from '@pillion/motion/stage/stage.ts';

/** The scroll engine on a page of a test's own. */
const stage = createStage();
export const scroll = createScroll({ frame: createFrameLoop(), stage, loadLenis: loadMotion });
stage.start();
scroll.start();
