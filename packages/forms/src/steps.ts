import type { FormField } from './form.ts';

/** The page number of each field, by its id, from 0. A page break is the first field of its page. */
export function pagesOf(fields: FormField[]): Map<number, number> {
  let page = 0;
  return new Map(fields.map(({ id, type }) => [id, type === 'page' ? ++page : page]));
}

/** The pages that are not hidden. The first page never is. */
export function openPages(fields: FormField[], hidden: ReadonlySet<number>): number[] {
  const pageBreaks = fields.filter(({ type }) => type === 'page');
  return [0, ...pageBreaks.flatMap(({ id }, at) => (hidden.has(id) ? [] : at + 1))];
}
