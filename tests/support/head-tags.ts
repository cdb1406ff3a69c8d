/** One element of a head by which a page is found and shared: `og:title`, `robots`, `canonical`, `title`. */
export type NamedTag = [name: string, content: string];

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#039': "'" };

const decode = (text: string) =>
  text
    .replace(/&(amp|lt|gt|quot|#0?39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

const attributeOf = (tag: string, name: string) => {
  const [, , text] = new RegExp(`\\s${name}=(["'])(.*?)\\1`).exec(tag) ?? [];
  return text === undefined ? null : decode(text);
};

/** Tags that neither search engines nor social networks read. */
const IGNORED_TAGS = /^(viewport|generator|theme-color|msapplication|referrer)/;

/** Every descriptive tag of a document's head, in order. */
export function readHeadTags(html: string): NamedTag[] {
  const [head = ''] = html.split('</head>', 1);
  const tags: NamedTag[] = [];
  for (const [tag, , title] of head.matchAll(/<(meta|link)\b[^>]*>|<title>([^<]*)<\/title>/g)) {
    if (title !== undefined) tags.push(['title', decode(title)]);
    const name = attributeOf(tag, 'property') ?? attributeOf(tag, 'name');
    const content = attributeOf(tag, 'content');
    if (name !== null && content !== null && !IGNORED_TAGS.test(name)) tags.push([name, content]);
    if (attributeOf(tag, 'rel') === 'canonical') tags.push(['canonical', attributeOf(tag, 'href') ?? '']);
  }
  return tags;
}

/** The graph's nodes of each linked-data block in a document. */
export const readGraphs = (html: string): { '@type': string | string[] }[] =>
  [...html.matchAll(/<script[^>]*application\/ld\+json[^>]*>([\s\S]*?)<\/script>/g)].flatMap(
    ([, text = '']) => JSON.parse(text)['@graph'],
  );

/** Tags that differ from Yoast SEO's, and why; the same as the table in docs/reference/seo-plugins.md. */
const INTENDED_DIFFERENCES: Record<string, string> = {
  'og:image': 'a picture that not every network shows is made a JPEG of 1200 × 630',
  'og:image:width': 'of that JPEG',
  'og:image:height': 'of that JPEG',
  'og:image:type': 'of that JPEG',
};

/** Tags of the site that Yoast SEO lacks. */
const ONLY_ON_SITE = [
  ...['description', 'og:description', 'twitter:image:alt'],
  ...['og:image', 'og:image:type', 'og:image:width', 'og:image:height', 'og:image:alt'],
];

/** One tag of a page with Yoast SEO and on the site. `null`: it is missing. */
export interface TagComparison {
  name: string;
  yoast: string | null;
  site: string | null;
  verdict: 'same' | 'on purpose' | 'ours alone' | 'WRONG';
}

/** Turns an address inside WordPress into the site's, as expected in a tag. */
export const toSiteAddresses = (content: string, home: string, site: string) =>
  content.replaceAll(`${home}/wp-content/uploads/`, `${site}/media/`).replaceAll(home, site);

/** The order of words in robots has no meaning. */
const comparable = (name: string, contents: string[]) =>
  (name === 'robots' ? contents.flatMap((content) => content.split(/,\s*/)).sort() : contents).join('\n');

/**
 * Compares tag by tag.
 * @param theirs Of Yoast SEO, with addresses as `toSiteAddresses` gives them.
 */
export function compareTags(theirs: NamedTag[], ours: NamedTag[]): TagComparison[] {
  const contents = (tags: NamedTag[], name: string) =>
    tags.flatMap(([other, content]) => (other === name ? content : []));
  const names = [...new Set([...theirs, ...ours].map(([name]) => name))];
  return names.map((name) => {
    const yoast = contents(theirs, name);
    const site = contents(ours, name);
    const isSame = comparable(name, yoast) === comparable(name, site);
    const isPurpose = name in INTENDED_DIFFERENCES && site.length > 0;
    const isOurs = yoast.length === 0 && ONLY_ON_SITE.includes(name);
    const verdict = isSame ? 'same' : isOurs ? 'ours alone' : isPurpose ? 'on purpose' : 'WRONG';
    return { name, yoast: yoast.join(' · ') || null, site: site.join(' · ') || null, verdict };
  });
}
