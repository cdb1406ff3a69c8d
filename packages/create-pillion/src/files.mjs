// The files of a new site.
import { contentOf } from './content.mjs';
import { TOOLS } from './kit.mjs';
import { picturesOf } from './pictures.mjs';

/** @typedef {import('./answers.mjs').Answers} Answers */
/** @typedef {import('./typefaces.mjs').Typeface} Typeface */

/** @param {unknown} value */
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** @param {string} text */
const inMarkdown = (text) => text.replace(/[\\`*_[\]<>#|&]/g, '\\$&');

/** @param {string} folder @returns A name that npm accepts. */
const packageName = (folder) =>
  folder
    .toLowerCase()
    .replace(/[^a-z\d-]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'site';

/** @param {object} colours */
const literal = (colours) =>
  Object.entries(colours)
    .map(([role, value]) => `    ${role}: ${typeof value === 'string' ? `'${value}'` : value},\n`)
    .join('');

/** @param {Answers} answers */
const coloursFile = ({
  look,
  accent: { dark, light, veil },
}) => `import type { Palette } from '@pillion/content/palette.ts';

/**
 * The brand's colours. Pages have the theme \`dark\` unless an editor chooses \`light\`.${look === 'light' ? ' Both are light here.' : ''}
 * Text needs a contrast of 4.5 (WCAG 1.4.3): text, muted, accent and accent2 on background and surface, onAccent on
 * accent.
 */
export const PALETTE: Palette = {
  dark: {
${literal(dark)}  },
  light: {
${literal(light)}  },
  // Over pictures, under text of the theme \`dark\`.
  veil: '${veil}',
};
`;

/** @param {Answers} answers */
const configFile = ({ without }) => `import { defineSite } from '@pillion/server/site.ts';
import { PALETTE } from './colours.ts';

export default defineSite({
  palette: PALETTE,
  styles: './theme.css',
${without.includes('music') ? '  music: false,\n' : ''}});
`;

/** A large headline on a ground with some accent, for a hero without a picture. */
const TYPE_HERO = `    --size-display: clamp(6.4rem, 2rem + 14vw, 20rem);
    --backdrop:
      radial-gradient(70% 90% at 90% 110%, color-mix(in oklab, var(--accent) 34%, transparent), transparent)
      var(--background);
`;

const NO_SHADOW = `
/* The headline is not over a picture, so it needs no shadow. */
h1 {
  text-shadow: none;
}
`;

/** @param {Answers} answers */
function themeFile({ sans, serif, hero }) {
  const imports = [sans, serif].flatMap((one) => one?.files.map((file) => `@import '${one.name}/${file}';\n`) ?? []);
  const families = [
    ...(sans ? [`    --sans: '${sans.family}', system-ui, sans-serif;\n`] : []),
    ...(serif ? [`    --serif: '${serif.family}', Georgia, serif;\n`] : []),
    ...(sans?.hasWidths ? ['    --wide: 108%;\n    --wider: 114%;\n    --widest: 120%;\n'] : []),
  ];
  return `/* Typefaces and rules of the brand. Colours are in colours.ts. */
@import '@pillion/react/styles/neutral-theme.css';
${[...new Set(imports)].join('')}
@layer tokens {
  :root {
${families.join('')}    --ink-accent: var(--accent);
${hero === 'type' ? TYPE_HERO : ''}  }
}
${hero === 'type' ? NO_SHADOW : ''}`;
}

/** @param {Answers} answers @param {boolean} isPacked */
const readme = ({ name }, isPacked) => `# ${inMarkdown(name)}

A site made with Pillion. It needs Node 22.22 or newer.

\`\`\`sh
npm install
npm run dev                        # http://127.0.0.1:3000, shows every change at once
npm run build && npm start         # as visitors get it
npm test                           # tests every page in a browser
\`\`\`

| file | what |
| --- | --- |
| \`colours.ts\` | the brand's colours |
| \`theme.css\` | typefaces and rules of the brand |
| \`site.config.ts\` | which parts the site has |
| \`content/\` | words and pictures, a folder for each language. The site shows them while no WordPress is connected |
| \`public/\` | icons |
| \`sections/\`, \`templates/\` | your own sections and templates, if you add these folders |
${isPacked ? '| `vendor/` | the packages of Pillion. Keep them in version control |\n' : ''}
## Connect a WordPress

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

With a WordPress the site shows \`content/\` only while WordPress is down and a page is not cached.
`;

/**
 * @param {Answers} answers
 * @param {string} folder Its name.
 * @param {Record<string, string>} kit Dependencies on the kit.
 * @returns {Promise<Map<string, string | Buffer>>} Files by path.
 */
export async function filesOf(answers, folder, kit) {
  const typefaces = [answers.sans, answers.serif].flatMap((one) => (one ? [[one.name, `^${one.version}`]] : []));
  const { '@pillion/site-tests': tests, ...packages } = kit;
  const about = {
    ...{ name: packageName(folder), private: true, type: 'module', engines: { node: '>=22.22.0' } },
    scripts: { dev: 'pillion dev', build: 'pillion build', start: 'pillion start', test: 'pillion-test' },
    dependencies: { ...packages, ...Object.fromEntries(typefaces) },
    devDependencies: { '@pillion/site-tests': tests, ...TOOLS },
  };
  const isPacked = Object.values(kit).some((one) => one.startsWith('file:'));
  return new Map([
    ...Object.entries({
      'package.json': json(about),
      '.gitignore': 'node_modules/\nbuild/\ndata/\n*.log\n',
      'README.md': readme(answers, isPacked),
      'site.config.ts': configFile(answers),
      'colours.ts': coloursFile(answers),
      'theme.css': themeFile(answers),
    }),
    ...contentOf(answers),
    ...(await picturesOf(answers.accent.dark, answers.hero === 'picture')),
  ]);
}
