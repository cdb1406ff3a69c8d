const WIDTH = 12;

/**
 * Runs a step and prints its name, outcome and duration.
 * @param {string} name One word.
 * @param {() => string | Promise<string>} work Returns the outcome in a few words.
 */
export async function step(name, work) {
  const start = performance.now();
  // A terminal shows the current step, and its result overwrites the line.
  if (process.stdout.isTTY) process.stdout.write(`  ${name.padEnd(WIDTH)} …\r`);
  const outcome = await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`  ${name.padEnd(WIDTH)} ${outcome.padEnd(40)} ${seconds} s`);
}
