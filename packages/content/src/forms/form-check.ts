import type { Answers, Form, FormField } from '@pillion/forms/form.ts';
import { namesOf } from '@pillion/forms/rules.ts';
import { z } from 'zod';
import { plainText } from '../text/plain-text.ts';
import type { Client } from '../wordpress/client.ts';
import { PREFIXES } from '../wordpress/endpoints.ts';

/** A visitor waits this long for what only WordPress knows, in milliseconds; then her sign-up is taken without it. */
const DEADLINE_MS = 1500;

/** Many servers take no header above 8 KB; what is longer is not asked. */
const LONGEST_HEADER = 6000;

const answerSchema = z.object({
  closed: z.object({ message: z.string() }).nullish(),
  /** PHP writes an empty object as a list. */
  taken: z.preprocess((value) => (Array.isArray(value) ? {} : value), z.record(z.string(), z.string())),
});

export interface Checked {
  /** What is said in the form's place, as plain text; `null`: it is open. */
  closed: string | null;
  /** What is said of each answer that somebody has sent before, by the name of its first control. */
  taken: Record<string, string>;
  /** What could not be asked. The sign-up is taken all the same. */
  unchecked: Unchecked[];
}

/** `unique`: whether an answer was sent before; `limit`: whether the form is full. */
export type Unchecked = 'unique' | 'limit';

/** Asks WordPress what only it knows of a sign-up before it is stored. It asks nothing where the form needs nothing. */
export type Check = (form: Form, asked: FormField[], answers: Answers) => Promise<Checked>;

const NOTHING: Checked = { closed: null, taken: {}, unchecked: [] };

/** Answers that nobody else may have sent, by control name. */
function uniqueAnswers(asked: FormField[], answers: Answers): Answers {
  const names = asked.filter(({ isUnique }) => isUnique).flatMap(namesOf);
  return Object.fromEntries(names.flatMap((name) => (answers[name]?.length ? [[name, answers[name]]] : [])));
}

export function createCheck(client: Pick<Client, 'get'>): Check {
  return async (form, asked, answers) => {
    const unique = uniqueAnswers(asked, answers);
    const hasUnique = Object.keys(unique).length > 0;
    if (!hasUnique && !form.isLimited) return NOTHING;
    // In a header: addresses are written into access logs, and these are personal.
    const header = Buffer.from(JSON.stringify(unique)).toString('base64url');
    const unchecked: Unchecked[] = [
      ...(hasUnique ? ['unique' as const] : []),
      ...(form.isLimited ? ['limit' as const] : []),
    ];
    if (header.length > LONGEST_HEADER) return { ...NOTHING, unchecked };
    const path = `${PREFIXES.checks}/${form.id}/check`;
    const answer = await client.get(path, { timeoutMs: DEADLINE_MS, headers: { 'x-pillion-answers': header } });
    const read = answer.ok ? answerSchema.safeParse(answer.data).data : undefined;
    if (!read) return { ...NOTHING, unchecked };
    const taken = asked.flatMap(({ id, inputs: [first] }) => {
      const said = read.taken[id];
      return said && first ? [[first.name, plainText(said)] as const] : [];
    });
    return {
      closed: read.closed ? plainText(read.closed.message) : null,
      taken: Object.fromEntries(taken),
      unchecked: [],
    };
  };
}
