import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { siteFolder } from '@pillion/lib/site-folder.mjs';
import { importFile } from '../vite/import-file.mjs';
import { ownPartsPlugin } from '../vite/own-parts-plugin.mjs';

/** What the command needs from the environment, and what it is. */
const VARIABLES = {
  CONTENT_URL: 'the address of WordPress',
  WORDPRESS_USER: 'the name of an administrator',
  WORDPRESS_PASSWORD: 'an application password of that user (Users → Profile)',
};

/** @param {string[]} args */
function readArguments(args) {
  const unknown = args.find((one) => one.startsWith('-') && one !== '--write');
  if (unknown) throw new Error(`${unknown} is not an option of this command. Use --write.`);
  const [folder = join(siteFolder(), 'content'), ...others] = args.filter((one) => one !== '--write');
  if (others.length > 0) throw new Error('Name one folder.');
  return { directory: resolve(folder), isWriting: args.includes('--write') };
}

function readEnvironment() {
  const missing = Object.entries(VARIABLES).filter(([name]) => !process.env[name]?.trim());
  if (missing.length > 0)
    throw new Error(missing.map(([name, what]) => `${name} is missing: set it to ${what}.`).join('\n'));
  const { CONTENT_URL = '', WORDPRESS_USER = '', WORDPRESS_PASSWORD = '' } = process.env;
  if (!/^https:\/\/[^/]|^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?:[:/]|$)/.test(CONTENT_URL))
    throw new Error(
      'CONTENT_URL must begin with https://, because the password is sent there. On this machine http:// is possible.',
    );
  return {
    url: CONTENT_URL.trim().replace(/\/+$/, ''),
    user: WORDPRESS_USER.trim(),
    password: WORDPRESS_PASSWORD.trim(),
  };
}

/**
 * Adds the content of a folder to a WordPress. Without `--write` it prints what it would add.
 * @param {string[]} args `[--write] [FOLDER]`
 * @throws With the reason and what to do.
 */
export async function push(args) {
  const { directory, isWriting } = readArguments(args);
  const login = readEnvironment();
  const file = fileURLToPath(import.meta.resolve('@pillion/content/push/push.ts'));
  // By Vite, so that it knows the site's own sections.
  const { planPush } = /** @type {typeof import('@pillion/content/push/push.ts')} */ (
    await importFile(file, process.cwd(), [ownPartsPlugin(resolve(siteFolder()))])
  );
  const steps = await planPush({ directory, ...login });
  const added = steps.filter(({ kept }) => kept === null);
  for (const { name, kept, write } of steps) {
    if (kept !== null) console.log(`  keep  ${name} (${kept})`);
    else if (isWriting) {
      await write();
      console.log(`  added ${name}`);
    } else console.log(`  add   ${name}`);
  }
  if (added.length === 0) console.log(`${login.url} has everything.`);
  else if (isWriting) console.log(`${added.length} added to ${login.url}.`);
  else console.log(`Nothing is written yet. Add --write to add these ${added.length} to ${login.url}.`);
}
