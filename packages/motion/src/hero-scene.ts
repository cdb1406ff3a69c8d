import type { Engines } from './engines.ts';

/**
 * Shows a scene behind a hero, over the picture in `container`. The picture stays where the scene cannot be drawn.
 * @returns Takes it out again.
 */
export type HeroScene = (container: HTMLElement, engines: Engines) => () => void;
