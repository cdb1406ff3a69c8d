/** Whether `If-None-Match` contains this tag. Tags are compared weakly (RFC 9110, 13.1.2). */
export function hasTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  if (header === tag || header === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque);
}
