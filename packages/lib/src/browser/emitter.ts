type Listener = () => void;

/** Tells whoever listens that something has changed; what it is they read from its owner. */
interface Emitter {
  /** @returns Ends the subscription. */
  subscribe(listener: Listener): () => void;
  /** Calls every listener that there is now. */
  emit(): void;
}

/**
 * Calls `listener`. What it throws is reported as an uncaught error and goes no further: one broken subscriber must not
 * keep the page shut, nor stop the others.
 */
export function callSafely(listener: Listener): void {
  try {
    listener();
  } catch (error) {
    reportError(error);
  }
}

/** The one way in which a part of the page tells others of a change: the site, the stage, the scroll and the sound do. */
export function createEmitter(): Emitter {
  const listeners = new Set<Listener>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit() {
      // A copy: a listener that unsubscribes, or subscribes another, changes nothing of this round.
      for (const listener of [...listeners]) callSafely(listener);
    },
  };
}
