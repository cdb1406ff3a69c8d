/**
 * Kinds of WordPress' uploads that the site serves, by the ending of the name. SVG is not among them: it can hold script.
 * A file of another kind keeps its address at WordPress.
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
  mp4: 'video/mp4',
  webm: 'video/webm',
  pdf: 'application/pdf',
};

/** @returns The media type of a file name, `null` where the site does not serve its kind. */
export function mediaTypeOf(name: string): string | null {
  const kind = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  // `constructor` is nothing of ours.
  return Object.hasOwn(TYPES, kind) ? (TYPES[kind] ?? null) : null;
}

/** Long enough for any name WordPress makes, with room for the ending of a file set aside, in bytes of 255. */
const SEGMENT_MAX_LENGTH = 180;

const DEPTH_MAX = 8;

/** Separators of any system, control characters, and what begins a hidden file or leads upwards. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNSAFE = /[/\\:*?"<>|\x00-\x1f\x7f]|^\.|^\s|[\s.]$/;

/**
 * Reads the part of a path after `/media/`, percent-encoded as it came.
 * @returns The file's name under WordPress' uploads, decoded; `null` for anything that could be something else than a
 * file we serve: a folder, a hidden file, a way out, an unknown kind.
 */
export function mediaName(path: string): string | null {
  const segments: string[] = [];
  for (const part of path.split('/')) {
    const segment = decoded(part);
    if (!segment || UNSAFE.test(segment) || Buffer.byteLength(segment) > SEGMENT_MAX_LENGTH) return null;
    segments.push(segment);
  }
  const name = segments.join('/');
  return segments.length <= DEPTH_MAX && mediaTypeOf(name) !== null ? name : null;
}

/** What WordPress adds to a name for its sizes, a scaled or turned original and edits. */
const VARIANT = /(?:-(?:\d+x\d+|scaled|rotated|e\d{10,13}))*$/;

/** @returns Folder and stem that a file shares with every size WordPress makes of it. */
export const mediaFamily = (name: string): string => name.replace(/\.[^./]*$/, '').replace(VARIANT, '');

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
