export type Ids = ReturnType<typeof createIds>;

/** In characters, so that addresses stay readable. */
const MAX_LENGTH = 60;

/** Returns the words that fit, in lower case and without accents. */
function slugify(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase();
  let slug = '';
  for (const word of plain.match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (slug !== '' && slug.length + word.length >= MAX_LENGTH) break;
    slug += `${slug && '-'}${word.slice(0, MAX_LENGTH)}`;
  }
  return slug;
}

/**
 * Creates the ids of a page's parts, for links to them. The prefix `q-` distinguishes them from the page's own, such as
 * `form` (R5).
 */
export function createIds() {
  const taken = new Set<string>();
  return {
    /** @returns `q-` and the words of `text`, with a number if the id is taken. */
    take(text: string): string {
      const slug = slugify(text);
      const base = slug ? `q-${slug}` : 'q';
      let id = base;
      for (let number = 2; taken.has(id); number += 1) id = `${base}-${number}`;
      taken.add(id);
      return id;
    },
  };
}
