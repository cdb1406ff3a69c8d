import { kindOf } from '@pillion/forms/files.ts';
import type { Upload } from '@pillion/forms/form.ts';

/** Run by a server wherever they stand in a name: some take `.php.jpg` for PHP. */
const RUN_BY_SERVERS = /^(?:php\d?|phps|pht|phtml|phar|asp|aspx|jsp|cgi|shtml|htaccess|htpasswd)$/;

/** Run by whoever opens them. Refused whatever a form allows. */
const RUN_BY_PEOPLE = new Set(
  'exe com bat cmd msi scr pif cpl dll sys lnk reg hta js mjs jse vbs vbe wsf wsh ps1 psm1 sh bash csh pl py rb jar app apk dmg pkg deb rpm swf'.split(
    ' ',
  ),
);

/** Could act in the browser of whoever looks at them on the site: only where the form names them. */
const ACTIVE = new Set(['svg', 'svgz', 'html', 'htm', 'xhtml', 'xht', 'xml', 'xsl', 'mht', 'mhtml', 'css']);

const ZIP = ['PK\x03\x04', 'PK\x05\x06'];
const OLE = ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'];
const MP4 = ['....ftyp'];

/** How files of a kind begin, byte by byte; a dot stands for any. Only kinds that begin in no other way. */
const BEGINNINGS: Record<string, string[]> = {
  ...{ jpg: ['\xff\xd8\xff'], jpeg: ['\xff\xd8\xff'], png: ['\x89PNG\r\n\x1a\n'], gif: ['GIF87a', 'GIF89a'] },
  ...{ webp: ['RIFF....WEBP'], wav: ['RIFF....WAVE'], avi: ['RIFF....AVI '], bmp: ['BM'] },
  ...{ tif: ['II*\0', 'MM\0*'], tiff: ['II*\0', 'MM\0*'], heic: MP4, avif: MP4, mp4: MP4, m4a: MP4, m4v: MP4 },
  ...{ zip: ZIP, docx: ZIP, xlsx: ZIP, pptx: ZIP, odt: ZIP, ods: ZIP, odp: ZIP, pages: ZIP, epub: ZIP },
  ...{ doc: OLE, xls: OLE, ppt: OLE, rtf: ['{\\rtf'], ogg: ['OggS'], flac: ['fLaC'], '7z': ["7z\xbc\xaf'\x1c"] },
  ...{ gz: ['\x1f\x8b'], webm: ['\x1aE\xdf\xa3'], mkv: ['\x1aE\xdf\xa3'] },
};

/** Names come from visitors: `__proto__` is a kind like any other. */
const beginningsOf = (kind: string) => (Object.hasOwn(BEGINNINGS, kind) ? BEGINNINGS[kind] : undefined);

/** Kinds of nothing but text. */
const TEXTS = new Set(['txt', 'csv', 'tsv', 'md', 'ics', 'vcf', 'json', 'gpx', 'kml', 'geojson']);

/** Programs, and pages that a browser would show as such, whatever their name says. */
const PROGRAM = /^(?:MZ|\x7fELF|\xca\xfe\xba\xbe|\xcf\xfa\xed\xfe|#!)|^(?:\xef\xbb\xbf)?\s*<(?:\?php|\?=|%)/;
const PAGE = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body|script|svg|iframe|img|\?xml)/i;

/** Readers look for the mark in the first 1,024 bytes. */
const isPdf = (text: string) => text.slice(0, 1_024).includes('%PDF-');

const begins = (text: string, pattern: string) =>
  [...pattern].every((sign, at) => (sign === '.' ? text.length > at : text[at] === sign));

/** Of less WordPress cannot tell that it is text, and refuses it. */
const SHORTEST_TEXT = 3;

/** Text as editors write it; UTF-16 has a mark at its start and zeroes within. */
const isText = (text: string) => /^(?:\xff\xfe|\xfe\xff)/.test(text) || !text.includes('\0');

function isNamedSafely(name: string, { kinds, known }: Upload): boolean {
  const kind = kindOf(name);
  if (known && !known.includes(kind)) return false;
  const parts = name.toLowerCase().split('.').slice(1);
  if (parts.some((part) => RUN_BY_SERVERS.test(part.trim())) || RUN_BY_PEOPLE.has(kind)) return false;
  return !ACTIVE.has(kind) || kinds.includes(kind);
}

function isWhatItSays(name: string, head: Uint8Array): boolean {
  const kind = kindOf(name);
  const text = Buffer.from(head).toString('latin1');
  if (PROGRAM.test(text)) return false;
  if (kind === 'pdf') return isPdf(text);
  if (PAGE.test(text)) return ACTIVE.has(kind) || kind === 'gpx' || kind === 'kml';
  if (TEXTS.has(kind)) return text.length >= SHORTEST_TEXT && isText(text);
  return beginningsOf(kind)?.some((pattern) => begins(text, pattern)) ?? true;
}

/** Bytes of a file that tell what it is. */
export const HEAD_LENGTH = 4_096;

/**
 * Whether a file may be kept, by its name and by what is in it. The field's own list of kinds is asked elsewhere.
 * @param name As it will be kept.
 * @param head Its first `HEAD_LENGTH` bytes.
 */
export const isSafe = (upload: Upload, name: string, head: Uint8Array): boolean =>
  isNamedSafely(name, upload) && isWhatItSays(name, head);

/** Types a delivery names; what is not among them is bytes. What the browser said is not believed. */
const TYPES: Record<string, string> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' },
  ...{ pdf: 'application/pdf', txt: 'text/plain', csv: 'text/csv', zip: 'application/zip', svg: 'image/svg+xml' },
  ...{ mp3: 'audio/mpeg', mp4: 'video/mp4', wav: 'audio/wav', heic: 'image/heic', rtf: 'application/rtf' },
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  doc: 'application/msword',
};

export function typeOf(name: string): string {
  const kind = kindOf(name);
  return (Object.hasOwn(TYPES, kind) && TYPES[kind]) || 'application/octet-stream';
}
