import { extensionOf } from '@pillion/forms/files.ts';

/** Longest stored name, in characters. Every file system accepts it in any script. */
const MAX_NAME_LENGTH = 80;

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
  const kind = extensionOf(clean).slice(0, 10);
  const stem = kind === '' ? clean : clean.slice(0, clean.lastIndexOf('.'));
  const short = [...stem].slice(0, MAX_NAME_LENGTH).join('').trim() || 'file';
  return kind === '' ? short : `${short}.${kind}`;
}
