import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stepsBetween } from './update-steps.mjs';

const CHANGELOG = `# Changelog

## 1.10.0 (2027-09-01)

### When you update

- Rename \`musik\` to \`music\` in \`site.config.ts\`.

### Developers

- A change.

## 1.9.0 (2027-05-01)

- Only changes.

## 1.9.0-beta.2 (2027-04-01)

### When you update

- Try it.

## 1.0.0 (2027-01-01)

### When you update

- Not for those who have this version.
`;
const UNRELEASED = CHANGELOG.replace('## 1.10.0', '## Not released yet\n\n### When you update\n\n- Soon.\n\n## 1.10.0');

describe('the steps of an update', () => {
  const titles = (before: string, after: string, changelog = CHANGELOG) =>
    stepsBetween(changelog, before, after).map(({ title }) => title.split(' ')[0]);

  test('are read whole: with a comment in a command, and lines as Windows ends them', () => {
    const changelog =
      '## 1.1.0 (not released yet)\n\n### When you update\n\n```sh\n# as root\nls\n```\n\n### Visitors\n';
    expect(stepsBetween(changelog.replaceAll('\n', '\r\n'), '1.0.0', '1.0.0')).toEqual([
      { title: '1.1.0 (not released yet)', steps: '```sh\n# as root\nls\n```' },
    ]);
    expect(titles('0.9.0', '1.0.0', '## 1.0.0 (not released yet)\n')).toEqual(['1.0.0']);
  });

  test('are those of each release after the earlier version, up to the new one, the oldest first', () => {
    expect(stepsBetween(CHANGELOG, '1.0.0', '1.10.0')).toEqual([
      { title: '1.9.0-beta.2 (2027-04-01)', steps: '- Try it.' },
      { title: '1.9.0 (2027-05-01)', steps: '' },
      { title: '1.10.0 (2027-09-01)', steps: '- Rename `musik` to `music` in `site.config.ts`.' },
    ]);
    expect(titles('1.9.0', '1.10.0')).toEqual(['1.10.0']);
    expect(titles('1.9.0-beta.1', '1.9.0')).toEqual(['1.9.0-beta.2', '1.9.0']);
    expect(titles('1.9.0-beta.10', '1.9.0')).toEqual(['1.9.0']);
    expect(titles('0.9.0', '1.0.0')).toEqual(['1.0.0']);
  });

  test('do not exist for the same version, an earlier one, and a text without releases', () => {
    expect(titles('1.10.0', '1.10.0')).toEqual([]);
    expect(titles('1.10.0', '1.0.0')).toEqual([]);
    expect(titles('1.0.0', '1.10.0', 'No releases.')).toEqual([]);
  });

  test('include those of changes in a checkout that are not released yet', () => {
    expect(titles('1.10.0', '1.10.0', UNRELEASED)).toEqual(['Not']);
    expect(titles('1.9.0', '1.10.0', UNRELEASED)).toEqual(['1.10.0', 'Not']);
  });
});

