import { createContext, use } from 'react';
import type { Engines } from '../engines.ts';

const EnginesContext = createContext<Engines | null>(null);

/** Provides the page's engines to the components inside it. */
export const EnginesProvider = EnginesContext.Provider;

/**
 * Returns the page's engines.
 * @param caller Name of the calling hook, for the error message.
 * @throws Without a provider: a component outside of it would wait forever (R38).
 */
export function useEngines(caller: string): Engines {
  const engines = use(EnginesContext);
  if (!engines) throw new Error(`${caller} must be used within EnginesProvider`);
  return engines;
}
