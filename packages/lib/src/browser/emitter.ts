type Listener = () => void;

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

/** Notifies listeners of a change. They read the new state from its owner. */
export function createEmitter() {
  const listeners = new Set<Listener>();
  return {
    /** @returns A function that unsubscribes. */
    subscribe(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit(): void {
      // A copy: subscribing or unsubscribing during a round has no effect on it.
      for (const listener of [...listeners]) callSafely(listener);
    },
  };
}
