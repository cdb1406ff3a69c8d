// The bundled content of a new site: WordPress' responses, as `npm run content:pull` writes them.
import { existsSync, readFileSync } from 'node:fs';
import { DRAWINGS } from './pictures.mjs';

/** @typedef {import('./answers.mjs').Answers} Answers */
/** @typedef {{ title: string, excerpt: string, html: string }} Words */
/**
 * @typedef {object} Texts
 * @property {Record<string, unknown>} [strings] Texts that differ from the kit's defaults.
 * @property {Record<'about' | 'privacy', string>} slugs
 * @property {Record<'title' | 'name' | 'email' | 'consent' | 'thanks' | 'button', string>} form
 * @property {{ title: string, excerpt: string, sections: { type: string }[] }} home
 * @property {Words} about
 * @property {Words} privacy
 */

/** @param {string} language */
const fileOf = (language) => new URL(`../words/${language}.json`, import.meta.url);

/** Whether there are texts in the language. @param {string} tag */
export const hasTexts = (tag) => existsSync(fileOf(new Intl.Locale(tag).language));

/** @param {string} text */
const escapeText = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);

/**
 * @template T
 * @param {T} value
 * @param {Record<string, string>} values By placeholder.
 * @returns {T} With the placeholders filled in, in all texts.
 */
function fillPlaceholders(value, values) {
  if (typeof value === 'string')
    return /** @type {T} */ (value.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole));
  if (Array.isArray(value)) return /** @type {T} */ (value.map((one) => fillPlaceholders(one, values)));
  if (typeof value !== 'object' || value === null) return value;
  return /** @type {T} */ (
    Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillPlaceholders(one, values)]))
  );
}

/** @param {string} name */
function pictureOf(name) {
  const { width, height } = DRAWINGS.find((drawing) => drawing.name === name) ?? { width: 0, height: 0 };
  const url = `/media/${name}.webp`;
  return { id: 0, url, alt: '', width, height, sizes: [{ url, width, height }] };
}

/** Sections that show a picture. @param {string} hero @returns {Record<string, object>} */
const picturesBySection = (hero) => ({
  feature: { picture: pictureOf('feature') },
  ...(hero !== 'type' && {
    hero: { picture: pictureOf('hero'), portrait: pictureOf('hero-portrait') },
    'sign-up': { picture: pictureOf('hero'), portrait: pictureOf('hero-portrait') },
  }),
});

/** @param {string} tag */
const directionOf = (tag) => {
  const locale = /** @type {any} */ (new Intl.Locale(tag));
  return (locale.getTextInfo?.() ?? locale.textInfo).direction;
};

/** @param {string} tag */
const nameOf = (tag) => new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;

/** @param {string} title @param {string} url @param {string[]} [classes] */
const item = (title, url, classes = []) => ({ title, url, target: '', classes });

/** @param {number} id @param {string} type @param {string} label @param {object} [more] */
const field = (id, type, label, more) => ({ id, type, label, isRequired: true, visibility: 'visible', ...more });

/** @param {number} id @param {Texts['form']} words */
const formOf = (id, { title, name, email, consent, thanks, button }) => ({
  ...{ id, title, description: '', button: { type: 'text', text: button } },
  fields: [
    field(1, 'text', name),
    field(2, 'email', email),
    field(3, 'consent', consent.replace(/<[^>]+>/g, ''), {
      checkboxLabel: consent,
      inputs: [1, 2, 3].map((part) => ({ id: `3.${part}`, label: '', name: '', isHidden: part > 1 })),
      choices: [{ text: 'Checked', value: '1', isSelected: false }],
    }),
  ],
  confirmations: { default: { id: 'default', isDefault: true, type: 'message', message: thanks } },
  enableHoneypot: true,
});

/**
 * @param {Answers} answers
 * @param {string} tag
 * @param {number} index Of the language.
 * @param {object[]} languages
 * @param {Set<string>} taken Slugs and form titles of the other languages. WordPress does not allow the same slug in two
 *   languages, and `push` finds forms by their titles.
 * @returns {[path: string, content: unknown][]}
 */
