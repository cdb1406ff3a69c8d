import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { lowContrasts } from '@pillion/lib/contrast.mjs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answers, QUESTIONS } from './answers.mjs';
import { filesOf } from './files.mjs';
import { TOOLS, TYPES } from './kit.mjs';
import { makePalette } from './palette.mjs';
import { Unusable } from './unusable.mjs';

const folder = mkdtempSync(join(tmpdir(), 'pillion-create-'));
const path = process.env.PATH;

/** In place of npm: two typefaces, and no network for one. */
const NPM = `#!/bin/sh
case "$2" in
  @fontsource-variable/wide) echo '[{"version":"5.1.0","files":[{"path":"index.css"},{"path":"wdth.css"}]}]' ;;
  @fontsource/upright) echo '{"@fontsource/upright":{"version":"5.2.0","files":[{"path":"400.css"},{"path":"index.css"}]}}' ;;
  *offline) echo 'npm error code ENOTFOUND' >&2; exit 1 ;;
  *) echo 'npm error code E404' >&2; exit 1 ;;
esac
`;

beforeAll(() => {
  writeFileSync(join(folder, 'npm'), NPM);
  chmodSync(join(folder, 'npm'), 0o755);
  process.env.PATH = `${folder}${delimiter}${path}`;
});
afterAll(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true });
});

/** Writes a file and returns its path. */
function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const logo = (inside: string) =>
  file('logo.svg', `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`);
const tokens = (colour: object) => file('tokens.json', { colour: { $type: 'color', ...colour } });

/** Answers all questions as the command does: the given ones, and else the defaults. */
function answer(given: Partial<Record<keyof Answers, string>>): { answers: Answers; notes: string[] } {
  const notes: string[] = [];
  const answers: Record<string, unknown> = {};
  for (const [flag, { fallback, parse }] of Object.entries(QUESTIONS))
    answers[flag] = parse(given[flag as keyof Answers] ?? fallback(answers), answers, (note) => notes.push(note));
  return { answers: answers as unknown as Answers, notes };
}

