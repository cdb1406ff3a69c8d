/** Hands out what the parts of one page are linked to by. */
export interface Ids {
  /** @returns `q-` and the words of `text`, with a number where another part has them already. */
  take(text: string): string;
}

/** In characters: an address is read, too. */
const MAX_LENGTH = 60;

/** Its words, small and without accents, as many as fit. */
function slugOf(text: string): string {
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

/** The first two letters keep an editor's words apart from ids of the page itself, such as `form` (R5). */
export function createIds(): Ids {
  const taken = new Set<string>();
  return {
    take(text) {
      const slug = slugOf(text);
      const wanted = slug ? `q-${slug}` : 'q';
      let id = wanted;
      for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
      taken.add(id);
      return id;
    },
  };
}
