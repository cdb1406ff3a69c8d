import { extensionOf } from '@pillion/forms/files.ts';
import type { Upload } from '@pillion/forms/form.ts';

/**
 * Kinds of file are extensions in lower case. These are executed by servers. They are refused anywhere in a name,
 * because some servers execute `.php.jpg` as PHP.
 */
const SERVER_PROGRAMS = /^(?:php\d?|phps|pht|phtml|phar|asp|aspx|jsp|cgi|shtml|htaccess|htpasswd)$/;

/** Kinds that a computer executes when they are opened. Always refused. */
const DESKTOP_PROGRAMS = new Set(
  'exe com bat cmd msi scr pif cpl dll sys lnk reg hta js mjs jse vbs vbe wsf wsh ps1 psm1 sh bash csh pl py rb jar app apk dmg pkg deb rpm swf'.split(
    ' ',
  ),
);

/** Kinds that could run code in a browser on the site. Accepted only if the form's field lists them. */
const ACTIVE_KINDS = new Set(['svg', 'svgz', 'html', 'htm', 'xhtml', 'xht', 'xml', 'xsl', 'mht', 'mhtml', 'css']);

/** A map, since visitors choose the names of files: a kind may be `__proto__`. */
const byKind = <Value>(table: Record<string, Value>) => new Map(Object.entries(table));

const ZIP = ['PK\x03\x04', 'PK\x05\x06'];
const OLE = ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'];
const MP4 = ['....ftyp'];

/** First bytes of kinds that always begin in the same way. A dot matches any byte. */
const SIGNATURES: ReadonlyMap<string, string[]> = byKind({
  ...{ jpg: ['\xff\xd8\xff'], jpeg: ['\xff\xd8\xff'], png: ['\x89PNG\r\n\x1a\n'], gif: ['GIF87a', 'GIF89a'] },
  ...{ webp: ['RIFF....WEBP'], wav: ['RIFF....WAVE'], avi: ['RIFF....AVI '], bmp: ['BM'] },
  ...{ tif: ['II*\0', 'MM\0*'], tiff: ['II*\0', 'MM\0*'], heic: MP4, avif: MP4, mp4: MP4, m4a: MP4, m4v: MP4 },
  ...{ zip: ZIP, docx: ZIP, xlsx: ZIP, pptx: ZIP, odt: ZIP, ods: ZIP, odp: ZIP, pages: ZIP, epub: ZIP },
  ...{ doc: OLE, xls: OLE, ppt: OLE, rtf: ['{\\rtf'], ogg: ['OggS'], flac: ['fLaC'], '7z': ["7z\xbc\xaf'\x1c"] },
  ...{ gz: ['\x1f\x8b'], webm: ['\x1aE\xdf\xa3'], mkv: ['\x1aE\xdf\xa3'] },
});

/** Kinds that are plain text. */
const TEXT_KINDS = new Set(['txt', 'csv', 'tsv', 'md', 'ics', 'vcf', 'json', 'gpx', 'kml', 'geojson']);

/** First bytes of programs: of Windows, Linux, Java, macOS, scripts, PHP and ASP. Refused for every name. */
const PROGRAM = /^(?:MZ|\x7fELF|\xca\xfe\xba\xbe|\xcf\xfa\xed\xfe|#!)|^(?:\xef\xbb\xbf)?\s*<(?:\?php|\?=|%)/;
/** Pages that a browser would render. */
const PAGE = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body|script|svg|iframe|img|\?xml)/i;

/** PDF readers look for the mark in the first 1,024 bytes. */
const isPdf = (text: string) => text.slice(0, 1_024).includes('%PDF-');

const startsWithPattern = (text: string, pattern: string) =>
  [...pattern].every((sign, at) => (sign === '.' ? text.length > at : text[at] === sign));

/** WordPress cannot recognise a shorter file as text, and refuses it. */
const MIN_TEXT_LENGTH = 3;

/** UTF-16 text has a byte order mark and zero bytes; other text has no zero bytes. */
const isText = (text: string) => /^(?:\xff\xfe|\xfe\xff)/.test(text) || !text.includes('\0');

/** @param upload With `known`, WordPress refuses all other kinds. */
function hasSafeName(name: string, { kinds, known }: Upload): boolean {
  const kind = extensionOf(name);
  if (known && !known.includes(kind)) return false;
  const parts = name.toLowerCase().split('.').slice(1);
  if (parts.some((part) => SERVER_PROGRAMS.test(part.trim())) || DESKTOP_PROGRAMS.has(kind)) return false;
  return !ACTIVE_KINDS.has(kind) || kinds.includes(kind);
}

function hasExpectedContent(name: string, head: Uint8Array): boolean {
  const kind = extensionOf(name);
  const text = Buffer.from(head).toString('latin1');
  if (PROGRAM.test(text)) return false;
  if (kind === 'pdf') return isPdf(text);
  if (PAGE.test(text)) return ACTIVE_KINDS.has(kind) || kind === 'gpx' || kind === 'kml';
  if (TEXT_KINDS.has(kind)) return text.length >= MIN_TEXT_LENGTH && isText(text);
  return SIGNATURES.get(kind)?.some((pattern) => startsWithPattern(text, pattern)) ?? true;
}

/** Number of first bytes by which a file's content is checked. */
export const HEAD_LENGTH = 4_096;

/**
 * Whether a file's name and content are safe to store. The field's list of kinds is checked elsewhere.
 * @param name The name to store.
 * @param head The file's first `HEAD_LENGTH` bytes.
 */
export const isSafe = (upload: Upload, name: string, head: Uint8Array): boolean =>
  hasSafeName(name, upload) && hasExpectedContent(name, head);

/** Content types for delivery, by kind; others are `application/octet-stream`. The browser's own value is not used. */
const MEDIA_TYPES: ReadonlyMap<string, string> = byKind({
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' },
  ...{ pdf: 'application/pdf', txt: 'text/plain', csv: 'text/csv', zip: 'application/zip', svg: 'image/svg+xml' },
  ...{ mp3: 'audio/mpeg', mp4: 'video/mp4', wav: 'audio/wav', heic: 'image/heic', rtf: 'application/rtf' },
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  doc: 'application/msword',
});

export const mediaTypeOf = (name: string): string => MEDIA_TYPES.get(extensionOf(name)) ?? 'application/octet-stream';
