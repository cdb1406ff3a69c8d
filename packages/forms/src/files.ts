import { fill } from './common-rules.ts';
import type { FormField, Upload } from './form.ts';
import type { FormTexts } from './texts.ts';

/**
 * Rules for files. The page applies them when a file is chosen, and the server on submission, with the same messages.
 */

/** In bytes. */
export const MEGABYTE = 2 ** 20;

/** Maximum size of all files of a sign-up, in bytes (decision 015). */
export const LARGEST_UPLOAD = 10 * MEGABYTE;

export interface ChosenFile {
  name: string;
  size: number;
}

/** Maximum length of a file name in a message. */
const LONGEST_NAME = 60;
const shortened = (name: string) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

/** @returns The file extension in lower case; empty if there is no extension. */
export const kindOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

// Different extensions of the same type, such as `jpeg` and `jpg`.
const sameKind = (kind: string) => ({ jpeg: 'jpg', tiff: 'tif', htm: 'html' })[kind] ?? kind;

const isAllowedKind = ({ kinds }: Upload, name: string): boolean =>
  kinds.length === 0 || kinds.map(sameKind).includes(sameKind(kindOf(name)));

const megabytes = (bytes: number) => `${Math.round((bytes / MEGABYTE) * 100) / 100}`;

const sizeRule = ({ maxBytes }: Upload, texts: FormTexts) => fill(texts.file_size, megabytes(maxBytes));
const countRule = ({ maxFiles }: Upload, texts: FormTexts) => fill(texts.file_count, maxFiles);
const kindsRule = ({ kinds }: Upload, texts: FormTexts) =>
  kinds.length > 0 ? fill(texts.file_kinds, kinds.join(', ')) : '';

/** Describes the limits of the field, one sentence for each. */
export const rulesOf = (upload: Upload, texts: FormTexts): string =>
  [kindsRule(upload, texts), sizeRule(upload, texts), upload.maxFiles > 1 ? countRule(upload, texts) : '']
    .filter((rule) => rule !== '')
    .join(' ');

/** The message for a refused file, with the reason if it is the file type. */
export const refusedFile = (upload: Upload, { name }: ChosenFile, texts: FormTexts): string =>
  `${fill(texts.file_refused, shortened(name))} ${kindsRule(upload, texts)}`.trim();

const totalOf = (files: ChosenFile[]) => files.reduce((sum, { size }) => sum + size, 0);

export const totalRule = (texts: FormTexts, most = LARGEST_UPLOAD): string => fill(texts.file_total, megabytes(most));

/** Checks the total size of the files of a form. @returns The error message, or `null`. */
export const problemWithTotal = (files: ChosenFile[], texts: FormTexts): string | null =>
  totalOf(files) > LARGEST_UPLOAD ? totalRule(texts) : null;

/** Does not check whether a file is required. @returns The error message for the files of a field, or `null`. */
export function problemWithFiles(
  { upload, errorMessage }: FormField,
  files: ChosenFile[],
  texts: FormTexts,
): string | null {
  if (!upload) return null;
  const foreign = files.find(({ name }) => !isAllowedKind(upload, name));
  const large = files.find(({ size }) => size > upload.maxBytes);
  const empty = files.find(({ size }) => size === 0);
  const problem =
    (files.length > upload.maxFiles && countRule(upload, texts)) ||
    (foreign && refusedFile(upload, foreign, texts)) ||
    (large && `${fill(texts.file_refused, shortened(large.name))} ${sizeRule(upload, texts)}`) ||
    (empty && fill(texts.file_empty, shortened(empty.name))) ||
    problemWithTotal(files, texts);
  return problem && (errorMessage || problem);
}
