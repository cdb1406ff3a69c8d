const WIDTH = 12;

/** @param {number} since Start, from `performance.now()`. */
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/**
 * Runs a step and prints its name, outcome and duration.
 * @param {string} name One word.
 * @param {(say: (progress: string) => void) => string | Promise<string>} work Returns the outcome in a few words.
 */
export async function step(name, work) {
  const start = performance.now();
  // A terminal shows the current step, and its result overwrites the line.
  if (process.stdout.isTTY) process.stdout.write(`  ${name.padEnd(WIDTH)} …\r`);
  const outcome = await work((progress) => console.log(`  ${name.padEnd(WIDTH)} ${progress}`));
  console.log(`  ${name.padEnd(WIDTH)} ${outcome.padEnd(40)} ${seconds(start)}`);
}
