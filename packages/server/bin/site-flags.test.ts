import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { siteFlags } from './site-flags.mjs';

/**
 * Simulates a site under a flood: 4,000 requests in progress, each dropped when another comes, while the event loop
 * keeps running. It ends after two major collections, however long a busy machine takes.
 */
const FLOOD = `
  const { PerformanceObserver, constants } = require('node:perf_hooks');
  let collections = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries())
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections += 1;
  }).observe({ entryTypes: ['gc'] });
  const inHand = [];
  let made = 0;
  const turn = () => {
    for (let at = 0; at < 200; at++) inHand[made++ % 4_000] = Array.from({ length: 250 }, (_, of) => ({ of }));
    if (collections < 2) setImmediate(turn);
  };
  turn();`;

/** Part of the server. */
const SHORT = new URL('../src/short-collections.ts', import.meta.url).href;

/** A line has 2 KB, and a slow machine collects a thousand times. */
const LONGEST_TRACE = 64e6;

/** Bytes of young objects that the longest major collection copied. */
function mostCopied(flags: readonly string[]): number {
  const said = execFileSync(process.execPath, [...flags, '--trace-gc-nvp', '--import', SHORT, '-e', FLOOD], {
    encoding: 'utf8',
    maxBuffer: LONGEST_TRACE,
  });
  const copied = [...said.matchAll(/ gc=mc .* promoted=(\d+)/g)].map(([, bytes]) => Number(bytes));
  expect(copied.length).toBeGreaterThan(1);
  return Math.max(...copied);
}

// Node 26 has no such option: it copies 11 to 36 MB (decision 078).
test.skipIf(Number.parseInt(process.versions.node, 10) >= 25)(
  'decision 044: a major collection copies no more young objects than a minor one',
  () => {
    // At most 2 MB, against 15 MB without the option.
    expect(mostCopied(siteFlags(1))).toBeLessThan(4e6);
  },
);
