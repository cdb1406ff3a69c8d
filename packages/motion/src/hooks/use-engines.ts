import { createContext, use } from 'react';
import type { Engines } from '../engines.ts';

const Context = createContext<Engines | null>(null);

/** Provides the page's engines to the components inside it. */
export const EnginesProvider = Context.Provider;

/**
 * Returns the page's engines.
 * @param door Name of the calling hook, for the error message.
 * @throws Without a provider: a component outside of it would wait forever (R38).
 */
export function useEngines(door: string): Engines {
  const engines = use(Context);
  if (!engines) throw new Error(`${door} must be used within EnginesProvider`);
  return engines;
}
