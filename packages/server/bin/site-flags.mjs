import { availableParallelism } from 'node:os';

/**
 * Node's options for garbage collection (decision 044). A minor collection stops all requests: it takes about 1 ms with 2 MB
 * of young objects, and 5 to 40 ms under load with V8's default of 16 MB and more. With one processor, parallel collector
 * threads would only compete with the main thread.
 * @param processors Number of processors that the site may use.
 * @returns Options of Node, to put before the program's name.
 */
export const siteFlags = (processors = availableParallelism()) => [
  '--max-semi-space-size=2',
  ...(processors === 1 ? ['--single-threaded-gc'] : []),
];
