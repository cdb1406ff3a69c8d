import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 collect young objects also while it marks old ones. Otherwise they grow to 30 MB and are copied at once, which
 * stops all requests for 38 ms (decision 044). V8 reads this option before each collection. Node 25 and newer do not have it, and
 * refuse it on the command line (decision 078).
 */
if (Number.parseInt(process.versions.node, 10) < 25) setFlagsFromString('--no-separate-gc-phases');
