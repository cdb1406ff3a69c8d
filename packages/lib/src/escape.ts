const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for the content or a quoted attribute of HTML and XML alike. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Escapes text so that a regular expression takes every character of it literally (`RegExp.escape` is Node 24's). */
export const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** JSON for a `<script>` data block: `<` is escaped, so that no text in it can end the block. */
export const jsonForMarkup = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c');