describe('pillion update', () => {
  let site: string;
  let path: string;
  const json = (file: string, content: unknown) => writeFileSync(join(site, file), JSON.stringify(content));
  const manifest = () => JSON.parse(readFileSync(join(site, 'package.json'), 'utf8'));
  const SERVER = 'node_modules/@pillion/server';

  /** In place of npm: version 1.10.0, which needs a newer Vite. Its `pillion build` ends as `build` says. */
  const npm = (build: string, install = '') => {
    writeFileSync(
      join(path, 'npm'),
      `#!/bin/sh
case "$*" in
  pack*) touch "$4/pillion-server-1.10.0.tgz" ;;
  "view @pillion/server@latest version --json") echo '"1.10.0"' ;;
  "view @pillion/server@1.10.0 peerDependencies --json") echo '{"vite":"^9.0.0","other":"^2.0.0"}' ;;
  view*) ;;
  install*) ${install || `sed -i.kept s/1.0.0/1.10.0/ ${SERVER}/package.json && echo "${build}" > ${SERVER}/bin/pillion.mjs`} ;;
esac
`,
    );
    chmodSync(join(path, 'npm'), 0o755);
  };
  const update = (target = 'latest') => {
    const code = `import('./${SERVER}/bin/update.mjs').then(({ update }) => update('${target}'))`;
    return spawnSync(process.execPath, ['-e', code], {
      cwd: site,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${path}${delimiter}${process.env.PATH}` },
    });
  };

  beforeEach(() => {
    site = mkdtempSync(join(tmpdir(), 'pillion-update-test-'));
    path = join(site, 'programs');
    mkdirSync(path);
    cpSync('packages/server/bin', join(site, SERVER, 'bin'), { recursive: true });
    symlinkSync(resolve('packages/lib'), join(site, 'node_modules/@pillion/lib'));
    writeFileSync(join(site, SERVER, 'CHANGELOG.md'), CHANGELOG);
    json(`${SERVER}/package.json`, { version: '1.0.0', peerDependencies: { vite: '^8.0.0', other: '^1.0.0' } });
    json('package.json', {
      dependencies: { '@pillion/server': '1.0.0', other: '1.2.3' },
      devDependencies: { '@pillion/site-tests': '1.0.0', vite: '^8.0.0' },
    });
  });
  afterEach(() => rmSync(site, { recursive: true }));

  test('sets packages and unchanged ranges of tools, and prints the steps of each release and what follows', () => {
    npm('console.log(1)');
    const { status, stdout, stderr } = update();
    expect([status, stderr]).toEqual([0, '']);
    expect(manifest()).toEqual({
      dependencies: { '@pillion/server': '1.10.0', other: '1.2.3' },
      devDependencies: { '@pillion/site-tests': '1.10.0', vite: '^9.0.0' },
    });
    expect(stdout).toBe(`vite ^8.0.0 → ^9.0.0
Pillion 1.0.0 → 1.10.0 is installed.

1.9.0-beta.2 (2027-04-01)
- Try it.

1.9.0 (2027-05-01)
Nothing to do.

1.10.0 (2027-09-01)
- Rename \`musik\` to \`music\` in \`site.config.ts\`.

The site is built.

1. Read what changed: ${SERVER}/CHANGELOG.md. Test the site: npm test
2. Upload build/wordpress/pillion.zip in WordPress under Plugins → Add New → Upload Plugin.
3. Deploy the site.
`);
  });

  test('prints the steps also if the site cannot be built, and says what to do next', () => {
    npm(`throw 'there is no member musik'`);
    const { status, stdout, stderr } = update();
    expect(status).toBe(1);
    expect(stdout).toContain('Rename `musik` to `music`');
    expect(stdout).not.toContain('Deploy the site');
    expect(stderr).toContain('cannot be built with Pillion 1.10.0. Correct the site, then run `npm run build`.');
    expect(stderr).toContain('there is no member musik');
    expect(manifest().dependencies['@pillion/server']).toBe('1.10.0');
  });

  test('keeps files of others in vendor/, from a registry and from a checkout', () => {
    npm('console.log(1)');
    const vendor = join(site, 'vendor');
    mkdirSync(vendor);
    writeFileSync(join(vendor, 'own-1.0.0.tgz'), '');
    expect(update().stderr).toBe('');
    mkdirSync(join(site, 'checkout/packages/create-pillion'), { recursive: true });
    writeFileSync(join(vendor, 'pillion-server-1.0.0.tgz'), '');
    expect(update('checkout').stderr).toBe('');
    const [own, packed] = readdirSync(vendor).sort();
    expect([own, packed]).toEqual([
      'own-1.0.0.tgz',
      expect.stringMatching(/^pillion-server-1\.10\.0-[\da-f]{8}\.tgz$/),
    ]);
    expect(manifest().dependencies).toEqual({ '@pillion/server': `file:vendor/${packed}`, other: '1.2.3' });
    expect(update()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Name the folder of a newer checkout'),
    });
  });

  test('restores package.json if the packages cannot be installed', () => {
    npm('', 'echo ERESOLVE >&2; exit 1');
    const before = manifest();
    const { status, stdout, stderr } = update();
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('ERESOLVE');
    expect(manifest()).toEqual(before);
  });

  test('leaves no vendor/ and no package-lock.json if the packages of a checkout cannot be installed', () => {
    npm('', 'touch package-lock.json; exit 1');
    mkdirSync(join(site, 'checkout/packages/create-pillion'), { recursive: true });
    const before = readdirSync(site);
    expect(update('checkout').status).toBe(1);
    expect(readdirSync(site)).toEqual(before);
  });
});
