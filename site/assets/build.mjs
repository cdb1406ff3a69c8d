// Rebuilds what the demo is made of: `npm run assets` for all, `npm run assets -- music fonts` for some.
import { MissingTool } from './lib/tools.mjs';

/** In this order, because the picture for shared links is drawn over a still, in the subset fonts. */
const STEPS = {
  fonts: './fonts/build.mjs',
  map: './map/build.mjs',
  music: './music/build.mjs',
  machine: './machine/build.mjs',
  stills: './stills/build.mjs',
  marks: './marks/build.mjs',
  notices: './notices/build.mjs',
};

const WIDTH = 12;
const say = (name) => (line) => console.log(`  ${name.padEnd(WIDTH)} ${line}`);

/** One step. @returns False when a tool is missing; its files then stay as they are. */
async function rebuilt(name) {
  try {
    const { build } = await import(STEPS[name]);
    await build(say(name));
    return true;
  } catch (error) {
    if (!(error instanceof MissingTool)) throw error;
    say(name)(error.message);
    return false;
  }
}

async function main(asked) {
  const known = Object.keys(STEPS);
  const names = asked.length === 0 || asked.includes('all') ? known : known.filter((name) => asked.includes(name));
  const stranger = asked.find((name) => name !== 'all' && !known.includes(name));
  if (stranger) {
    console.error(`There is nothing called "${stranger}" to rebuild: use ${known.join(', ')} or all.`);
    return 1;
  }
  const done = [];
  for (const name of names) done.push(await rebuilt(name));
  return done.every(Boolean) ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
