import { kindOf } from '@pillion/forms/files.ts';

/** Longest name that is kept, in characters: what every file system takes, in whatever script. */
const LONGEST_NAME = 80;

/** Control characters, and those that turn the direction of writing so that `gpj.exe` reads `exe.jpg`. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
/** What a path, a shell or a header could read as something else. */
const SPECIAL = /[<>:"|?*%`$;]/g;

/** The name a file goes by from here on: one that is no path, runs nothing and stays short, and still says what it was. */
export function safeName(sent: string): string {
  const last = sent.normalize('NFC').split(/[\\/]/).at(-1) ?? '';
  const clean = last
    .replace(UNSEEN, '')
    .replace(SPECIAL, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  const kind = kindOf(clean).slice(0, 10);
  const stem = kind === '' ? clean : clean.slice(0, clean.lastIndexOf('.'));
  const short = [...stem].slice(0, LONGEST_NAME).join('').trim() || 'file';
  return kind === '' ? short : `${short}.${kind}`;
}
