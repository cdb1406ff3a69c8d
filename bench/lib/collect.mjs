// Loaded into a measured server (`--expose-gc --import`). On SIGUSR2 it collects all garbage and prints the remaining
// bytes, so that retained memory is not confused with uncollected garbage.
process.on('SIGUSR2', () => {
  // The second collection frees what finalizers of the first released.
  globalThis.gc();
  setImmediate(() => {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    console.log(`held ${heapUsed + external} bytes`);
  });
});
