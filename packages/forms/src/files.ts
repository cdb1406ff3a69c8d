import type { FormField, Upload } from './form.ts';
import type { FormTexts } from './texts.ts';

/** What a file must be: said by the page when it is chosen, and by the server, which decides, in the same words. */

/** As Gravity Forms counts them. */
export const MEGABYTE = 2 ** 20;

/** All files of one sign-up together, in bytes (decision 015). */
export const LARGEST_UPLOAD = 10 * MEGABYTE;

export interface ChosenFile {
  name: string;
  size: number;
}

/** A name in a message: enough of it to know the file by. */
const LONGEST_NAME = 60;
const shortened = (name: string) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

/** Ending of a name, in lower case; empty where it has none. */
export const kindOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

// One ending of two: `jpeg` is what `jpg` says.
const sameKind = (kind: string) => ({ jpeg: 'jpg', tiff: 'tif', htm: 'html' })[kind] ?? kind;

const isAllowedKind = ({ kinds }: Upload, name: string): boolean =>
  kinds.length === 0 || kinds.map(sameKind).includes(sameKind(kindOf(name)));

const megabytes = (bytes: number) => `${Math.round((bytes / MEGABYTE) * 100) / 100}`;

/** A function, so that nothing in what is filled in is read as a pattern. */
const fill = (text: string, value: string) => text.replace(/\{\w+\}/, () => value);

const sizeRule = ({ maxBytes }: Upload, texts: FormTexts) => fill(texts.file_size, megabytes(maxBytes));
const countRule = ({ maxFiles }: Upload, texts: FormTexts) => fill(texts.file_count, `${maxFiles}`);
const kindsRule = ({ kinds }: Upload, texts: FormTexts) =>
  kinds.length > 0 ? fill(texts.file_kinds, kinds.join(', ')) : '';

/** What the field takes, in a sentence for each limit. */
export const rulesOf = (upload: Upload, texts: FormTexts): string =>
  [kindsRule(upload, texts), sizeRule(upload, texts), upload.maxFiles > 1 ? countRule(upload, texts) : '']
    .filter((rule) => rule !== '')
    .join(' ');

/** Says of a file that it is not taken, and why where the field's limits say so. */
export const refusedFile = (upload: Upload, { name }: ChosenFile, texts: FormTexts): string =>
  `${fill(texts.file_refused, shortened(name))} ${kindsRule(upload, texts)}`.trim();

const totalOf = (files: ChosenFile[]) => files.reduce((sum, { size }) => sum + size, 0);

export const totalRule = (texts: FormTexts): string => fill(texts.file_total, megabytes(LARGEST_UPLOAD));

/** What is wrong with all files of a form together. */
export const problemWithTotal = (files: ChosenFile[], texts: FormTexts): string | null =>
  totalOf(files) > LARGEST_UPLOAD ? totalRule(texts) : null;

/** @returns What is wrong with the files of one field, `null` where nothing is. Whether one is needed is the field's to say. */
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
