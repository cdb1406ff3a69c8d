type Listener = () => void;

/** Notifies listeners of a change. They read the new state from its owner. */
interface Emitter {
  /** @returns A function that unsubscribes. */
  subscribe(listener: Listener): () => void;
  emit(): void;
}

/**
 * Calls `listener`, and reports its errors as uncaught: a broken listener must not block the page or other listeners.
 */
export function callSafely(listener: Listener): void {
  try {
    listener();
  } catch (error) {
    reportError(error);
  }
}

/** Creates the change notification that the site, the stage, the scroll and the sound use. */
export function createEmitter(): Emitter {
  const listeners = new Set<Listener>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit() {
      // A copy: subscribing or unsubscribing during a round has no effect on it.
      for (const listener of [...listeners]) callSafely(listener);
    },
  };
}
