import { readFileSync } from 'node:fs';
import { Unusable } from './unusable.mjs';

/** In characters, as in the site's check of drawings. */
const MAX_LENGTH = 16_384;

/** Patterns that a logo must not match, each with the end of a sentence about it. @type {[RegExp, string][]} */
const REFUSED = [
  [/<!DOCTYPE|<!ENTITY/i, 'a document type. Remove the line that begins with <!DOCTYPE'],
  [/<script\b|\son\w+\s*=|javascript:/i, 'script. Export it again without script'],
  [/<(foreignObject|iframe|object|embed|image|use)\b/i, 'more than shapes. Turn it into paths'],
  [/\bhref\s*=|url\(\s*['"]?(?!['"]?#)|@import/i, 'a reference to another file. Turn it into paths'],
  [/<style\b|\sstyle\s*=/i, 'styles, which the site leaves out. Export it with presentation attributes (fill, stroke)'],
  [/<(text|tspan)\b/i, 'text, which needs a typeface. Turn the text into paths'],
];

/**
 * Reads a logo. The site shows it in the colour of the text around it, so it has shapes only. Nothing is cleaned here:
 * what an agency adds should be what the site shows.
 * @param {string} path
 * @returns {string} Its markup.
 * @throws {Unusable}
 */
export function readLogo(path) {
  let markup;
  try {
    markup = readFileSync(path, 'utf8')
      .replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, '')
      .trim();
  } catch {
    throw new Unusable(`The logo ${path} cannot be read. Name an SVG file.`);
  }
  const root = /<svg\b[^>]*>/i.exec(markup)?.[0];
  if (!root || !/<\/svg>\s*$/i.test(markup))
    throw new Unusable(`The logo ${path} is not an SVG file. Name an SVG file.`);
  for (const [pattern, reason] of REFUSED)
    if (pattern.test(markup)) throw new Unusable(`The logo ${path} contains ${reason}.`);
  if (!/\sviewBox\s*=/.test(root)) throw new Unusable(`The logo ${path} has no viewBox. Export it with one.`);
  if (markup.length > MAX_LENGTH)
    throw new Unusable(`The logo ${path} has ${markup.length} characters. Simplify it to at most ${MAX_LENGTH}.`);
  return markup;
}
