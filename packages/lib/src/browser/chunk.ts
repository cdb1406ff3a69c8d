import { use } from 'react';

/**
 * Code in a chunk of its own, for which components wait.
 * @param fetch Called with each `load`: a module comes once.
 */
export function createChunk<T>(fetch: () => Promise<T>) {
  const { promise, resolve } = Promise.withResolvers<T>();
  let arrived: T | undefined;
  return {
    /** Fetches it. @throws When it cannot be had; it may be asked for again. */
    async load(): Promise<T> {
      arrived = await fetch();
      resolve(arrived);
      return arrived;
    },
    /**
     * What the chunk holds, in a component that has no hooks: React does not call the same ones again where it no longer
     * waits. Until it is there the component waits (`Suspense`): in a page of the server's its HTML stands meanwhile, and
     * works, for ever where the chunk cannot be had. What is there is drawn at once, without showing the fallback before.
     */
    wait: (): T => arrived ?? use(promise),
  };
}
