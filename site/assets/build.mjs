// Rebuilds the demo's files: `npm run assets` for all, `npm run assets -- music fonts` for some.
import { MissingTool } from './lib/tools.mjs';

/** The order matters: the picture for shared links uses a still and the subset fonts. */
const STEPS = {
  fonts: './fonts/build.mjs',
  map: './map/build.mjs',
  music: './music/build.mjs',
  machine: './machine/build.mjs',
  stills: './stills/build.mjs',
  marks: './marks/build.mjs',
  notices: './notices/build.mjs',
};

const NAME_WIDTH = 12;
const createReporter = (name) => (line) => console.log(`  ${name.padEnd(NAME_WIDTH)} ${line}`);

/** @returns False if a tool is missing. The files of the step then stay unchanged. */
async function rebuildStep(name) {
  try {
    const { build } = await import(STEPS[name]);
    await build(createReporter(name));
    return true;
  } catch (error) {
    if (!(error instanceof MissingTool)) throw error;
    createReporter(name)(error.message);
    return false;
  }
}

async function main(requested) {
  const stepNames = Object.keys(STEPS);
  const names =
    requested.length === 0 || requested.includes('all')
      ? stepNames
      : stepNames.filter((name) => requested.includes(name));
  const unknownName = requested.find((name) => name !== 'all' && !stepNames.includes(name));
  if (unknownName) {
    console.error(`There is nothing called "${unknownName}" to rebuild: use ${stepNames.join(', ')} or all.`);
    return 1;
  }
  const results = [];
  for (const name of names) results.push(await rebuildStep(name));
  return results.every(Boolean) ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
