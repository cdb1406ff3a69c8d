/**
 * Processor time of some work, in milliseconds: unlike elapsed time, it does not depend on the load of the machine.
 * Only this thread counts, without the test runner's other threads and the helpers of the garbage collector.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The minimum of several runs, in milliseconds, to exclude cold caches and garbage collection. */
export async function leastProcessorMs(tries: number, work: () => unknown): Promise<number> {
  const durations: number[] = [];
  for (let at = 0; at < tries; at += 1) durations.push(await processorMs(work));
  return Math.min(...durations);
}
