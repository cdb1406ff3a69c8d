import { use } from 'react';

/**
 * Loads code in a separate chunk that components can wait for.
 * @param importChunk Called by each `load`; the browser fetches a module only once.
 */
export function createChunk<T>(importChunk: () => Promise<T>) {
  const { promise, resolve } = Promise.withResolvers<T>();
  let loaded: T | undefined;
  return {
    /** Fetches the chunk. @throws If the fetch fails; `load` can be called again. */
    async load(): Promise<T> {
      loaded = await importChunk();
      resolve(loaded);
      return loaded;
    },
    /**
     * Returns the chunk's content, or suspends the component until it is loaded. In a server-rendered page the HTML
     * stays and works meanwhile, even if the chunk never loads. The component must have no other hooks: after the wait
     * `use` is not called, so React would see other hooks than before.
     */
    read: (): T => loaded ?? use(promise),
    /** Like `read`, and loads the chunk. */
    loadAndRead(): T {
      if (!loaded) this.load().catch(() => {});
      return this.read();
    },
  };
}
