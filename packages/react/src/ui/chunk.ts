import { use } from 'react';

/**
 * Loads code in a separate chunk that components can wait for.
 * @param fetch Called by each `load`; the browser fetches a module only once.
 */
export function createChunk<T>(fetch: () => Promise<T>) {
  const { promise, resolve } = Promise.withResolvers<T>();
  let arrived: T | undefined;
  return {
    /** Fetches the chunk. @throws If the fetch fails; `load` can be called again. */
    async load(): Promise<T> {
      arrived = await fetch();
      resolve(arrived);
      return arrived;
    },
    /**
     * Returns the chunk's content, or suspends the component until it is loaded. The component must have no other
     * hooks: React does not call the same ones after a wait. In a server-rendered page the HTML stays and works
     * meanwhile, even if the chunk never loads. Loaded content renders at once, without the fallback.
     */
    wait: (): T => arrived ?? use(promise),
    /** Like `wait`, and loads the chunk. */
    need(): T {
      if (!arrived) this.load().catch(() => {});
      return this.wait();
    },
  };
}
