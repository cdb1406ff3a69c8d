import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildTranslations } from './translations.mjs';

const FOLDER = 'plugins/pillion/languages';

test('every text of the plugin is translated into German', async () => {
  expect((await buildTranslations()).missing).toEqual({ 'pillion-de_DE': [] });
});

test('the plugin’s committed translations match its texts (npm run translations)', async () => {
  const { files } = await buildTranslations();
  expect(readdirSync(FOLDER).sort()).toEqual([...files.keys()].sort());
  const outdated = [...files].filter(
    ([name, content]) => !readFileSync(join(FOLDER, name)).equals(Buffer.from(content)),
  );
  expect(outdated.map(([name]) => name)).toEqual([]);
});

const placeholders = (text: string) => text.match(/%(?:\d\$)?[ds]|\{\w+\}|<[^>]+>/g)?.sort() ?? [];

test('translations have the placeholders and tags of their originals', () => {
  const po = readFileSync(join(FOLDER, 'pillion-de_DE.po'), 'utf8');
  const pairs = [...po.matchAll(/^msgid "(.+)"\n(?:msgid_plural .+\n)?msgstr(?:\[0\])? "(.+)"$/gm)];
  expect(pairs.length).toBeGreaterThan(800);
  for (const [, original = '', translation = ''] of pairs)
    expect([original, placeholders(translation)]).toEqual([original, placeholders(original)]);
});
