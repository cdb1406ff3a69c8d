import type { Section } from '@pillion/content/types.ts';
import { commonKind } from '@pillion/forms/common-kinds.ts';
import type { Form } from '@pillion/forms/form.ts';
import { createChunk } from '@pillion/lib/browser/chunk.ts';

/** What draws and judges fields of kinds that few forms have. */
export type RareFields = typeof import('./rare-fields.tsx');

const chunk = createChunk(() => import('./rare-fields.tsx'));
let isAsked = false;

// The server has the code at once.
if (import.meta.env.SSR) await chunk.load();

/** For a field of a kind that few forms have, one of several controls, or conditions. */
export const isRare = ({ fields, submitLogic }: Form) =>
  submitLogic || fields.some(({ type, logic, inputs }) => logic || inputs[1] || !commonKind(type));

/**
 * Fetches what the forms among a page's sections need beside the form's own code, before they are shown.
 * @throws When a chunk cannot be had.
 */
export async function prepareFields(sections: Section[]): Promise<void> {
  for (const section of sections)
    if (section.type === 'sign-up' && section.form && isRare(section.form))
      await (await chunk.load()).prepareFiles(section.form);
}

/** Waits for the rare kinds, in a component without hooks. */
export function waitForRareFields(): RareFields {
  if (!isAsked) chunk.load().catch(() => {});
  isAsked = true;
  return chunk.wait();
}
