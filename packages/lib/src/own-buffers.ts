/** Smaller ones are copied as fast, and Node keeps many of them in one buffer. */
const WORTH_IT = 100_000;

/** @returns The memory of those that are large and have one to themselves: it can be handed to another thread. */
export const ownBuffers = (views: (Uint8Array | null)[]): ArrayBuffer[] =>
  views.flatMap((view) =>
    view?.buffer instanceof ArrayBuffer && view.byteLength >= WORTH_IT && view.byteLength === view.buffer.byteLength
      ? [view.buffer]
      : [],
  );
