/**
 * Whether a visitor holds this very state of a resource, by what she says in `If-None-Match`. Tags are compared weakly, as
 * RFC 9110, 13.1.2 has it.
 */
export function hasTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  if (header === tag || header === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque);
}