test.each<[what: string, () => Partial<Record<keyof Answers, string>>, message: string | RegExp]>([
  ['an empty name', () => ({ name: '' }), '1 to 80 characters'],
  ['a name in two lines', () => ({ name: 'One\nTwo' }), 'in one line'],
  ['another look', () => ({ look: 'blue' }), 'Choose light or dark'],
  ['a word as colour', () => ({ accent: 'blue' }), '"blue" is not a colour'],
  ['an accent without contrast', () => ({ accent: '#ffd400' }), /accent #ffd400 .* nearest .* #[\da-f]{6}.* look dark/],
  ['a hero that does not exist', () => ({ hero: 'video' }), 'Choose picture or film or type'],
  ['a language that does not exist', () => ({ languages: 'en,qx' }), '"qx" is not a language tag'],
  ['a language that is no tag', () => ({ languages: 'e n' }), '"e n" is not a language tag'],
  ['no language', () => ({ languages: ',' }), 'needs at least one language'],
  ['a part other than music', () => ({ without: 'music,search' }), '"search" cannot be left out'],
  ['a typeface that is not on npm', () => ({ sans: 'nope' }), 'no typeface "nope" on npm'],
  ['a typeface of another scope', () => ({ sans: '@other/inter' }), 'not a package of Fontsource'],
  ['a typeface without a network', () => ({ sans: 'offline' }), 'npm could not reach the registry'],
  ['a logo that does not exist', () => ({ logo: join(folder, 'none.svg') }), 'cannot be read'],
  ['a logo that is no SVG', () => ({ logo: file('logo.svg', 'PNG') }), 'is not an SVG'],
  ['a logo with script', () => ({ logo: logo('<script>1</script>') }), 'contains script'],
  ['a logo with a handler', () => ({ logo: logo('<path onload="x()"/>') }), 'contains script'],
  ['a logo with an address', () => ({ logo: logo('<a href="https://example.org"/>') }), 'reference to another file'],
  ['a logo with styles', () => ({ logo: logo('<style>a{fill:none}</style>') }), 'contains styles'],
  ['a logo with text', () => ({ logo: logo('<text>A</text>') }), 'text into paths'],
  ['a logo without viewBox', () => ({ logo: file('logo.svg', '<svg><path d="M0 0"/></svg>') }), 'no viewBox'],
  ['tokens that are no JSON', () => ({ tokens: file('tokens.json', '{') }), 'cannot be read'],
  ['tokens without a colour', () => ({ tokens: tokens({}) }), 'no colour of the names'],
  ['an alias without a target', () => ({ tokens: tokens({ accent: { $value: '{a.b}' } }) }), 'refers to {a.b}'],
  ['an alias of itself', () => ({ tokens: tokens({ accent: { $value: '{colour.accent}' } }) }), 'refers to itself'],
  ['a token that is no colour', () => ({ tokens: tokens({ accent: { $value: 'blue' } }) }), 'colour.accent is "blue"'],
  ['a token without contrast', () => ({ tokens: tokens({ muted: { $value: '#dddddd' } }) }), 'muted #dddddd'],
])('refuses %s and says what to do', (_what, given, message) => {
  expect(() => answer(given())).toThrow(message);
  expect(() => answer(given())).toThrow(Unusable);
});

test('derives a readable palette in both themes from any accent', () => {
  const channel = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(channel, channel, channel, fc.constantFrom('light', 'dark'), (red, green, blue, look) => {
      const hex = `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
      const { dark, light } = makePalette(hex, look);
      expect([...lowContrasts(dark), ...lowContrasts(light)]).toEqual([]);
    }),
  );
});

test('takes colours from tokens with aliases, for both themes or one', () => {
  const given = tokens({
    brand: { $value: { colorSpace: 'srgb', components: [0, 0.2, 0.6] } },
    accent: { $value: '{colour.brand}' },
    dark: { surface: { $value: { colorSpace: 'oklch', components: [1, 0, 0], hex: '#FFFFFF' } } },
  });
  const { dark, light } = answer({ tokens: given }).answers.accent;
  expect([dark.accent, light.accent, dark.surface, light.surface]).toEqual([
    '#003399',
    '#003399',
    '#ffffff',
    expect.not.stringMatching('#ffffff'),
  ]);
});

test('checks a site with the types of the kit', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(devDependencies).toMatchObject(TYPES);
});

test('builds a site with the tools that the server requires', () => {
  const peersOf = (name: string) => JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8')).peerDependencies;
  expect(TOOLS).toEqual({ ...peersOf('server'), ...peersOf('site-tests') });
});

test('notes what a typeface or a language lacks', () => {
  const { answers, notes } = answer({ sans: 'wide', serif: 'upright', languages: 'sv,he', without: 'music' });
  expect(answers.sans).toMatchObject({
    name: '@fontsource-variable/wide',
    family: 'wide variable',
    files: ['wdth.css'],
  });
  expect(notes).toEqual([
    expect.stringContaining('no texts in sv'),
    expect.stringContaining('no texts in he'),
    expect.stringContaining('upright has no italics'),
  ]);
  expect(answers.without).toEqual(['music']);
});

test('titles the forms of all languages differently, as push finds them by title', async () => {
  const files = await filesOf(answer({ languages: 'en,sv,pt,pt-BR' }).answers, 'site', {});
  const forms = [...files].filter(([path]) => path.includes('/forms/')).map(([, form]) => JSON.parse(String(form)));
  expect(new Set(forms.map(({ title }) => title)).size).toBe(4);
});

test('writes any name as it is, in at most 40 files and 1500 lines', async () => {
  for (const name of ['O"Neil & “Söhne” </script> ` \\', 'مقهى النور']) {
    const { answers } = answer({ name, languages: 'de,fr,ar' });
    const files = await filesOf(answers, 'Mein Café', {});
    const read = (path: string) => JSON.parse(String(files.get(path)));
    expect(read('package.json').name).toBe('mein-caf');
    for (const tag of answers.languages) expect(read(`content/${tag}/strings.json`).brand).toBe(name);
    expect(read('content/en/strings.json').brand).toBe(name);
    expect(read('content/en/strings.json').languages.map(({ dir }: { dir: string }) => dir)).toEqual([
      'ltr',
      'ltr',
      'rtl',
    ]);
    // The kit has the labels in these languages.
    for (const tag of answers.languages) expect(read(`content/${tag}/strings.json`)).not.toHaveProperty('labels');
    expect(JSON.stringify(read('content/de/pages/2.json'))).not.toContain('</script>');
    const texts = [...files.values()].filter((content) => typeof content === 'string');
    expect(files.size).toBeLessThanOrEqual(40);
    expect(texts.join('').split('\n').length).toBeLessThanOrEqual(1500);
  }
});

test.each(['light', 'dark'])('accepts its own defaults with the look %s', (look) => {
  const { answers, notes } = answer({ look });
  expect(answers).toMatchObject({ name: 'Example', hero: 'picture', languages: ['en'], logo: null });
  expect(answers.accent.dark.accent).toMatch(/^#[\da-f]{2}[\da-f]{2}[c-f][\da-f]$/);
  expect(notes).toEqual([]);
});

test('gives a site with a film the drawn picture, and says where the film belongs', async () => {
  const { answers } = answer({ hero: 'film' });
  const files = await filesOf(answers, 'site', {});
  const front = JSON.parse(String(files.get('content/en/pages/1.json')));
  expect(front.sections[0]).toMatchObject({ type: 'hero', picture: { url: '/media/hero.webp' } });
  expect(files.has('content/media/hero.webp')).toBe(true);
  expect(String(files.get('README.md'))).toContain('content/media/hero.mp4');
  expect(String((await filesOf(answer({}).answers, 'site', {})).get('README.md'))).not.toContain('film');
});

/** What a translation must keep: members, types, placeholders and tags. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return (value.match(/\{\w+\}|<[^>]+>/g) ?? []).sort();
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
}

test('has words of the same shape in ten languages, with slugs in ASCII', () => {
  const files = globSync('packages/create-pillion/words/*.json').sort();
  const languages = files.map((file) => basename(file, '.json'));
  expect(languages).toEqual(['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt']);
  const [ofEnglish, ...others] = ['en', ...languages].map((language) => {
    const { strings, ...words } = JSON.parse(readFileSync(`packages/create-pillion/words/${language}.json`, 'utf8'));
    expect([language, strings !== undefined]).toEqual([language, language === 'en']);
    for (const slug of Object.values(words.slugs)) expect(slug).toMatch(/^[a-z]+(-[a-z]+)*$/);
    return shapeOf(words);
  });
  for (const [index, words] of others.entries())
    expect([languages[index], words]).toEqual([languages[index], ofEnglish]);
});

test('gives the pages of different languages different slugs, which WordPress requires', async () => {
  const { answers } = answer({ languages: 'en,it,ja,sv,nl' });
  const files = await filesOf(answers, 'site', {});
  const slugs = answers.languages.flatMap((tag) =>
    JSON.parse(String(files.get(`content/${tag}/routes.json`)))
      .filter((route: { is_front: boolean }) => !route.is_front)
      .map(({ slug }: { slug: string }) => slug),
  );
  expect(slugs).toHaveLength(10);
  expect(new Set(slugs).size).toBe(10);
});
