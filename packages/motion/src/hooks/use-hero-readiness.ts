import { type RefObject, useEffect } from 'react';
import type { Stage } from '../stage/stage.ts';

/**
 * Makes the stage wait for what the hero shows first: its fonts and its poster.
 * @param heroRef The element that contains the poster's `<img>`, if there is one.
 */
export function useHeroReadiness(stage: Stage, heroRef: RefObject<Element | null>): void {
  useEffect(() => {
    const fonts = stage.register('type');
    document.fonts.ready.then(fonts.ready, fonts.fail);
    const image = heroRef.current?.querySelector('img');
    if (!image) return;
    const poster = stage.register('poster');
    image.decode().then(poster.ready, poster.fail);
  }, [stage, heroRef]);
}
