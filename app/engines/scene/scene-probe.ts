import { openContext } from './context.ts';

// A worker: opening a context holds a thread up for as long as a second where the processor has to draw, and it must not
// be the visitor's. The context goes with the worker.
postMessage(openContext(new OffscreenCanvas(1, 1)) !== null);
