import { useEngines } from '@pillion/motion/hooks/use-engines.ts';
import { type RefObject, useEffect } from 'react';
import { mountScene } from './mount-scene.ts';

/** Shows the scene in `container`, over the poster that stands in it. */
export function useScene(container: RefObject<HTMLElement | null>): void {
  const engines = useEngines('useScene');
  useEffect(() => (container.current ? mountScene(container.current, engines) : undefined), [container, engines]);
}
