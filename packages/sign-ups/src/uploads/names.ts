import { extensionOf } from '@pillion/forms/files.ts';

/** Longest stored name without its extension, and longest extension, in characters. */
const MAX_STEM_LENGTH = 80;
const MAX_EXTENSION_LENGTH = 10;
/** Longest stored name, in bytes of UTF-8. File systems accept 255, and `show --files` may put a number before it. */
const MAX_NAME_BYTES = 250;

/** Control characters, and those that reverse the text direction, by which `gpj.exe` can look like `exe.jpg`. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
/** Characters with a meaning in paths, shells or headers. */
const SPECIAL = /[<>:"|?*%`$;]/g;

/** Makes a file's name safe: no path, no special characters, a limited length. It stays recognisable. */
export function safeName(sent: string): string {
  const baseName = sent.normalize('NFC').split(/[\\/]/).at(-1) ?? '';
  const clean = baseName
    .replace(INVISIBLE, '')
    .replace(SPECIAL, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  const extension = extensionOf(clean);
  const suffix = extension === '' ? '' : `.${[...extension].slice(0, MAX_EXTENSION_LENGTH).join('')}`;
  const stem = extension === '' ? clean : clean.slice(0, clean.lastIndexOf('.'));
  const characters = [...stem].slice(0, MAX_STEM_LENGTH);
  while (Buffer.byteLength(characters.join('') + suffix) > MAX_NAME_BYTES) characters.pop();
  return `${characters.join('').trim() || 'file'}${suffix}`;
}
