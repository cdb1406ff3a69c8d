/**
 * What only moves the page: none of it is needed to read it, so it is one chunk of its own that comes after the first
 * paint. Whoever needs a part of it asks `loadMotion` in `load-motion.ts`.
 */
export { startLenis } from './scroll/lenis.ts';
export { attachScrollbar } from './scroll/scrollbar.ts';
