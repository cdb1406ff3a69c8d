import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(path, 'utf8');
const manifest = JSON.parse(read('package.json')) as { version: string; engines: { node: string } };

interface Locked {
  version: string;
  engines?: { node?: string };
  dev?: boolean;
  optional?: boolean;
}
const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: Record<string, Locked> };

test('the site, its lock file, the plugin and the changelog have the same version', () => {
  const plugin = read('plugins/pillion/pillion.php');
  const versions = {
    'package-lock.json': lock.version,
    'its own entry there': lock.packages['']?.version,
    'the header of the plugin': plugin.match(/^ \* Version: +(\S+)$/m)?.[1],
    'its constant': plugin.match(/^const VERSION = '(.+)';$/m)?.[1],
    'CHANGELOG.md': read('CHANGELOG.md').match(/^## (\S+)/m)?.[1],
  };
  for (const [where, version] of Object.entries(versions)) expect(version, where).toBe(manifest.version);
});

const numbers = (version: string): number[] => (version.match(/\d+/g) ?? []).map(Number);

/** Whether `version` is at least `other`. */
function isFrom(version: number[], other: number[]): boolean {
  const at = [0, 1, 2].find((part) => (version[part] ?? 0) !== (other[part] ?? 0));
  return at === undefined || (version[at] ?? 0) > (other[at] ?? 0);
}

/** Whether a range includes a version: alternatives of `>=x`, `^x` and plain numbers, as the packages write them. */
const isIn = (version: string, range: string): boolean =>
  range.split('||').some((alternative) => {
    const [lowest, mine] = [numbers(alternative), numbers(version)];
    const isOpen = /^\s*>=|^\s*\*/.test(alternative);
    return isFrom(mine, lowest) && (isOpen || mine[0] === lowest[0]);
  });

test('every package that runs supports the oldest Node in engines and the one in .nvmrc', () => {
  // Optional packages are for one platform each. sharp declares the requirement.
  const asking = Object.entries(lock.packages).filter(
    ([path, { dev, optional, engines }]) => path && !dev && !optional && engines?.node,
  );
  expect(asking.length).toBeGreaterThan(20);
  for (const node of [manifest.engines.node, read('.nvmrc').trim()]) {
    const refused = asking.filter(([, { engines }]) => !isIn(node, engines?.node ?? ''));
    expect(refused.map(([path, { engines }]) => `${path} asks for ${engines?.node}, not ${node}`)).toEqual([]);
  }
});

test('the private Node is of the release line in .nvmrc, and the container has the same version', () => {
  const version = /PRIVATE_VERSION = '(.+)'/.exec(read('scripts/lib/node.mjs'))?.[1];
  expect(version).toMatch(new RegExp(`^${read('.nvmrc').trim()}\\.`));
  const images = [...read('deploy/container/Containerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(images).toEqual(Array(2).fill(`docker.io/library/node:${version}-bookworm-slim`));
});

test('the Kubernetes example uses the image’s port, data folder and user, and the server’s paths', () => {
  const image = read('deploy/container/Containerfile');
  const example = read('deploy/kubernetes/pillion.yaml');
  const [, port, folder] = /PORT=(\d+) DATA_DIR=(\S+)/.exec(image) ?? [];
  expect(image).toMatch(/^USER node$/m);
  // The user `node` of Debian's image of Node.
  expect(example).toContain('runAsUser: 1000');
  expect(example).toContain(`containerPort: ${port} `);
  expect(example).toContain(`mountPath: ${folder} `);
  const health = read('packages/server/src/http/routes/health.ts');
  const probed = [...example.matchAll(/httpGet: \{ path: (\S+),/g)].map(([, path]) => `app.get('${path}'`);
  expect(probed).toHaveLength(3);
  for (const route of probed) expect(health).toContain(route);
});

test('every image in the container files has a version', () => {
  const images = [...read('deploy/container/compose.yaml').matchAll(/^ +image: (.+)$/gm)].map(([, image]) => image);
  expect(images.length).toBeGreaterThan(2);
  for (const image of images) expect(image).toMatch(/^(?:pillion|docker\.io\/\S+:\d+\S*)$/);
});
