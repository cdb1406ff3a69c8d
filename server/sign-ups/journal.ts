import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

/** One sign-up as it is kept: what was asked, what was answered, when. */
export interface JournalEntry {
  sign_up_id: string;
  form_id: number;
  received: string;
  /** Why it was set aside as probable spam, `null` where nothing speaks against it. */
  suspected: string | null;
  values: Record<string, string>;
}

export interface Journal {
  /** Resolves once the entry is on the disk, not before: only then may the visitor be thanked. */
  append(entry: JournalEntry): Promise<void>;
}

/** Keeps sign-ups as lines of JSON in `sign-ups.jsonl`, each written and fsynced on its own. */
export function createJournal(directory: string): Journal {
  const path = join(directory, 'sign-ups.jsonl');
  return {
    async append(entry) {
      await mkdir(directory, { recursive: true });
      const file = await open(path, 'a', 0o600);
      try {
        await file.appendFile(`${JSON.stringify(entry)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}
