import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setVersion } from './release.mjs';

const read = (path: string) => readFileSync(path, 'utf8');

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}
const manifest = JSON.parse(read('package.json')) as Manifest & { workspaces: string[]; engines: { node: string } };
const MANIFESTS = ['.', ...manifest.workspaces].map((folder) => `${folder}/package.json`);

interface Locked {
  version: string;
  engines?: { node?: string };
  dev?: boolean;
  optional?: boolean;
}
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };

/** Every version of the kit in a checkout, by its place. */
function versionsIn(root: string): Record<string, string | undefined> {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const plugin = read('plugins/pillion/pillion.php');
  const readme = read('plugins/pillion/readme.txt');
  const versions: Record<string, string | undefined> = {
    'the header of the plugin': plugin.match(/^ \* Version: +(\S+)$/m)?.[1],
    'its constant': plugin.match(/^const VERSION = '(.+)';$/m)?.[1],
    'the stable tag of its readme': readme.match(/^Stable tag: (\S+)$/m)?.[1],
    'the newest changes in its readme': readme.match(/^= (\S+) =$/m)?.[1],
    'the image for Kubernetes': read('deploy/kubernetes/pillion.yaml').match(/image: \S+\/pillion:(\S+)$/m)?.[1],
    // The section of changes after a release has no number yet.
    'CHANGELOG.md': read('CHANGELOG.md').match(/^## (\d\S*)/m)?.[1],
  };
  const add = (where: string, { version, dependencies, devDependencies }: Manifest) => {
    versions[where] = version;
    for (const [name, needed] of Object.entries({ ...dependencies, ...devDependencies }))
      if (name.startsWith('@pillion/')) versions[`${name} in ${where}`] = needed;
  };
  for (const path of globSync(MANIFESTS, { cwd: root })) add(path, JSON.parse(read(path)));
  const lock = JSON.parse(read('package-lock.json'));
  versions['package-lock.json'] = lock.version;
  for (const [path, about] of Object.entries<Manifest>(lock.packages))
    if (!path.includes('node_modules')) add(`package-lock.json, ${path || 'root'}`, about);
  return versions;
}

test('packages, lock file, plugin, deployment example and changelogs have one version', () => {
  const versions = versionsIn('.');
  expect(versions).toEqual(Object.fromEntries(Object.keys(versions).map((where) => [where, manifest.version])));
  // `create-pillion` writes its own version into a new site.
  expect(Object.keys(versions)).toEqual(
    expect.arrayContaining(['packages/create-pillion/package.json', 'plugins/pillion/package.json']),
  );
});

describe('npm run release', () => {
  const README = 'plugins/pillion/readme.txt';
  const FILES = [
    ...MANIFESTS,
    README,
    'plugins/pillion/pillion.php',
    'deploy/kubernetes/*',
    'CHANGELOG.md',
    '*-lock.json',
  ];
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'pillion-release-'));
    for (const path of globSync(FILES)) cpSync(path, join(root, path));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const [major = 0, minor = 0] = manifest.version.split('.').map(Number);
  const CHANGES = `A change ([how](docs/x.md)).\n\n## ${manifest.version} (2026-12-01)\n\nThe earlier changes.\n`;
  /** Writes the changelogs, with these newest sections. */
  const change = (heading: string, inReadme = manifest.version) => {
    writeFileSync(join(root, 'CHANGELOG.md'), `# Changelog\n\n${heading}\n\n${CHANGES}`);
    const readme = readFileSync(join(root, README), 'utf8');
    writeFileSync(
      join(root, README),
      readme.replace(/(?<=== Changelog ==\n\n)[\s\S]*/, `= ${inReadme} =\nA change.\n`),
    );
  };

  test.each([
    ['minor', `${major}.${minor + 1}.0`],
    ['major', `${major + 1}.0.0`],
    ['12.3.4-beta.1', '12.3.4-beta.1'],
  ])('%s sets every version to %s, dates the changes and copies them', (wanted, version) => {
    change('## Not released yet', version);
    expect(setVersion(wanted, root, new Date('2027-03-01T12:00:00Z'))).toBe(version);
    const versions = versionsIn(root);
    expect(versions).toEqual(Object.fromEntries(Object.keys(versionsIn('.')).map((where) => [where, version])));
    const changelog = `# Changelog\n\n## ${version} (2027-03-01)\n\n${CHANGES}`;
    expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toBe(changelog);
    const shipped = readFileSync(join(root, 'packages/server/CHANGELOG.md'), 'utf8');
    expect(shipped).toBe(changelog.replace('[how](docs/x.md)', 'how'));
  });

  test('writes nothing without a usable version, or if a changelog lacks the changes', () => {
    change('## Not released yet');
    const before = versionsIn(root);
    expect(() => setVersion('next', root)).toThrow('Name the version');
    expect(() => setVersion('0.9.0', root)).toThrow('0.9.0 is older than the current version');
    expect(() => setVersion('minor', root)).toThrow(`readme.txt has no section \`= ${major}.${minor + 1}.0 =\``);
    change(`## ${manifest.version} (2027-01-01)`);
    expect(() => setVersion(manifest.version, root)).toThrow('its first section must be `## Not released yet`');
    expect(versionsIn(root)).toEqual(before);
  });
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

test('the container of a site outside this repository has the same images and runs in the same way', () => {
  const [own, other] = ['Containerfile', 'Containerfile.site'].map((name) => {
    const file = read(`deploy/container/${name}`);
    return [file.match(/^FROM.*/gm), file.slice(file.indexOf('RUN mkdir /var/lib/pillion'))];
  });
  expect(other).toEqual(own);
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
