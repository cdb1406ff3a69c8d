// The files of a new site.
import { colourValue } from '@pillion/lib/tokens.mjs';
import { contentOf } from './content.mjs';
import { TOOLS, TYPES } from './kit.mjs';
import { picturesOf } from './pictures.mjs';

/** @typedef {import('./answers.mjs').Answers} Answers */
/** @typedef {import('./typefaces.mjs').Typeface} Typeface */

/** @param {unknown} value */
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** @param {string} text */
const escapeMarkdown = (text) => text.replace(/[\\`*_[\]<>#|&]/g, '\\$&');

/** @param {string} folder @returns A name that npm accepts. */
const packageNameFor = (folder) =>
  folder
    .toLowerCase()
    .replace(/[^a-z\d-]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'site';

/** Names of tokens that differ from the role. @type {Record<string, string>} */
const TOKEN_NAMES = { onAccent: 'on-accent', accent2: 'accent-2', accentInContrast: 'accent-in-contrast' };

/** @param {import('./palette.mjs').Colours} colours */
const colourTokens = (colours) => ({
  $extensions: { pillion: { editable: true } },
  ...Object.fromEntries(
    Object.entries(colours).map(([role, value]) => [
      TOKEN_NAMES[role] ?? role,
      typeof value === 'number' ? { $type: 'number', $value: value } : { $value: colourValue(value) },
    ]),
  ),
});

/** @param {Typeface} typeface @param {string[]} fallbacks Families of CSS. */
const familyToken = ({ family, name, files }, fallbacks) => ({
  $value: [family, ...fallbacks],
  $extensions: { pillion: { files: files.map((file) => `${name}/${file}`) } },
});

/** @param {Answers} answers */
function tokensFile({ accent: { dark, light, veil }, look, sans, serif }) {
  const families = {
    ...(sans && { sans: familyToken(sans, ['system-ui', 'sans-serif']) }),
    ...(serif && { serif: familyToken(serif, ['Georgia', 'serif']) }),
  };
  return json({
    $description: `Pages have the colours of "dark" unless an editor chooses "light".${look === 'light' ? ' Both are light here.' : ''}`,
    color: {
      ...{ $type: 'color', dark: colourTokens(dark), light: colourTokens(light), veil: { $value: colourValue(veil) } },
      own: { 'ink-accent': { $value: '{color.light.accent}' } },
    },
    ...(Object.keys(families).length > 0 && { font: { $type: 'fontFamily', ...families } }),
    ...(sans?.hasWidths && {
      width: { $type: 'number', wide: { $value: 108 }, wider: { $value: 114 }, widest: { $value: 120 } },
    }),
  });
}

/** @param {Answers} answers */
const configFile = ({ without, hero }) => `import { defineSite } from '@pillion/server/site.ts';
import theme from './theme.tokens.json';

export default defineSite({
  theme,
  icons: { favicon: './favicon.svg', app: './app-icon.svg' },
${hero === 'type' ? "  styles: './theme.css',\n" : ''}${without.includes('music') ? '  music: false,\n' : ''}});
`;

/** The stylesheet of a hero without a picture: a large headline on a background with some accent. */
const TYPE_HERO = `@import '@pillion/react/styles/neutral-theme.css';

@layer tokens {
  :root {
    --size-display: clamp(6.4rem, 2rem + 14vw, 20rem);
    --backdrop:
      radial-gradient(70% 90% at 90% 110%, color-mix(in oklab, var(--accent) 34%, transparent), transparent)
      var(--background);
  }
}

/* The headline is not over a picture, so it needs no shadow. */
h1 {
  text-shadow: none;
}
`;

/** Part of the README for a hero with a film. No film is shipped: the hero shows a drawn picture until then. */
const FILM = `## Add your film

The hero shows a drawn picture until you add a film: MP4 (H.264) or WebM, without sound, at most 20 MB.

- With a WordPress: select the hero in the block editor, press *Add film*, and replace the picture by the first frame of the film.
- Without: save the film as \`content/media/hero.mp4\`. In each language's front page, a file of \`content/<language>/pages/\`, add this to the
  section of the type \`hero\`: \`"film": { "url": "/media/hero.mp4", "bytes": 0 }\`.

`;

/** @param {Answers} answers @param {boolean} isPacked */
const readme = ({ name, hero }, isPacked) => `# ${escapeMarkdown(name)}

A site made with Pillion. It needs Node 22.22 or newer.

\`\`\`sh
npm install
npm run dev                        # http://127.0.0.1:3000, shows every change at once
npm run build && npm start         # as visitors get it
npm test                           # tests every page in a browser
npm run types                      # checks the types of your code
\`\`\`

| file | what |
| --- | --- |
| \`theme.tokens.json\` | colours and typefaces: the one place |
${hero === 'type' ? '| `theme.css` | rules of the brand |\n' : ''}| \`site.config.ts\` | which parts the site has |
| \`content/\` | words and pictures, a folder for each language. The site shows them while no WordPress is connected |
| \`favicon.svg\`, \`app-icon.svg\` | drawings of the icons, in colours of the theme file. The build makes their sizes |
| \`sections/\`, \`templates/\` | your own sections and templates, if you add these folders |
${isPacked ? '| `vendor/` | the packages of Pillion. Keep them in version control |\n' : ''}
${hero === 'film' ? FILM : ''}## Connect a WordPress

1. Run \`npm run build\`. Upload \`build/wordpress/pillion.zip\` in WordPress under *Plugins → Add New → Upload Plugin*.
2. Create a key under *Pillion → Keys*. Enter the address of this site under *Pillion → Site*, where WordPress shows a
   secret once.
3. Write the words and pictures of \`content/\` to WordPress, with an application password of an administrator (*Users → Profile*):

\`\`\`sh
CONTENT_URL=https://cms.example.org WORDPRESS_USER=… WORDPRESS_PASSWORD='…' npx pillion push --write
\`\`\`

4. Start the site with these values:

\`\`\`sh
SITE_URL=https://www.example.org CONTENT_SOURCE=wordpress CONTENT_URL=https://cms.example.org \\
  CONTENT_KEY=… CONTENT_SECRET=… WEBHOOK_SECRET=… npm start
\`\`\`

\`npm run doctor\` with the same values checks all of this and says what to correct. \`npm run sign-ups\` lists the commands for
stored sign-ups.

Run \`npx pillion pull\` with CONTENT_URL, CONTENT_KEY and CONTENT_SECRET to copy the content of WordPress to \`content/\`.
With a WordPress the site shows \`content/\` only while WordPress is down and a page is not cached.
`;

/**
 * @param {Answers} answers
 * @param {string} folder Its name.
 * @param {Record<string, string>} kit Dependencies on the kit.
 * @returns {Promise<Map<string, string | Buffer>>} Files by path.
 */
export async function filesOf(answers, folder, kit) {
  const typefaces = [answers.sans, answers.serif].filter((typeface) => typeface !== null);
  const typefacePackages = typefaces.map(({ name, version }) => [name, `^${version}`]);
  const { '@pillion/site-tests': tests, ...packages } = kit;
  const manifest = {
    ...{ name: packageNameFor(folder), private: true, type: 'module', engines: { node: '>=22.22.0' } },
    scripts: {
      ...{ dev: 'pillion dev', build: 'pillion build', start: 'pillion start', test: 'pillion-test' },
      ...{ 'sign-ups': 'pillion sign-ups', doctor: 'pillion doctor', types: 'tsc' },
    },
    dependencies: { ...packages, ...Object.fromEntries(typefacePackages) },
    devDependencies: { '@pillion/site-tests': tests, ...TOOLS, ...TYPES },
  };
  const isPacked = Object.values(kit).some((source) => source.startsWith('file:'));
  return new Map([
    ...Object.entries({
      'package.json': json(manifest),
      '.gitignore': 'node_modules/\nbuild/\ndata/\n*.log\n',
      'README.md': readme(answers, isPacked),
      'tsconfig.json': json({ extends: '@pillion/server/tsconfig.site.json', include: ['**/*.ts', '**/*.tsx'] }),
      'site.config.ts': configFile(answers),
      'theme.tokens.json': tokensFile(answers),
      ...(answers.hero === 'type' && { 'theme.css': TYPE_HERO }),
    }),
    ...contentOf(answers),
    ...(await picturesOf(answers.accent.dark, answers.hero !== 'type')),
  ]);
}
