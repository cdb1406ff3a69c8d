import { expect, test } from 'vitest';
import { login } from './browser.ts';
import { createUser, php } from './wordpress.ts';

test.each([
  ['plugins', 'plugins.php', ['Verbindet WordPress mit einer Pillion-Website']],
  ['texts, from their declarations', 'admin.php?page=pillion', ['Texte der Website', 'Schlusszeile', 'Unverändert']],
  [
    'a form, with its script',
    'admin.php?page=pillion-forms&form=new',
    ['Art des Feldes', 'Speichere das Formular, um'],
  ],
  [
    'the block editor, with declared sections and the scripts of sections and preview',
    'post-new.php?post_type=page',
    ['Fakt entfernen', 'ist nicht mehr in der Mediathek', 'Die Website neben dem Editor'],
  ],
])('an editor with a German profile gets German on the screen of %s', async (_screen, path, texts) => {
  // The site's language stays English.
  php(`update_user_meta( ${createUser('sprache', 'administrator').id}, 'locale', 'de_DE' );`);
  const { html } = await (await login('sprache', 'sprache')).page(`/wp-admin/${path}`);
  expect(texts.filter((text) => !html.includes(text))).toEqual([]);
});
