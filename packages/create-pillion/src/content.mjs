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

/** @param {string} language A tag without region or script. */
const textsFile = (language) => new URL(`../words/${language}.json`, import.meta.url);

/** Whether there are texts in the language. @param {string} tag */
export const hasTexts = (tag) => existsSync(textsFile(new Intl.Locale(tag).language));

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
  if (Array.isArray(value)) return /** @type {T} */ (value.map((item) => fillPlaceholders(item, values)));
  if (typeof value !== 'object' || value === null) return value;
  return /** @type {T} */ (
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillPlaceholders(member, values)]))
  );
}

/** A picture in the format of WordPress. @param {string} name Of a drawing. */
function createPicture(name) {
  const { width, height } = DRAWINGS.find((drawing) => drawing.name === name) ?? { width: 0, height: 0 };
  const url = `/media/${name}.webp`;
  return { id: 0, url, alt: '', width, height, sizes: [{ url, width, height }] };
}

/** Pictures of the sections that show one, by the section's type. @param {string} hero @returns {Record<string, object>} */
const picturesBySection = (hero) => ({
  feature: { picture: createPicture('feature') },
  ...(hero !== 'type' && {
    hero: { picture: createPicture('hero'), portrait: createPicture('hero-portrait') },
    'sign-up': { picture: createPicture('hero'), portrait: createPicture('hero-portrait') },
  }),
});

/** @param {string} tag @returns {'ltr' | 'rtl'} */
const directionOf = (tag) => {
  const locale = /** @type {any} */ (new Intl.Locale(tag));
  // A method since V8 13, before that a property, as in Node 22.
  return (locale.getTextInfo?.() ?? locale.textInfo).direction;
};

/** @param {string} tag @returns The language's name for itself. */
const nameOf = (tag) => new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;

/** @param {string} title @param {string} url */
const menuItem = (title, url) => ({ title, url, target: '', classes: [] });

/** @param {number} id @param {string} type @param {string} label @param {object} [more] */
const field = (id, type, label, more) => ({ id, type, label, isRequired: true, visibility: 'visible', ...more });

/** @param {number} id @param {Texts['form']} words */
const createForm = (id, { title, name, email, consent, thanks, button }) => ({
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
 * The content in one language.
 * @param {Answers} answers
 * @param {string} tag
 * @param {number} languageIndex 0 is the default language.
 * @param {object[]} languages All of them, as the site lists them.
 * @param {Set<string>} taken Slugs and form titles of the other languages; those of this one are added. WordPress does
 *   not allow the same slug in two languages, and `push` finds forms by their titles.
 * @returns {[path: string, content: unknown][]} Paths in the folder `content/` of the site.
 */
function contentIn({ name, hero, logo }, tag, languageIndex, languages, taken) {
  /** @type {Texts} */
  const raw = JSON.parse(readFileSync(textsFile(hasTexts(tag) ? new Intl.Locale(tag).language : 'en'), 'utf8'));
  const home = languageIndex === 0 ? '/' : `/${tag.toLowerCase()}/`;
  /** @param {string} text @param {string} alternative If another language has the text. */
  const takeUnique = (text, alternative) => {
    const unique = taken.has(text) ? alternative : text;
    taken.add(unique);
    return unique;
  };
  const takePath = (/** @type {string} */ slug) => `${home}${takeUnique(slug, `${slug}-${tag.toLowerCase()}`)}/`;
  const formTitle = takeUnique(raw.form.title, `${raw.form.title} (${tag})`);
  const about = takePath(raw.slugs.about);
  const privacy = takePath(raw.slugs.privacy);
  const links = { home, about, privacy };
  const texts = fillPlaceholders(raw, { ...links, name: escapeText(name) });
  const pictures = picturesBySection(hero);
  const sections = texts.home.sections.map((section) => ({ ...section, ...pictures[section.type] }));
  /** First id of the pages, and the form's: forms have separate ids. Ids differ between languages, as in WordPress. */
  const firstId = languageIndex * 10 + 1;
  const pages = [
    { path: home, template: 'landing', ...texts.home, sections },
    ...[
      { path: about, ...texts.about },
      { path: privacy, ...texts.privacy },
    ].map(({ html, ...page }) => ({ ...page, template: '', sections: [{ type: 'rich-text', html }] })),
  ];
  const siteStrings = {
    ...{ brand: name, logo, languages, links: { privacy, cookies: privacy } },
    description: fillPlaceholders(raw.home.excerpt, { name }),
    // The kit's default has a VAT number.
    footer: { colophon: '© {brand}' },
  };
  const strings = { ...texts.strings, ...siteStrings, form: { form_id: firstId } };
  return [
    [`${tag}/strings.json`, strings],
    [
      `${tag}/menus.json`,
      {
        main_menu: { items: [menuItem(texts.about.title, about)] },
        social_menu: { items: [] },
        legals_menu: { items: [menuItem(texts.privacy.title, privacy)] },
      },
    ],
    [
      `${tag}/routes.json`,
      pages.map(({ path, title, template }, index) => ({
        ...{ id: firstId + index, type: 'page', rest_base: 'pages', slug: path.split('/').at(-2) ?? '', path, title },
        ...{ template, theme: '', is_front: index === 0, lang: tag, modified: '', noindex: false, canonical: '' },
        group: index + 1,
      })),
    ],
    [`${tag}/redirects.json`, { total: 0, per_page: 1000, items: [] }],
    [`${tag}/forms/${firstId}.json`, createForm(firstId, { ...texts.form, title: formTitle })],
    ...pages.map(
      ({ title, excerpt, template, sections }, index) =>
        /** @type {[string, unknown]} */ ([
          `${tag}/pages/${firstId + index}.json`,
          {
            ...{ id: firstId + index, status: 'publish', title: { rendered: title }, template },
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
