import { createFrameLoop } from '../../app/engines/frame/frame.ts';
import { createScroll } from '../../app/engines/scroll/scroll.ts';
import { createStage } from '../../app/engines/stage/stage.ts';

/** The scroll engine on a page of a test's own. */
const stage = createStage();
export const scroll = createScroll({ frame: createFrameLoop(), stage });
stage.start();
scroll.start();
