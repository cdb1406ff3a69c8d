// What `pillion push` and `pillion pull` share.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { siteFolder } from '@pillion/lib/site-folder.mjs';
import { importFile } from '../vite/import-file.mjs';
import { ownPartsPlugin } from '../vite/own-parts-plugin.mjs';

/**
 * @param {string[]} args
 * @param {string[]} options Known ones.
 * @returns The content folder that the arguments name. Default: `content/` of the site.
 */
export function folderIn(args, options) {
  const unknown = args.find((one) => one.startsWith('-') && !options.includes(one));
  if (unknown)
    throw new Error(
      `${unknown} is not an option of this command. ${options.length > 0 ? `Use ${options.join(', ')}.` : 'It has none.'}`,
    );
  const [folder = join(siteFolder(), 'content'), ...others] = args.filter((one) => !options.includes(one));
  if (others.length > 0) throw new Error('Name one folder.');
  return resolve(folder);
}

/** Whether requests to it stay on this machine or are encrypted. @param {string} url */
export const isPrivate = (url) => /^https:\/\/[^/]|^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?:[:/]|$)/.test(url);

/**
 * @template {string} Name
 * @param {Record<Name, string>} variables What each is.
 * @param {string | null} password What must not be sent to another machine without https.
 * @returns {Record<Name, string>} Their values. CONTENT_URL has no slash at its end.
 */
export function fromEnvironment(variables, password) {
  const names = /** @type {Name[]} */ (Object.keys(variables));
  const missing = names.filter((name) => !process.env[name]?.trim());
  if (missing.length > 0)
    throw new Error(missing.map((name) => `${name} is missing: set it to ${variables[name]}.`).join('\n'));
  const values = Object.fromEntries(names.map((name) => [name, process.env[name]?.trim().replace(/\/+$/, '') ?? '']));
  if (!/^https?:\/\/[^/]/.test(values.CONTENT_URL ?? ''))
    throw new Error(
      'CONTENT_URL must begin with https://, as in https://cms.example.org. On this machine http:// is possible.',
    );
  if (password !== null && !isPrivate(values.CONTENT_URL ?? ''))
    throw new Error(
      `CONTENT_URL must begin with https://, because the ${password} is sent there. On this machine http:// is possible.`,
    );
  return /** @type {Record<Name, string>} */ (values);
}

/**
 * Imports a TypeScript module by Vite, so that it knows the own sections of a site.
 * @param {string} name
 * @param {string} [site] Its folder.
 */
export const importWithSections = (name, site = siteFolder()) =>
  importFile(fileURLToPath(import.meta.resolve(name)), process.cwd(), [ownPartsPlugin(resolve(site))]);
