import { DiskCache } from '../cache/disk-cache.ts';

/** A process that writes four entries repeatedly until it is killed. */
const [directory = '', kilobytes = '1'] = process.argv.slice(2);
const diskCache = new DiskCache({ directory });
const padding = 'x'.repeat(Number(kilobytes) * 1024);
process.stdout.write('writing\n');
for (let edition = 0; ; edition += 1) {
  const entry = { value: { edition, padding }, born: Date.now(), version: null, tags: [] };
  await Promise.all(['a', 'b', 'c', 'd'].map((key) => diskCache.write(key, entry)));
}
