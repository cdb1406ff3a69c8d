import { type RefObject, useEffect } from 'react';
import { useEngines } from './use-engines.ts';

/**
 * Makes the stage wait for what the hero shows first: its fonts and its poster.
 * @param hero The element that contains the poster's `<img>`, if there is one.
 */
export function useHeroParts(hero: RefObject<Element | null>): void {
  const { stage } = useEngines('useHeroParts');
  useEffect(() => {
    const type = stage.register('type');
    document.fonts.ready.then(type.ready, type.fail);
    const image = hero.current?.querySelector('img');
    if (!image) return;
    const poster = stage.register('poster');
    image.decode().then(poster.ready, poster.fail);
  }, [stage, hero]);
}
