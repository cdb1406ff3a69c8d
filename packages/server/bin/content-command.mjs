// What `pillion push` and `pillion pull` share.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { siteFolder } from '@pillion/lib/site-folder.mjs';
import { importFile } from '../vite/import-file.mjs';
import { ownPartsPlugin } from '../vite/own-parts-plugin.mjs';

/**
 * @param {string[]} args
 * @param {string[]} options Options that the command knows.
 * @returns Absolute path of the content folder that the arguments name. Default: `content/` of the site.
 */
export function parseFolder(args, options) {
  const unknown = args.find((arg) => arg.startsWith('-') && !options.includes(arg));
  if (unknown)
    throw new Error(
      `${unknown} is not an option of this command. ${options.length > 0 ? `Use ${options.join(', ')}.` : 'It has none.'}`,
    );
  const [folder = join(siteFolder(), 'content'), ...others] = args.filter((arg) => !options.includes(arg));
  if (others.length > 0) throw new Error('Name one folder.');
  return resolve(folder);
}

/** Whether no other machine can read what is sent there: requests are encrypted or stay on this machine. @param {string} url */
export const isConfidential = (url) =>
  /^https:\/\/[^/]|^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?:[:/]|$)/.test(url);

/**
 * @template {string} Name
 * @param {Record<Name, string>} variables Variables with a description of each, for errors. CONTENT_URL must be one of them.
 * @param {string | null} credential Name of what must not be sent without https, for the error; `null`: http is allowed.
 * @returns {Record<Name, string>} Their values. CONTENT_URL has no slash at its end.
 * @throws If a variable is missing, or CONTENT_URL is not such an address.
 */
export function fromEnvironment(variables, credential) {
  const names = /** @type {Name[]} */ (Object.keys(variables));
  const missing = names.filter((name) => !process.env[name]?.trim());
  if (missing.length > 0)
    throw new Error(missing.map((name) => `${name} is missing: set it to ${variables[name]}.`).join('\n'));
  const values = Object.fromEntries(names.map((name) => [name, process.env[name]?.trim() ?? '']));
  const url = (values.CONTENT_URL ?? '').replace(/\/+$/, '');
  if (!/^https?:\/\/[^/]/.test(url))
    throw new Error(
      'CONTENT_URL must begin with https://, as in https://cms.example.org. On this machine http:// is possible.',
    );
  if (credential !== null && !isConfidential(url))
    throw new Error(
      `CONTENT_URL must begin with https://, because the ${credential} is sent there. On this machine http:// is possible.`,
    );
  return /** @type {Record<Name, string>} */ ({ ...values, CONTENT_URL: url });
}

/**
 * Imports a TypeScript module of the kit by Vite, so that it knows the sections of a site.
 * @param {string} name Of a module that a package exports.
 * @param {string} [folder] Of the site.
 */
export const importWithSections = (name, folder = siteFolder()) =>
  importFile(fileURLToPath(import.meta.resolve(name)), process.cwd(), [ownPartsPlugin(resolve(folder))]);
