// Worker thread for drafts: parsing and cleaning a large one takes up to half a second, which must not block visitors.
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { readableText } from '../pages/excerpt.ts';
import { pageContentOf } from '../pages/page-content.ts';
import type { LeftOut } from '../pages/sections.ts';
import { plainText } from '../text/plain-text.ts';
import { createRewriter } from '../wordpress/rewrite.ts';
import { pageSchema } from '../wordpress/schemas.ts';
import { type DraftFault, type DraftToRead, draftSchema, MAX_DRAFT_CHARACTERS, type ReadDraft } from './draft.ts';

/**
 * Largest number of values (members and items) of an unsaved draft. They cost more than their characters, and both limit
 * what the main thread has to send.
 */
const MAX_VALUES = 10_000;

function isTooLong(content: unknown): boolean {
  let values = 0;
  const text = JSON.stringify(content, (_, value) => {
    values += 1;
    return value;
  });
  return text.length > MAX_DRAFT_CHARACTERS || values > MAX_VALUES;
}

/** Largest number of arrays and objects in a draft. Millions would exhaust the thread's memory. */
const MAX_OPENINGS = 50_000;
const [ARRAY, OBJECT] = ['[', '{'].map((sign) => sign.charCodeAt(0));

function parseBody(body: Uint8Array): unknown {
  let openings = 0;
  for (const byte of body) if (byte === ARRAY || byte === OBJECT) openings += 1;
  return openings > MAX_OPENINGS
    ? null
    : JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString());
}

const postedSchema = z.object({ draft: draftSchema });

/** The editor gets a draft's warnings as problems. In the log they would expose its content. */
const ignoreWarning = () => {};

/** Checks and cleans a draft like a published page. */
export function readDraft({ source, addresses, isSaved }: DraftToRead): ReadDraft | DraftFault {
  try {
    const body = source instanceof Uint8Array ? parseBody(source) : source;
    const { page, blocks, route } = postedSchema.parse(body).draft;
    const wire = pageSchema.parse(page);
    if (!isSaved && isTooLong(wire.sections ?? wire.content ?? '')) return 'too-long';
    const media = new Set<string>();
    const leftOut: LeftOut[] = [];
    const rewriter = createRewriter(addresses.addresses, (path) => media.add(path), addresses.folders);
    const content = pageContentOf(wire, route.path, rewriter, ignoreWarning, (part) => leftOut.push(part));
    const count = wire.sections?.length ?? 1;
    return {
      ...{ route, content, text: readableText(content), leftOut, media: [...media] },
      blocks: Array.from({ length: count }, (_, section) => blocks[section] ?? null),
      // Excludes the excerpt that WordPress cuts from the text: editors cannot shorten it.
      description: plainText(wire.found?.description || wire.yoast_head_json?.description || ''),
    };
  } catch {
    return 'unreadable';
  }
}

// On a single processor the main thread has priority. On Linux the priority applies to the thread (sched(7)), elsewhere
// to the process.
if (parentPort && process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
parentPort?.on('message', (draft: DraftToRead) => parentPort?.postMessage(readDraft(draft)));
