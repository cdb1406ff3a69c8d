/**
 * Media types of the WordPress uploads that the site serves, by file extension. SVG is excluded, because it can contain
 * script. Files of other types keep their URL at WordPress.
 */
const TYPES = new Map(
  Object.entries({
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
  }),
);

/** @returns The media type of a file name; `null` if the site does not serve it. */
export function mediaTypeOf(name: string): string | null {
  const [, extension = ''] = /\.([a-z\d]+)$/i.exec(name) ?? [];
  return TYPES.get(extension.toLowerCase()) ?? null;
}

/** File systems allow 255; the rest is for the suffix of an unfinished file. */
const MAX_SEGMENT_BYTES = 180;

/** Maximum number of folders in a path, plus one for the file. WordPress' own paths have three: `2026/11/a.webp`. */
const MAX_SEGMENTS = 8;

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
    if (!segment || UNSAFE.test(segment) || Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return null;
    segments.push(segment);
  }
  const name = segments.join('/');
  return segments.length <= MAX_SEGMENTS && mediaTypeOf(name) !== null ? name : null;
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
