import { createContext, use } from 'react';
import type { Engines } from '../engines.ts';

const Context = createContext<Engines | null>(null);

/** Hands the page's engines to everything inside it. */
export const EnginesProvider = Context.Provider;

/**
 * The engines, for a door of theirs.
 * @param door Name of the hook that asks, for the message.
 * @throws Where no provider is around: a part of the page outside it would wait for an engine that never comes (R38).
 */
export function useEngines(door: string): Engines {
  const engines = use(Context);
  if (!engines) throw new Error(`${door} must be used within EnginesProvider`);
  return engines;
}
