// Typefaces as packages of Fontsource on npm.
import { runNpm } from './npm.mjs';
import { Unusable } from './unusable.mjs';

/**
 * @typedef {object} Typeface
 * @property {string} name Of the package.
 * @property {string} version
 * @property {string} family As CSS calls it; CSS compares names without case.
 * @property {string[]} files Stylesheets of the package that the site imports.
 * @property {boolean} hasWidths
 * @property {string | null} note What it lacks.
 */

/** @param {string} name @returns Version and files of the package; `null` if it is not on npm. */
function fetchPackage(name) {
  const { isSuccess, stdout, errors, isOffline } = runNpm(['pack', name, '--dry-run', '--json', '--fetch-retries=0']);
  if (isOffline)
    throw new Unusable(
      `npm could not reach the registry, so the typeface ${name} was not checked. Try again online, or leave it out and add it later in theme.tokens.json.`,
    );
  if (!isSuccess && !/E404|ENOVERSIONS|ETARGET/.test(errors))
    throw new Unusable(`npm could not look up ${name}:\n${errors}`);
  if (!isSuccess) return null;
  // An array, or since npm 12 an object by name.
  const packed = /** @type {{ version: string, files: { path: string }[] }[]} */ (Object.values(JSON.parse(stdout)));
  return packed[0] ? { version: packed[0].version, files: packed[0].files.map(({ path }) => path) } : null;
}

/**
 * Selects the stylesheets of upright letters.
 * @param {(file: string) => boolean} has Whether the package has a stylesheet.
 * @param {boolean} isVariable Whether it has variable fonts.
 * @returns `lacks`: end of a sentence about what is missing; `null`: nothing.
 */
function selectUpright(has, isVariable) {
  const hasWidths = has('wdth.css');
  const files = isVariable ? [hasWidths ? 'wdth.css' : 'index.css'] : ['400.css', '500.css', '600.css'];
  const lacks = hasWidths ? null : 'has no width axis, so headlines have its normal width.';
  return { files: files.filter(has), hasWidths, lacks };
}

/** Selects the stylesheet of italics. @type {typeof selectUpright} */
function selectItalic(has, isVariable) {
  const files = [isVariable ? 'wght-italic.css' : '400-italic.css'].filter(has);
  const lacks = files.length > 0 ? null : 'has no italics, so browsers slant it for emphasised words.';
  return { files, hasWidths: false, lacks };
}

/**
 * Finds a typeface on npm.
 * @param {string} answer `inter`, `@fontsource/inter` or `@fontsource-variable/inter`. The first finds the variable
 *   one, or else the other.
 * @param {'sans' | 'serif'} kind
 * @returns {Typeface}
 * @throws {Unusable}
 */
export function findTypeface(answer, kind) {
  const [, scope, short = ''] = /^(?:(@fontsource(?:-variable)?)\/)?([a-z\d][a-z\d-]*)$/.exec(answer) ?? [];
  if (!short)
    throw new Unusable(
      `"${answer}" is not a package of Fontsource. Give a name such as inter (fontsource.org lists them).`,
    );
  for (const one of scope ? [scope] : ['@fontsource-variable', '@fontsource']) {
    const name = `${one}/${short}`;
    const fetched = fetchPackage(name);
    if (!fetched) continue;
    const isVariable = one !== '@fontsource';
    const has = (/** @type {string} */ file) => fetched.files.includes(file);
    const { files, hasWidths, lacks } = (kind === 'sans' ? selectUpright : selectItalic)(has, isVariable);
    return {
      ...{ name, version: fetched.version, hasWidths },
      family: `${short.replaceAll('-', ' ')}${isVariable ? ' variable' : ''}`,
      files: files.length > 0 ? files : ['index.css'],
      note: lacks && `${short} ${lacks}`,
    };
  }
  throw new Unusable(
    `There is no typeface "${answer}" on npm. Look up its name at fontsource.org, for example inter or source-serif-4.`,
  );
}
