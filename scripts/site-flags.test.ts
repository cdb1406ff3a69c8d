import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { siteFlags } from './lib/site-flags.mjs';

/** Works as a site under a flood does: 4,000 requests in hand, each dropped when another comes, and the loop goes on turning. */
const FLOOD = `
  const inHand = [];
  let made = 0;
  const turn = () => {
    for (let at = 0; at < 200; at++) inHand[made++ % 4_000] = Array.from({ length: 250 }, (_, of) => ({ of }));
    if (made < 60_000) setImmediate(turn);
  };
  turn();`;

/** Bytes of young objects that the longest collection of all objects had to copy. */
function mostCopied(flags: readonly string[]): number {
  const said = execFileSync(process.execPath, [...flags, '--trace-gc-nvp', '-e', FLOOD], { encoding: 'utf8' });
  const copied = [...said.matchAll(/ gc=mc .* promoted=(\d+)/g)].map(([, bytes]) => Number(bytes));
  expect(copied.length).toBeGreaterThan(1);
  return Math.max(...copied);
}

test('decision 044: a collection of all objects copies no more young ones than one of young objects does', () => {
  // Of 2 MB at most; 15 without the option.
  expect(mostCopied(siteFlags(1))).toBeLessThan(4e6);
});
