import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { strayValues } from './stray-values.mjs';

const strayIn = (css: string) => strayValues(css).map(({ line, value }) => `${line} ${value}`);

test('colours and families outside the theme file are found, with their line', () => {
  expect(strayIn('.a {\n  color: #f12;\n  background: rgb(1 2 3 / 50%);\n}')).toEqual(['2 #f12', '3 rgb(1 2 3 / 50%)']);
  expect(strayIn('.a { & b { border: 1px solid hsl(20deg 50% 50%) } }')).toEqual(['1 hsl(20deg 50% 50%)']);
  expect(strayIn('/* #fff\n */ .a { font-family: Georgia, serif }')).toEqual(['2 Georgia, serif']);
  expect(strayIn('.a { --own: oklch(0.5 0.1 20); --accent-2: #f00 }')).toEqual(['1 oklch(0.5 0.1 20)', '1 #f00']);
  expect(strayIn(".a { color: color(display-p3 1 0 0); font-family: 'Own' }")).toEqual([
    '1 color(display-p3 1 0 0)',
    "1 'Own'",
  ]);
});

test('what follows the theme is not reported', () => {
  const css = `
    @import './fonts.css';
    @font-face { font-family: 'Own'; src: url('./own.woff2') }
    #add:hover { color: rgb(var(--veil) / 55%); background: oklch(from var(--accent) 75% c h) }
    .a { mask: linear-gradient(#000, transparent); font-family: var(--serif); fill: currentColor }
    .b { font-family: ui-monospace, monospace; filter: url(#fade); content: "#123"; color: color-mix(in srgb, var(--a), red) }
    @property --x { syntax: '<color>'; inherits: false; initial-value: #000 }
    .c::before { content: '#456' attr(id) "#789" }
    .c { font-family: revert; background: url("i.svg#add") }`;
  expect(strayIn(css)).toEqual([]);
});

test('the sites of the repository have all colours and families in their theme files', () => {
  const files = ['site', ...globSync('sites/*')].flatMap((folder) =>
    globSync(`${folder}/**/*.css`, { exclude: (name) => /node_modules|build/.test(name) }),
  );
  expect(files.length).toBeGreaterThan(3);
  const found = files.flatMap((file) => strayIn(readFileSync(join(file), 'utf8')).map((one) => `${file} ${one}`));
  expect(found).toEqual([]);
});
