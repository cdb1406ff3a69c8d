// Loaded into a server that a bench measures (`--expose-gc --import`): SIGUSR2 has it collect all garbage and print what is
// left, so that what it holds is told apart from what the collector has not yet freed.
process.on('SIGUSR2', () => {
  // The first frees what finalizers held, the second what they let go.
  globalThis.gc();
  setImmediate(() => {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    console.log(`held ${heapUsed + external} bytes`);
  });
});
