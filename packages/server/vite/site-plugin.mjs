import { existsSync } from 'node:fs';
import { join } from 'node:path';

const MUSIC = `
export { createMixer } from '@pillion/motion/sound/mixer.ts';
export { SoundHint } from '@pillion/react/shell/sound-hint/sound-hint.tsx';
export { SoundToggle } from '@pillion/react/shell/toggles/sound-toggle.tsx';
`;
const NO_MUSIC = `
export { createSilence as createMixer } from '@pillion/motion/sound/silent.ts';
export const SoundHint = () => null;
export const SoundToggle = () => null;
`;

/** @param {string} path */
const written = (path) => JSON.stringify(path);

/**
 * A Vite plugin: the kit imports what the site decides as `virtual:pillion/…`. What a site leaves out is in no bundle.
 * @param {string} folder Of the site, absolute; `site.config.ts` lies in it.
 * @returns {import('vite').Plugin}
 */
export function site(folder) {
  const file = join(folder, 'site.config.ts');
  /** @type {import('@pillion/server/site.ts').SiteConfig} */
  let config;
  /** @type {Record<string, () => string>} */
  const modules = {
    site: () => `export { default } from ${written(file)};`,
    hero: () =>
      config.hero
        ? `export { mountHero } from ${written(join(folder, config.hero))};`
        : 'export const mountHero = null;',
    music: () => (config.music === false ? NO_MUSIC : MUSIC),
  };
  return {
    name: 'pillion-site',
    async configResolved({ configFile, root }) {
      const { runnerImport } = await import('vite');
      const { module } = await runnerImport(file, { root, configFile: configFile ? false : undefined });
      config = /** @type {{ default: typeof config }} */ (module).default;
      if (config.hero && !existsSync(join(folder, config.hero)))
        throw new Error(
          `site.config: hero names ${config.hero}, which is not there. Name a file of the site, or leave it out.`,
        );
    },
    resolveId: {
      filter: { id: /^virtual:pillion\// },
      handler: (id) => `\0${id}`,
    },
    load: {
      filter: { id: /^\0virtual:pillion\// },
      handler(id) {
        const make = modules[id.split('/').at(-1) ?? ''];
        if (!make) throw new Error(`There is no module ${id.slice(1)}.`);
        return make();
      },
    },
  };
}