function contentIn({ name, hero, logo }, tag, index, languages, taken) {
  /** @type {Texts} */
  const raw = JSON.parse(readFileSync(fileOf(hasTexts(tag) ? new Intl.Locale(tag).language : 'en'), 'utf8'));
  const home = index === 0 ? '/' : `/${tag.toLowerCase()}/`;
  /** @param {string} text @param {string} instead If another language has the text. */
  const unique = (text, instead) => {
    const own = taken.has(text) ? instead : text;
    taken.add(own);
    return own;
  };
  const pathOf = (/** @type {string} */ slug) => `${home}${unique(slug, `${slug}-${tag.toLowerCase()}`)}/`;
  const formTitle = unique(raw.form.title, `${raw.form.title} (${tag})`);
  const about = pathOf(raw.slugs.about);
  const privacy = pathOf(raw.slugs.privacy);
  const links = { home, about, privacy };
  const texts = fillPlaceholders(raw, { ...links, name: escapeText(name) });
  const pictures = picturesBySection(hero);
  const sections = texts.home.sections.map((section) => ({ ...section, ...pictures[section.type] }));
  /** Ids differ between languages, as in WordPress. */
  const firstId = index * 10 + 1;
  const pages = [
    { path: home, template: 'landing', ...texts.home, sections },
    ...[texts.about, texts.privacy].map(({ html, ...page }, at) => ({
      ...{ path: at === 0 ? about : privacy, template: '', ...page, sections: [{ type: 'rich-text', html }] },
    })),
  ];
  const ofSite = {
    ...{ brand: name, logo, languages, links: { privacy, cookies: privacy } },
    description: fillPlaceholders(raw.home.excerpt, { name }),
    // The kit's default has a VAT number.
    footer: { colophon: '© {brand}' },
  };
  const strings = { ...texts.strings, ...ofSite, form: { form_id: firstId } };
  return [
    [`${tag}/strings.json`, strings],
    [
      `${tag}/menus.json`,
      {
        main_menu: { items: [item(texts.about.title, about)] },
        social_menu: { items: [] },
        legals_menu: { items: [item(texts.privacy.title, privacy)] },
      },
    ],
    [
      `${tag}/routes.json`,
      pages.map(({ path, title, template }, at) => ({
        ...{ id: firstId + at, type: 'page', rest_base: 'pages', slug: path.split('/').at(-2) ?? '', path, title },
        ...{ template, theme: '', is_front: at === 0, lang: tag, modified: '', noindex: false, canonical: '' },
        group: at + 1,
      })),
    ],
    [`${tag}/redirects.json`, { total: 0, per_page: 1000, items: [] }],
    [`${tag}/forms/${firstId}.json`, formOf(firstId, { ...texts.form, title: formTitle })],
    ...pages.map(
      ({ title, excerpt, template, sections }, at) =>
        /** @type {[string, unknown]} */ ([
          `${tag}/pages/${firstId + at}.json`,
          {
            ...{ id: firstId + at, status: 'publish', title: { rendered: title }, template },
            ...{ excerpt: { rendered: `<p>${excerpt}</p>` }, sections },
          },
        ]),
    ),
  ];
}

/** @param {Answers} answers @returns {Map<string, string>} Files by path. */
export function contentOf(answers) {
  const languages = answers.languages.map((tag) => ({ tag, name: nameOf(tag), dir: directionOf(tag), fallback: '' }));
  /** @type {Set<string>} */
  const taken = new Set();
  const files = answers.languages.flatMap((tag, index) => contentIn(answers, tag, index, languages, taken));
  // The site reads the list of languages from the English texts.
  if (!answers.languages.includes('en')) files.push(['en/strings.json', { brand: answers.name, languages }]);
  return new Map(files.map(([path, content]) => [`content/${path}`, `${JSON.stringify(content, null, 2)}\n`]));
}
