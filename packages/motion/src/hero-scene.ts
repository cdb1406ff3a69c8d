import type { Engines } from './engines.ts';

/**
 * Draws a scene behind a hero, over the picture in `container`. The picture stays visible if the scene cannot be drawn.
 * @returns A function that removes the scene.
 */
export type HeroScene = (container: HTMLElement, engines: Engines) => () => void;
