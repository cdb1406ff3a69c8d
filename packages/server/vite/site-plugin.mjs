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

/** Folders in a site's folder whose stylesheets are not its own. */
const NOT_OF_THE_SITE = new Set(['node_modules', 'build', 'data']);

/** @param {string} path */
const quoted = (path) => JSON.stringify(path);

/**
 * Writes a file unless it has this content already, since several builds may run at once.
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * @param {string} folder Of the site.
 * @param {string} member
 * @param {string | undefined} name Value of the member.
 * @returns Absolute path of the file; `null` without a value.
 */
function fileOf(folder, member, name) {
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
function checkPackage(root, name) {
  const [scope = '', rest = ''] = name.split('/');
  const of = scope.startsWith('@') ? `${scope}/${rest}` : scope;
  const places = createRequire(join(root, CONFIGURATION)).resolve.paths(of) ?? [];
  if (!places.some((place) => existsSync(join(place, of))))
    throw new Error(`theme: ${name} is a file of a package that is not installed. Run npm install ${of}.`);
}

/**
 * Icons by name, without those that the site has as files of `public/`.
 * @param {string} folder
 * @param {Site} config
 */
async function iconsOf(folder, config) {
  if (!config.icons) return new Map();
  const { favicon, app } = config.icons;
  if (!favicon || !app) throw new Error('site.config: icons needs two drawings: favicon and app.');
  /** @param {string} name */
  const read = (name) => readFileSync(fileOf(folder, 'icons', name) ?? name, 'utf8');
  const made = await makeIcons({ favicon, app }, read, config.theme);
  for (const name of made.keys()) if (existsSync(join(folder, 'public', name))) made.delete(name);
  return made;
}

/**
 * Text of the modules `virtual:pillion/…`.
 * @param {string} folder
 * @param {Site} config
 * @returns {Record<string, () => string>}
 */
const modulesOf = (folder, config) => ({
  site: () => `export { default } from ${quoted(join(folder, CONFIGURATION))};`,
  icons() {
    const names = [...ICONS.keys()].filter((name) => config.icons || existsSync(join(folder, 'public', name)));
    return `export default ${JSON.stringify(names)};`;
  },
  hero() {
    const hero = fileOf(folder, 'hero', config.hero);
    return hero ? `export { mountHero } from ${quoted(hero)};` : 'export const mountHero = null;';
  },
  'error-art'() {
    const art = fileOf(folder, 'errorPage.art', config.errorPage?.art);
    return art ? `export { Art } from ${quoted(art)};` : 'export const Art = ({ children }) => children;';
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
 * The stylesheets that the kit imports as `virtual:pillion/…`.
 * @param {string} folder
 * @param {Site} config
 * @param {string} root
 */
function stylesheetsOf(folder, config, root) {
  const own = hash('sha256', folder).slice(0, 8);
  /**
   * Two sites may be built in one folder at once, so the name has a hash of the site's folder. It stays the same when
   * the theme changes: otherwise Vite prepares all packages again.
   * @param {string} kind
   * @param {string} css
   */
  const written = (kind, css) => {
    const path = resolve(root, 'node_modules/.pillion', `${kind}-${own}.css`);
    write(path, css);
    return path;
  };
  const typefaces = config.theme.stylesheets
    .map((name) => `@import '${name.startsWith('.') ? fileOf(folder, 'theme', name) : name}';\n`)
    .join('');
  /** @param {string} name Of a stylesheet of the kit. */
  const neutral = (name) => fileURLToPath(import.meta.resolve(name));
  // A stylesheet can import only files.
  return {
    'virtual:pillion/tokens.css': written('tokens', themeCss(config.theme)),
    'virtual:pillion/editor-tokens.css': written('editor-tokens', editorThemeCss(config.theme)),
    // Vite warns of an empty file.
    'virtual:pillion/typefaces.css': written('typefaces', typefaces || '/* Typefaces of the system. */\n'),
    'virtual:pillion/theme.css':
      fileOf(folder, 'styles', config.styles) ?? neutral('@pillion/react/styles/neutral-theme.css'),
    'virtual:pillion/right-to-left.css':
      fileOf(folder, 'rightToLeftStyles', config.rightToLeftStyles) ??
      neutral('@pillion/react/styles/neutral-right-to-left.css'),
    'virtual:pillion/error-page.css':
      fileOf(folder, 'errorPage.styles', config.errorPage?.styles) ??
      neutral('@pillion/react/styles/neutral-error-page.css'),
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
      fileOf(folder, 'hero', config.hero);
      fileOf(folder, 'errorPage.art', config.errorPage?.art);
      for (const name of config.theme.stylesheets) if (!name.startsWith('.')) checkPackage(root, name);
      for (const [style, { files }] of Object.entries(config.shareTypefaces ?? {}))
        for (const name of files) fileOf(folder, `shareTypefaces.${style}`, name);
      return { resolve: { alias: stylesheetsOf(folder, config, root) } };
    },
    buildStart() {
      // The server's build has the same stylesheets.
      if (this.environment.name !== 'client') return;
      for (const name of globSync('**/*.css', { cwd: folder, exclude: (part) => NOT_OF_THE_SITE.has(basename(part)) }))
        for (const { line, value } of strayValues(readFileSync(join(folder, name), 'utf8')))
          this.warn(
            `${name}:${line}: "${value}" does not change with the theme. Use a custom property of theme.tokens.json, such as var(--accent), or declare it there under color.own.`,
          );
    },
    async generateBundle() {
      if (this.environment.name !== 'client') return;
      for (const [fileName, source] of await iconsOf(folder, config))
        this.emitFile({ type: 'asset', fileName, source });
    },
    configureServer({ middlewares }) {
      middlewares.use(async ({ url = '' }, response, next) => {
        const name = url.slice(1).split('?', 1)[0] ?? '';
        const type = ICONS.get(name);
        if (!type || existsSync(join(folder, 'public', name))) return next();
        const icons = await iconsOf(folder, config).catch(next);
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
        const make = modulesOf(folder, config)[id.split('/').at(-1) ?? ''];
        if (!make) throw new Error(`There is no module ${id.slice(1)}.`);
        return make();
      },
    },
  };
}
