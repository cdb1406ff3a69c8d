import { availableParallelism } from 'node:os';

/**
 * How Node is to collect the site's garbage (decision 044). One collection of young objects stops everybody: with 2 MB of
 * them it takes about 1 ms, with V8's own 16 and more MB 5 to 40 while many requests are in hand. Young objects are collected
 * while old ones are being marked, too: V8 otherwise lets them grow to 30 MB meanwhile, and copies those at one go, 38 ms. Where
 * there is one processor, threads that collect in parallel only take turns with the one that answers.
 * @param processors That the site may use.
 * @returns Options of Node, before the program's name.
 */
export const siteFlags = (processors = availableParallelism()) => [
  '--max-semi-space-size=2',
  '--no-separate-gc-phases',
  ...(processors === 1 ? ['--single-threaded-gc'] : []),
];
