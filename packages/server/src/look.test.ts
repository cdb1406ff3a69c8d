import { tokenOf, WEBHOOK_SECRET } from '@pillion/content/testing/preview.ts';
import tokens from '@pillion/tests/site/theme.tokens.json';
import { expect, test } from 'vitest';
import { createLooks } from './look.ts';
import { defineSite } from './site.ts';
import { startAppForEach } from './testing/start-app-for-each.ts';

const colour = (hex: string, more: object = {}) => ({ $value: { hex, ...more } });
const editable = { $extensions: { pillion: { editable: true } } };
const own = {
  'ink-accent': { $value: '{color.dark.accent}' },
  sky: { ...editable, ...colour('#466eaa', { alpha: 0.15 }) },
};
const inContrast = { 'accent-in-contrast': colour('#003388') };
const file = { ...tokens, color: { ...tokens.color, own, dark: { ...tokens.color.dark, ...inContrast } } };
const looks = createLooks(defineSite({ theme: file }));

test('a look changes the tokens that are editable, and those that refer to them', () => {
  const { palette, properties } = looks.themeOf({
    ...{ 'color.dark.accent': '#AA0055', 'color.veil': '#123456', 'color.dark.__proto__': '#123456' },
    ...{ 'font.sans': 'Courier New', 'font.serif': 'Courier New', 'color.light.accent': 'red' },
  });
  expect(palette.dark).toMatchObject({ accent: '#aa0055', accent2: '#aa0055' });
  expect([palette.veil, palette.light.accent]).toEqual(['#ffffff', '#0b57d0']);
  expect(properties).toMatchObject({ 'ink-accent': '#aa0055', sans: "'Courier New', 'Arial', sans-serif" });
  expect(palette.dark.accentInContrast, 'it belongs to the accent of the file').toBeUndefined();
});

test('a transparent colour stays transparent, and what cannot be read on paper is black there', () => {
  expect(looks.themeOf({ 'color.own.sky': '#ff0000' }).properties.sky).toBe('#ff000026');
  const night = { background: '#101010', surface: '#181818', text: '#ffffff', muted: '#cccccc', accent: '#7fe0b0' };
  const look = Object.fromEntries(
    Object.entries({ ...night, 'on-accent': '#000000' }).map(([name, hex]) => [`color.dark.${name}`, hex]),
  );
  expect(looks.themeOf(look).properties['ink-accent']).toBe('#000000');
});

test('text that cannot be read is named with the nearest colour, and such a look changes nothing', () => {
  const look = { 'color.light.text': '#dddddd' };
  const { problems, css } = looks.check(look);
  expect(problems).toEqual([
    {
      ...{ path: 'color.light.text', grounds: ['color.light.background', 'color.light.surface'] },
      ...{ ratio: 1.2, asked: 4.5, nearest: expect.stringMatching(/^#[67]/) },
    },
  ]);
  expect(css).toContain('--text:#dddddd');
  expect([looks.addressOf(look), looks.cssOf(look), looks.editorCssOf(look)]).toEqual([null, '', '']);
  expect(looks.paletteOf(look)).toEqual(looks.paletteOf(undefined));
});

test('styles keep muted text plain with more contrast, and the typefaces of languages from right to left', () => {
  const css = looks.cssOf({ 'font.sans': 'Courier New', 'color.own.sky': '#ff0000' });
  expect(css).toMatch(/prefers-contrast: more.*--muted:var\(--text\)/);
  expect(css).toMatch(/:root:not\(\[dir=rtl\]\)\{--sans:'Courier New', 'Arial', sans-serif\}/);
  expect(css).toMatch(/:root\{--veil:[^}]*--sky:#ff000026\}/);
  expect(looks.check({}).css, 'the pane also shows the way back').toContain("--sans:system-ui, 'Arial', sans-serif");
});

const app = startAppForEach({ setup: { env: { WEBHOOK_SECRET } } });

test('an unsaved look is checked for the pane of a preview only, and the styles without a look are empty', async () => {
  const ask = (look: string, token = tokenOf({ k: 'pane' })) =>
    app.request(`https://site.example/api/look?look=${encodeURIComponent(look)}`, {
      headers: { 'pillion-preview-token': token },
    });
  expect((await ask('{}', 'a.b')).status).toBe(401);
  expect(await (await ask('{}', tokenOf())).json()).toEqual({ code: 'wrong' });
  const metrics = await (await app.request('https://site.example/metrics')).text();
  expect(metrics).toContain('pillion_refused_total{kind="preview",reason="wrong"} 2');
  expect((await ask(' '.repeat(5_000))).status).toBe(400);
  for (const look of ['{}', 'no JSON', '[1]'])
    expect(await (await ask(look)).json()).toEqual({ css: '', problems: [] });
  const styles = await app.request('https://site.example/api/look.css?v=1');
  expect([styles.status, styles.headers.get('cache-control'), await styles.text()]).toEqual([200, 'no-store', '']);
});
