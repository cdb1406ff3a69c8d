import type { Section } from '@pillion/content/types.ts';
import { commonKind } from '@pillion/forms/common-kinds.ts';
import type { Form } from '@pillion/forms/form.ts';
import { createChunk } from '../../ui/chunk.ts';

/** Components and rules for less common kinds of field. */
export type ExtraFields = typeof import('./extra-fields.tsx');

const chunk = createChunk(() => import('./extra-fields.tsx'));

// The server loads the code at once.
if (import.meta.env.SSR) await chunk.load();

/** Whether a form needs this chunk: for a less common kind of field, a field with several controls, or conditions. */
export const needsExtraFields = ({ fields, submitLogic }: Form) =>
  submitLogic || fields.some(({ type, logic, inputs }) => logic || inputs[1] || !commonKind(type));

/**
 * Fetches the additional code that the forms of a page need, before they are shown.
 * @throws If a chunk cannot be loaded.
 */
export async function prepareFields(sections: Section[]): Promise<void> {
  for (const section of sections)
    if (section.type === 'sign-up' && section.form && needsExtraFields(section.form))
      await (await chunk.load()).prepareFiles(section.form);
}

/** Suspends a component until the chunk is loaded. The component must have no hooks. */
export const waitForExtraFields = (): ExtraFields => chunk.loadAndRead();
