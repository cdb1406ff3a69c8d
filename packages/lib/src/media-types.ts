/**
 * Media types of the WordPress uploads that the site serves, by file extension. SVG is excluded, because it can contain
 * script. Files of other types keep their URL at WordPress.
 */
const TYPES: Record<string, string> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  m4v: 'video/mp4',
  mp4: 'video/mp4',
  webm: 'video/webm',
  vtt: 'text/vtt',
  pdf: 'application/pdf',
};

/** @returns The media type of a file name; `null` if the site does not serve it. */
export function mediaTypeOf(name: string): string | null {
  const kind = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  // Not for inherited properties such as `constructor`.
  return Object.hasOwn(TYPES, kind) ? (TYPES[kind] ?? null) : null;
}

/** In bytes. File systems allow 255; the rest is for the suffix of an unfinished file. */
const MAX_SEGMENT_LENGTH = 180;

const MAX_DEPTH = 8;

/** Path separators of any system, control characters, hidden files and parent folders. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNSAFE = /[/\\:*?"<>|\x00-\x1f\x7f]|^\.|^\s|[\s.]$/;

/**
 * Reads the part of a path after `/media/`, still percent-encoded.
 * @returns The decoded file name under WordPress' uploads; `null` for a folder, a hidden file, a parent folder or an
 * unknown type.
 */
export function mediaName(path: string): string | null {
  const segments: string[] = [];
  for (const part of path.split('/')) {
    const segment = decodeSegment(part);
    if (!segment || UNSAFE.test(segment) || Buffer.byteLength(segment) > MAX_SEGMENT_LENGTH) return null;
    segments.push(segment);
  }
  const name = segments.join('/');
  return segments.length <= MAX_DEPTH && mediaTypeOf(name) !== null ? name : null;
}

/** Suffixes that WordPress adds to a name: for sizes, scaled or rotated originals and edits. */
const VARIANT = /(?:-(?:\d+x\d+|scaled|rotated|e\d{10,13}))*$/;

/** @returns The folder and base name that a file shares with all its sizes. */
export const mediaFamily = (name: string): string => name.replace(/\.[^./]*$/, '').replace(VARIANT, '');

function decodeSegment(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
