import { plainText } from '@pillion/content/text/plain-text.ts';
import type { Client } from '@pillion/content/wordpress/client.ts';
import { PREFIXES } from '@pillion/content/wordpress/endpoints.ts';
import type { Answers, FormField } from '@pillion/forms/form.ts';
import { namesOf } from '@pillion/forms/rules.ts';
import { z } from 'zod';
import type { Check, Checked } from '../backend.ts';

/** Longest wait for WordPress' checks, in milliseconds. Without a response the sign-up is accepted. */
const DEADLINE_MS = 1500;

/** Longest header. Many servers reject headers above 8 KB; longer answers are not checked. */
const LONGEST_HEADER = 6000;

const answerSchema = z.object({
  closed: z.object({ message: z.string() }).nullish(),
  /** PHP encodes an empty object as a list. */
  taken: z.preprocess((value) => (Array.isArray(value) ? {} : value), z.record(z.string(), z.string())),
});

const NOTHING: Checked = { closed: null, taken: {} };

/** Answers that must be unique, by control name. */
function uniqueAnswers(asked: FormField[], answers: Answers): Answers {
  const names = asked.filter(({ isUnique }) => isUnique).flatMap(namesOf);
  return Object.fromEntries(names.flatMap((name) => (answers[name]?.length ? [[name, answers[name]]] : [])));
}

export function createCheck(client: Pick<Client, 'get'>): Check {
  return async (form, asked, answers) => {
    const unique = uniqueAnswers(asked, answers);
    if (Object.keys(unique).length === 0 && !form.isLimited) return NOTHING;
    // Sent in a header, because access logs contain addresses and the answers are personal data.
    const header = Buffer.from(JSON.stringify(unique)).toString('base64url');
    if (header.length > LONGEST_HEADER) return NOTHING;
    const path = `${PREFIXES.checks}/${form.id}/check`;
    const answer = await client.get(path, { timeoutMs: DEADLINE_MS, headers: { 'x-pillion-answers': header } });
    const read = answer.ok ? answerSchema.safeParse(answer.data).data : undefined;
    if (!read) return NOTHING;
    const taken = asked.flatMap(({ id, inputs: [first] }) => {
      const said = read.taken[id];
      return said && first ? [[first.name, plainText(said)] as const] : [];
    });
    return {
      closed: read.closed ? plainText(read.closed.message) : null,
      taken: Object.fromEntries(taken),
    };
  };
}
