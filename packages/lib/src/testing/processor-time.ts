/**
 * Time that the processor spent on some work, in milliseconds: unlike time on the clock, a busy machine adds nothing.
 * Only this thread is counted, so the test runner's others and the garbage collector's helpers are not.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The least of several tries, in milliseconds: what a full cache or a collection of garbage adds to one is left out. */
export async function leastProcessorMs(tries: number, work: () => unknown): Promise<number> {
  const took: number[] = [];
  for (let at = 0; at < tries; at += 1) took.push(await processorMs(work));
  return Math.min(...took);
}
