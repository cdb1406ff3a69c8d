const WIDTH = 12;

/** @param {number} since Milliseconds, as `performance.now()` gives them. */
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/**
 * Runs one step and says what it was, what came of it and how long it took.
 * @param {string} name One word.
 * @param {(say: (progress: string) => void) => string | Promise<string>} work Returns what came of it in a few words.
 */
export async function step(name, work) {
  const start = performance.now();
  // On a terminal the step under way is seen, and written over by what follows.
  if (process.stdout.isTTY) process.stdout.write(`  ${name.padEnd(WIDTH)} …\r`);
  const outcome = await work((progress) => console.log(`  ${name.padEnd(WIDTH)} ${progress}`));
  console.log(`  ${name.padEnd(WIDTH)} ${outcome.padEnd(40)} ${seconds(start)}`);
}
