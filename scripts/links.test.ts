import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const pages = execFileSync('git', ['ls-files', '-z', '*.md'], { encoding: 'utf8' }).split('\0').filter(existsSync);

/** The anchors of a page's headings, in GitHub's format. */
const anchorsOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

function isBroken(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(file)) return true;
  return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor);
}

test('every relative link in the docs leads to a file and to one of its headings', () => {
  expect(pages.length).toBeGreaterThan(50);
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && isBroken(page, target))
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

/** Historical pages may name paths that no longer exist. */
const isHistory = (page: string) => page.endsWith('CHANGELOG.md') || page.startsWith('docs/decisions/');

test('every path of the repository in the docs exists', () => {
  const missing = pages
    .filter((page) => !isHistory(page))
    .flatMap((page) =>
      [
        ...readFileSync(page, 'utf8').matchAll(
          /`((?:packages|plugins|site|scripts|tests|bench|deploy|docs)\/[\w./@-]+)`/g,
        ),
      ]
        .map(([, path = '']) => path)
        .filter((path) => !existsSync(path))
        .map((path) => `${page}: ${path}`),
    );
  expect(missing).toEqual([]);
});
