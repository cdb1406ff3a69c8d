import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const pages = execFileSync('git', ['ls-files', '-z', '*.md'], { encoding: 'utf8' }).split('\0').filter(existsSync);

/** The anchors that a page has for its headings, made as GitHub makes them. */
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

test('every relative link of a page leads to a file, and to a heading of it', () => {
  expect(pages.length).toBeGreaterThan(50);
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && isBroken(page, target))
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

/** Past states: paths of then are right there. */
const isHistory = (page: string) => page === 'CHANGELOG.md' || page.startsWith('docs/decisions/');

test('every path of the repository that a page names exists', () => {
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
