import { fillPlaceholder } from './common-rules.ts';
import type { FormField, Upload } from './form.ts';
import type { FormTexts } from './texts.ts';

/**
 * Rules for files. The page applies them when a file is chosen, and the server on submission, with the same messages.
 */

/** In bytes. */
export const MEGABYTE = 2 ** 20;

/** Maximum size of all files of a sign-up, in bytes (decision 015). */
export const MAX_UPLOAD_BYTES = 10 * MEGABYTE;

export interface ChosenFile {
  name: string;
  size: number;
}

/** Maximum length of a file name in a message, in characters. */
const MAX_SHOWN_NAME_LENGTH = 60;
const shortened = (name: string) =>
  name.length > MAX_SHOWN_NAME_LENGTH ? `${name.slice(0, MAX_SHOWN_NAME_LENGTH)}…` : name;

/** @returns The file extension in lower case; empty if there is no extension. */
export const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

// Different extensions of the same type, such as `jpeg` and `jpg`.
const canonicalExtension = (kind: string) => ({ jpeg: 'jpg', tiff: 'tif', htm: 'html' })[kind] ?? kind;

const isAllowedKind = ({ kinds }: Upload, name: string): boolean =>
  kinds.length === 0 || kinds.map(canonicalExtension).includes(canonicalExtension(extensionOf(name)));

const formatMegabytes = (bytes: number) => `${Math.round((bytes / MEGABYTE) * 100) / 100}`;

const sizeRule = ({ maxBytes }: Upload, texts: FormTexts) =>
  fillPlaceholder(texts.file_size, formatMegabytes(maxBytes));
const countRule = ({ maxFiles }: Upload, texts: FormTexts) => fillPlaceholder(texts.file_count, maxFiles);
const kindsRule = ({ kinds }: Upload, texts: FormTexts) =>
  kinds.length > 0 ? fillPlaceholder(texts.file_kinds, kinds.join(', ')) : '';

/** Describes the limits of a field, one sentence for each. */
export const rulesOf = (upload: Upload, texts: FormTexts): string =>
  [kindsRule(upload, texts), sizeRule(upload, texts), upload.maxFiles > 1 ? countRule(upload, texts) : '']
    .filter((rule) => rule !== '')
    .join(' ');

/** The message for a refused file, with the reason if it is the file type. */
export const refusedFileMessage = (upload: Upload, { name }: ChosenFile, texts: FormTexts): string =>
  `${fillPlaceholder(texts.file_refused, shortened(name))} ${kindsRule(upload, texts)}`.trim();

/** Describes the limit of all files of a form. @param maxBytes The limit, if WordPress' web server has a lower one. */
export const totalRule = (texts: FormTexts, maxBytes = MAX_UPLOAD_BYTES): string =>
  fillPlaceholder(texts.file_total, formatMegabytes(maxBytes));

/** Checks the total size of the files of a form. @returns The error message, or `null`. */
export const problemWithTotal = (files: ChosenFile[], texts: FormTexts): string | null =>
  files.reduce((sum, { size }) => sum + size, 0) > MAX_UPLOAD_BYTES ? totalRule(texts) : null;

/** Does not check whether a file is required. @returns The error message for the files of a field, or `null`. */
export function problemWithFiles(
  { upload, errorMessage }: FormField,
  files: ChosenFile[],
  texts: FormTexts,
): string | null {
  if (!upload) return null;
  const notAllowed = files.find(({ name }) => !isAllowedKind(upload, name));
  const tooLarge = files.find(({ size }) => size > upload.maxBytes);
  const empty = files.find(({ size }) => size === 0);
  const problem =
    (files.length > upload.maxFiles && countRule(upload, texts)) ||
    (notAllowed && refusedFileMessage(upload, notAllowed, texts)) ||
    (tooLarge && `${fillPlaceholder(texts.file_refused, shortened(tooLarge.name))} ${sizeRule(upload, texts)}`) ||
    (empty && fillPlaceholder(texts.file_empty, shortened(empty.name))) ||
    problemWithTotal(files, texts);
  return problem && (errorMessage || problem);
}
