import { fromEnvironment, importWithSections, parseFolder } from './content-command.mjs';

/** What the command needs from the environment, with a description for errors. */
const VARIABLES = {
  CONTENT_URL: 'the address of WordPress',
  WORDPRESS_USER: 'the name of an administrator',
  WORDPRESS_PASSWORD: 'an application password of that user (Users → Profile)',
};

/**
 * Adds the content of a folder to a WordPress. Without `--write` it prints what it would add.
 * @param {string[]} args `[--write] [FOLDER]`
 * @throws With the reason and what to do.
 */
export async function push(args) {
  const directory = parseFolder(args, ['--write']);
  const isWriting = args.includes('--write');
  const { CONTENT_URL, WORDPRESS_USER, WORDPRESS_PASSWORD } = fromEnvironment(VARIABLES, 'password');
  const { planPush } = /** @type {typeof import('@pillion/content/push/push.ts')} */ (
    await importWithSections('@pillion/content/push/push.ts')
  );
  const login = { url: CONTENT_URL, user: WORDPRESS_USER, password: WORDPRESS_PASSWORD };
  const steps = await planPush({ directory, ...login });
  const missing = steps.filter(({ skipReason }) => skipReason === null);
  for (const { name, skipReason, write } of steps) {
    if (skipReason !== null) console.log(`  keep  ${name} (${skipReason})`);
    else if (isWriting) {
      await write();
      console.log(`  added ${name}`);
    } else console.log(`  add   ${name}`);
  }
  if (missing.length === 0) console.log(`${CONTENT_URL} has everything.`);
  else if (isWriting) console.log(`${missing.length} added to ${CONTENT_URL}.`);
  else console.log(`Nothing is written yet. Add --write to add these ${missing.length} to ${CONTENT_URL}.`);
}
