const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for the content or a quoted attribute of HTML and XML. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Escapes text for literal use in a regular expression (`RegExp.escape` needs Node 24). */
export const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** JSON for a `<script>` data block. `<` is escaped, so that no text can end the block. */
export const jsonForMarkup = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c');
