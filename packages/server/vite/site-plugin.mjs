import { hash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ICONS, makeIcons } from './icons.mjs';
import { importFile } from './import-file.mjs';
import { strayValues } from './stray-values.mjs';
import { editorThemeCss, themeCss } from './theme-css.mjs';

/** @typedef {import('@pillion/server/site.ts').Site} Site */

const CONFIGURATION = 'site.config.ts';

/** Folders in a site's folder whose stylesheets are not checked, since they are not the site's. */
const UNCHECKED = new Set(['node_modules', 'build', 'data']);

/**
 * Writes a file unless it has this content already, since several builds may run at once.
 * @param {string} path
 * @param {string} text
 */
function writeIfChanged(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * @param {string} folder Of the site.
 * @param {string} member Of `site.config.ts`, for the error.
 * @param {string | undefined} name Value of the member.
 * @returns Absolute path of the file; `null` without a value.
 * @throws If the file does not exist.
 */
function resolveMember(folder, member, name) {
  if (name === undefined) return null;
  const path = join(folder, name);
  if (existsSync(path)) return path;
  throw new Error(
    `site.config: ${member} names ${name}, which does not exist. Name a file of the site, or leave the member out.`,
  );
}

/**
 * @param {string} root Folder where Vite looks for packages.
 * @param {string} name Of a stylesheet in a package.
 * @throws {Error} If the package is not installed.
 */
function requirePackage(root, name) {
  const [scopeOrName = '', nameInScope = ''] = name.split('/');
  const packageName = scopeOrName.startsWith('@') ? `${scopeOrName}/${nameInScope}` : scopeOrName;
  const folders = createRequire(join(root, CONFIGURATION)).resolve.paths(packageName) ?? [];
  if (!folders.some((folder) => existsSync(join(folder, packageName))))
    throw new Error(`theme: ${name} is a file of a package that is not installed. Run npm install ${packageName}.`);
}

/**
 * Makes the site's icons, except those that it has as files of `public/`.
 * @param {string} folder Of the site.
 * @param {Site} config
 * @returns {Promise<Map<string, string | Buffer>>} Files by name; none without drawings.
 */
async function makeMissingIcons(folder, config) {
  if (!config.icons) return new Map();
  const { favicon, app } = config.icons;
  if (!favicon || !app) throw new Error('site.config: icons needs two drawings: favicon and app.');
  /** @param {string} name */
  const read = (name) => readFileSync(resolveMember(folder, 'icons', name) ?? name, 'utf8');
  const icons = await makeIcons({ favicon, app }, read, config.theme);
  for (const name of icons.keys()) if (existsSync(join(folder, 'public', name))) icons.delete(name);
  return icons;
}

/**
 * Makes the text of the modules `virtual:pillion/…`.
 * @param {string} folder Of the site.
 * @param {Site} config
 * @returns {Record<string, () => string>} By the name of the module.
 */
const moduleWriters = (folder, config) => ({
  site: () => `export { default } from ${JSON.stringify(join(folder, CONFIGURATION))};`,
  icons() {
    const names = [...ICONS.keys()].filter((name) => config.icons || existsSync(join(folder, 'public', name)));
    return `export default ${JSON.stringify(names)};`;
  },
  hero() {
    const hero = resolveMember(folder, 'hero', config.hero);
    return hero ? `export { mountHero } from ${JSON.stringify(hero)};` : 'export const mountHero = null;';
  },
  'error-art'() {
    const art = resolveMember(folder, 'errorPage.art', config.errorPage?.art);
    return art ? `export { Art } from ${JSON.stringify(art)};` : 'export const Art = ({ children }) => children;';
  },
  music: () =>
    config.music === false
      ? `export { createSilence as createMixer } from '@pillion/motion/sound/silent.ts';
         export const attachSound = () => {};`
      : `export { createMixer } from '@pillion/motion/sound/mixer.ts';
         export { attachSound } from '@pillion/react/shell/sound-toggle/attach-sound.ts';`,
  'sound-controls': () =>
    config.music === false
      ? 'export const SoundHint = () => null; export const SoundToggle = SoundHint;'
      : `export { SoundHint } from '@pillion/react/shell/sound-hint/sound-hint.tsx';
         export { SoundToggle } from '@pillion/react/shell/sound-toggle/sound-toggle.tsx';`,
});

/**
 * Writes the stylesheets that are made from the configuration. A stylesheet can import only files.
 * @param {string} folder Of the site.
 * @param {Site} config
 * @param {string} root Folder of `node_modules/`.
 * @returns Absolute path of each stylesheet that the kit imports as `virtual:pillion/…`.
 */
function writeStylesheets(folder, config, root) {
  const folderHash = hash('sha256', folder).slice(0, 8);
  /**
   * Two sites may be built in one folder at once, so the name has a hash of the site's folder. It stays the same when
   * the theme changes: otherwise Vite prepares all packages again.
   * @param {string} kind
   * @param {string} css
   * @returns Path of the written file.
   */
  const write = (kind, css) => {
    const path = resolve(root, 'node_modules/.pillion', `${kind}-${folderHash}.css`);
    writeIfChanged(path, css);
    return path;
  };
  const typefaces = config.theme.stylesheets
    .map((name) => `@import '${name.startsWith('.') ? resolveMember(folder, 'theme', name) : name}';\n`)
    .join('');
  /** @param {string} name Of a stylesheet of the kit. */
  const kitFile = (name) => fileURLToPath(import.meta.resolve(name));
  return {
    'virtual:pillion/tokens.css': write('tokens', themeCss(config.theme)),
    'virtual:pillion/editor-tokens.css': write('editor-tokens', editorThemeCss(config.theme)),
    // Vite warns of an empty file.
    'virtual:pillion/typefaces.css': write('typefaces', typefaces || '/* Typefaces of the system. */\n'),
    'virtual:pillion/theme.css':
      resolveMember(folder, 'styles', config.styles) ?? kitFile('@pillion/react/styles/neutral-theme.css'),
    'virtual:pillion/right-to-left.css':
      resolveMember(folder, 'rightToLeftStyles', config.rightToLeftStyles) ??
      kitFile('@pillion/react/styles/neutral-right-to-left.css'),
    'virtual:pillion/error-page.css':
      resolveMember(folder, 'errorPage.styles', config.errorPage?.styles) ??
      kitFile('@pillion/react/styles/neutral-error-page.css'),
  };
}

/**
 * A Vite plugin: the kit imports the site's configuration as `virtual:pillion/…`. Bundles have no code for parts that
 * the site does not use.
 * @param {string} folder Absolute path of the folder with `site.config.ts`.
 * @returns {import('vite').Plugin}
 */
export function site(folder) {
  /** @type {Site} */
  let config;

  return {
    name: 'pillion-site',
    async config({ root = process.cwd() }) {
      config = /** @type {{ default: typeof config }} */ (await importFile(join(folder, CONFIGURATION), root)).default;
      resolveMember(folder, 'hero', config.hero);
      resolveMember(folder, 'errorPage.art', config.errorPage?.art);
      for (const name of config.theme.stylesheets) if (!name.startsWith('.')) requirePackage(root, name);
      for (const [style, { files }] of Object.entries(config.shareTypefaces ?? {}))
        for (const name of files) resolveMember(folder, `shareTypefaces.${style}`, name);
      return { resolve: { alias: writeStylesheets(folder, config, root) } };
    },
    buildStart() {
      // The server's build has the same stylesheets.
      if (this.environment.name !== 'client') return;
      for (const name of globSync('**/*.css', { cwd: folder, exclude: (part) => UNCHECKED.has(basename(part)) }))
        for (const { line, value } of strayValues(readFileSync(join(folder, name), 'utf8')))
          this.warn(
            `${name}:${line}: "${value}" does not change with the theme. Use a custom property of theme.tokens.json, such as var(--accent), or declare it there under color.own.`,
          );
    },
    async generateBundle() {
      if (this.environment.name !== 'client') return;
      for (const [fileName, source] of await makeMissingIcons(folder, config))
        this.emitFile({ type: 'asset', fileName, source });
    },
    configureServer({ middlewares }) {
      middlewares.use(async ({ url = '' }, response, next) => {
        const name = url.slice(1).split('?', 1)[0] ?? '';
        const type = ICONS.get(name);
        if (!type || existsSync(join(folder, 'public', name))) return next();
        const icons = await makeMissingIcons(folder, config).catch(next);
        if (!icons) return;
        const content = icons.get(name);
        if (content) response.writeHead(200, { 'content-type': type }).end(content);
        else next();
      });
    },
    resolveId: {
      filter: { id: /^virtual:pillion\/[\w-]+$/ },
      handler: (id) => `\0${id}`,
    },
    load: {
      filter: { id: /^\0virtual:pillion\// },
      handler(id) {
        const writeModule = moduleWriters(folder, config)[id.split('/').at(-1) ?? ''];
        if (!writeModule) throw new Error(`There is no module ${id.slice(1)}.`);
        return writeModule();
      },
    },
  };
}
