import { useSyncExternalStore } from 'react';
import { useEngines } from './use-engines.ts';

/** R40. False on the server and until the hero can play, then always true. */
export function useHeroCanPlay(): boolean {
  const { stage } = useEngines('useHeroCanPlay');
  return useSyncExternalStore(stage.subscribe, stage.heroCanPlay, stage.heroCanPlay);
}

/** Share of the hero's parts that are ready, 0..1. */
export function useStageProgress(): number {
  const { stage } = useEngines('useStageProgress');
  return useSyncExternalStore(stage.subscribe, stage.progress, () => 0);
}
