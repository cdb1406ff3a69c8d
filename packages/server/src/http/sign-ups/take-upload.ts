import { totalRule } from '@pillion/forms/files.ts';
import type { Form } from '@pillion/forms/form.ts';
import { loopTurns } from '@pillion/lib/fairness.ts';
import { type Log, sparsely } from '@pillion/lib/log.ts';
import type { SmallerRoom } from '@pillion/sign-ups/backends/backend.ts';
import { type FileLimits, MAX_BODY_BYTES, readUpload, type Upload } from '@pillion/sign-ups/uploads/read-upload.ts';
import type { Slot, SlotRefusal, UploadSlots } from '@pillion/sign-ups/uploads/slots.ts';
import type { Context } from 'hono';
import { chunksOf } from '../body.ts';
import type { Admission } from './admission.ts';
import type { Responses } from './responses.ts';

interface Options {
  admissionFor: (c: Context) => Admission;
  responses: Responses;
  slots: UploadSlots;
  smallerRoom: SmallerRoom;
  /** Folder for files during the upload. */
  dataDirectory: string;
  log: Log;
}

/** State of a form with files while the server reads it. */
interface UploadState {
  admission: Admission;
  /** Fields before the first file. The site's forms send their own fields first. */
  fieldsBeforeFiles: FormData;
  /** Taken when the form is admitted and can have files. */
  slot: Slot | null;
  /** Why it got no slot; `null`: it has one or needs no slot. */
  slotRefusal: SlotRefusal | null;
  isStored: boolean;
}

/** The file fields of a form, by the name of their control. */
const fileLimitsByInput = ({ fields }: Form): Map<string, FileLimits> =>
  new Map(fields.flatMap(({ upload, inputs: [input] }) => (upload && input ? [[input.name, upload] as const] : [])));

/** Takes forms that can have files. It reads each as it arrives, up to its limits. */
export function createUploadHandler({ admissionFor, responses, slots, smallerRoom, dataDirectory, log }: Options) {
  const logSparsely = sparsely(log, (_, { why }) => String(why));

  function respondWithoutSlot(c: Context, refusal: SlotRefusal): Promise<Response> {
    logSparsely('warn', 'files refused', { why: refusal.why });
    if (refusal.why !== 'budget') return responses.unavailable(c);
    return responses.rejectUnread(c, 429, ({ busy }) => busy, { retryAfterS: Math.ceil(refusal.waitMs / 1000) });
  }

  function respondToUpload(c: Context, upload: Upload, state: UploadState): Promise<Response> | Response {
    const { admission, fieldsBeforeFiles, slotRefusal } = state;
    switch (upload.kind) {
      case 'read': {
        const onStored = () => {
          state.isStored = true;
        };
        return admission.respond(upload.sent, upload.files, onStored).finally(upload.release);
      }
      case 'not-admitted':
        return slotRefusal ? respondWithoutSlot(c, slotRefusal) : admission.respond(fieldsBeforeFiles);
      case 'aborted':
        return responses.unavailable(c);
      case 'too-large':
        return responses.rejectUnread(c, 413, totalRule);
      case 'unreadable':
        return responses.invalidRequest(c, 415, 'Send form fields, urlencoded or multipart.');
      case 'failed':
        log('error', 'sign-up not received', { error: upload.error });
        return responses.unavailable(c);
    }
  }

  return async (c: Context): Promise<Response> => {
    const length = Number(c.req.header('content-length') ?? MAX_BODY_BYTES);
    if (length > MAX_BODY_BYTES) return responses.rejectUnread(c, 413, totalRule);
    const backendLimit = await smallerRoom(length);
    if (backendLimit !== null) {
      logSparsely('warn', 'files refused', { why: 'body-too-large', bytes: length, todo: backendLimit.todo });
      return responses.rejectUnread(c, 413, (texts) => totalRule(texts, backendLimit.bytes));
    }
    const aborting = new AbortController();
    const state: UploadState = {
      admission: admissionFor(c),
      fieldsBeforeFiles: new FormData(),
      slot: null,
      slotRefusal: null,
      isStored: false,
    };

    /** Called before the first file. @returns The fields that may have files; `null` ends the upload. */
    async function admit(sent: FormData): Promise<Map<string, FileLimits> | null> {
      state.fieldsBeforeFiles = sent;
      const form = await state.admission.admit(sent);
      const fileLimits = form && fileLimitsByInput(form);
      // Only admitted forms that can have files need a slot.
      if (!fileLimits || fileLimits.size === 0) return fileLimits;
      const slot = await slots.take(state.admission.network, length, () => aborting.abort());
      if ('why' in slot) {
        state.slotRefusal = slot;
        return null;
      }
      state.slot = slot;
      return fileLimits;
    }

    /** Passes each chunk on in the turn of its network, and reports its bytes to the slot. */
    async function* throttle(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        await loopTurns.take();
        state.slot?.addBytes(chunk.byteLength);
        yield chunk;
      }
    }

    try {
      const upload = await readUpload(throttle(chunksOf(c)), {
        contentType: c.req.header('content-type') ?? '',
        directory: dataDirectory,
        signal: aborting.signal,
        admit,
      });
      return await respondToUpload(c, upload, state);
    } finally {
      const { slot, isStored } = state;
      if (!isStored) slot?.refund();
      slot?.release();
    }
  };
}
