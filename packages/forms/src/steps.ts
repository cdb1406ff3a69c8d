import type { FormField } from './form.ts';

/** The page each field stands on, by its id, counted from 0. A page break begins a page and belongs to it. */
export function pagesOf(fields: FormField[]): Map<number, number> {
  let page = 0;
  return new Map(fields.map(({ id, type }) => [id, type === 'page' ? ++page : page]));
}

/** The pages that are left to go through where these fields are hidden. The first one always is. */
export function openPages(fields: FormField[], hidden: ReadonlySet<number>): number[] {
  const breaks = fields.filter(({ type }) => type === 'page');
  return [0, ...breaks.flatMap(({ id }, at) => (hidden.has(id) ? [] : at + 1))];
}
