/** In bytes. Smaller buffers are copied as fast, and Node keeps many of them in one allocation. */
const MIN_BYTES = 100_000;

/** @returns The memory of large views that do not share it: it can be transferred to another thread. */
export const ownBuffers = (views: (Uint8Array | null)[]): ArrayBuffer[] =>
  views.flatMap((view) =>
    view?.buffer instanceof ArrayBuffer && view.byteLength >= MIN_BYTES && view.byteLength === view.buffer.byteLength
      ? [view.buffer]
      : [],
  );
