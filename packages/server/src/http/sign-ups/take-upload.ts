import { totalRule } from '@pillion/forms/files.ts';
import type { Form } from '@pillion/forms/form.ts';
import { loopTurns } from '@pillion/lib/fairness.ts';
import { type Log, sparsely } from '@pillion/lib/log.ts';
import type { SmallerRoom } from '@pillion/sign-ups/backends/backend.ts';
import { type Allowance, LARGEST_BODY, readUpload, type Upload } from '@pillion/sign-ups/uploads/read-upload.ts';
import type { NoSlot, Slot, UploadSlots } from '@pillion/sign-ups/uploads/slots.ts';
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
interface Reading {
  admission: Admission;
  /** Fields before the first file. The site's forms send their own fields first. */
  before: FormData;
  /** Taken when the form is admitted and can have files. */
  slot: Slot | NoSlot | null;
  isStored: boolean;
}

/** The file fields of a form, by the name of their control. */
const allowancesOf = ({ fields }: Form): Map<string, Allowance> =>
  new Map(fields.flatMap(({ upload, inputs: [input] }) => (upload && input ? [[input.name, upload] as const] : [])));

const isRefused = (slot: Slot | NoSlot | null): slot is NoSlot => slot !== null && 'why' in slot;

/** Takes forms that can have files. It reads each as it arrives, up to its limits. */
export function createUploadTaker({ admissionFor, responses, slots, smallerRoom, dataDirectory, log }: Options) {
  const busyLog = sparsely(log, (_, { why }) => String(why));

  function noSlot(c: Context, slot: NoSlot): Promise<Response> {
    busyLog('warn', 'files refused', { why: slot.why });
    if (slot.why !== 'budget') return responses.failed(c);
    return responses.notTaken(c, 429, ({ busy }) => busy, { backAfterS: Math.ceil(slot.waitMs / 1000) });
  }

  function respond(c: Context, upload: Upload, reading: Reading): Promise<Response> | Response {
    const { admission, before, slot } = reading;
    switch (upload.kind) {
      case 'read': {
        const onStored = () => {
          reading.isStored = true;
        };
        return admission.respond(upload.sent, upload.files, onStored).finally(upload.release);
      }
      case 'refused':
        return isRefused(slot) ? noSlot(c, slot) : admission.respond(before);
      case 'dropped':
        return responses.failed(c);
      case 'too-large':
        return responses.notTaken(c, 413, totalRule);
      case 'unreadable':
        return responses.notAForm(c, 415, 'Send form fields, urlencoded or multipart.');
      case 'failed':
        log('error', 'sign-up not received', { error: upload.error });
        return responses.failed(c);
    }
  }

  return async (c: Context): Promise<Response> => {
    const length = Number(c.req.header('content-length') ?? LARGEST_BODY);
    if (length > LARGEST_BODY) return responses.notTaken(c, 413, totalRule);
    const room = await smallerRoom(length);
    if (room !== null) {
      busyLog('warn', 'files refused', { why: 'body-too-large', bytes: length, todo: room.todo });
      return responses.notTaken(c, 413, (texts) => totalRule(texts, room.bytes));
    }
    const dropped = new AbortController();
    const reading: Reading = { admission: admissionFor(c), before: new FormData(), slot: null, isStored: false };

    async function admit(sent: FormData): Promise<Map<string, Allowance> | null> {
      reading.before = sent;
      const form = await reading.admission.ask(sent);
      const allowances = form && allowancesOf(form);
      // Only admitted forms that can have files need a slot.
      if (!allowances || allowances.size === 0) return allowances;
      reading.slot = await slots.take(reading.admission.network, length, () => dropped.abort());
      return isRefused(reading.slot) ? null : allowances;
    }

    async function* counted(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        await loopTurns.take();
        if (reading.slot && !isRefused(reading.slot)) reading.slot.moved(chunk.byteLength);
        yield chunk;
      }
    }

    try {
      const upload = await readUpload(counted(chunksOf(c)), {
        contentType: c.req.header('content-type') ?? '',
        directory: dataDirectory,
        dropped: dropped.signal,
        admit,
      });
      return await respond(c, upload, reading);
    } finally {
      const { slot, isStored } = reading;
      if (slot && !isRefused(slot)) {
        if (!isStored) slot.refund();
        slot.release();
      }
    }
  };
}
