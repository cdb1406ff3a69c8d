import { createFrameLoop } from '../../app/engines/frame/frame.ts';
import { loadMotion } from '../../app/engines/load-motion.ts';
import { createScroll } from '../../app/engines/scroll/scroll.ts';
import { createStage } from '../../app/engines/stage/stage.ts';

/** The scroll engine on a page of a test's own. */
const stage = createStage();
export const scroll = createScroll({ frame: createFrameLoop(), stage, loadLenis: loadMotion });
stage.start();
scroll.start();
