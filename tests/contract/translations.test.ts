import { expect, test } from 'vitest';
import { login } from './browser.ts';
import { php } from './wordpress.ts';

/** An administrator with German as the language of their profile. The site's language stays English. */
async function inGerman<T>(use: (user: string, password: string) => Promise<T>): Promise<T> {
  php(
    `wp_insert_user( array( 'user_login' => 'sprache', 'user_pass' => 'sprache', 'role' => 'administrator', 'locale' => 'de_DE' ) );`,
  );
  try {
    return await use('sprache', 'sprache');
  } finally {
    php(
      `require_once ABSPATH . 'wp-admin/includes/user.php'; wp_delete_user( get_user_by( 'login', 'sprache' )->ID );`,
    );
  }
}

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
])('an editor with a German profile gets German on the screen of %s', (_screen, path, texts) =>
  inGerman(async (user, password) => {
    const { html } = await (await login(user, password)).page(`/wp-admin/${path}`);
    expect(texts.filter((text) => !html.includes(text))).toEqual([]);
  }),
);
