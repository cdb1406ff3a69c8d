import { constants } from 'node:fs';
import { access, type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createTurns } from '../content/turns.ts';

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
  /** Whether its folder can be written to. */
  ready(): Promise<boolean>;
}

const NEWLINE = '\n'.charCodeAt(0);

/** Whether the last line is whole. A disk that was full, or a killed process, may have left half of one. */
async function isWhole(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === NEWLINE;
}

async function write(path: string, line: string): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    await file.appendFile((await isWhole(file)) ? line : `\n${line}`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Keeps sign-ups as lines of JSON in `sign-ups.jsonl`, each written and fsynced on its own. */
export function createJournal(directory: string): Journal {
  const path = join(directory, 'sign-ups.jsonl');
  // One at a time, so that none is appended to a half line of another.
  const turns = createTurns(1);
  return {
    append: (entry) =>
      turns.take(async () => {
        await mkdir(directory, { recursive: true });
        await write(path, `${JSON.stringify(entry)}\n`);
      }),
    async ready() {
      try {
        await mkdir(directory, { recursive: true });
        await access(directory, constants.W_OK);
        return true;
      } catch {
        return false;
      }
    },
  };
}
