import type { Page } from '@pillion/content/types.ts';
import { createChunk } from '@pillion/lib/browser/chunk.ts';
import { type ComponentProps, type RefObject, Suspense, useEffect } from 'react';
import { addStyles } from '../../ui/add-styles.ts';
import type { SignUpForm } from './form.tsx';
import { FORM_STYLES } from './styles.ts';

/** The form's code, and what it looks like in use. */
const chunk = createChunk(
  async () => (await Promise.all([import('./form.tsx'), import.meta.env.SSR || addStyles(FORM_STYLES)]))[0],
);

// The server renders the form in place; in the browser's build this line is gone.
if (import.meta.env.SSR) await chunk.load();

/** A page with a form has it whole before it is shown; any other waits for nothing. @throws When a chunk cannot be had. */
export const prepareForm = async ({ sections }: Page): Promise<void> => {
  if (sections.some(({ type }) => type === 'sign-up')) await (await chunk.load()).prepareFields(sections);
};

/** Asked for this far ahead, so that it has come before the visitor has. */
const NEAR = '100%';

/** Loads the form's code once `box` comes within a screen's height of view. */
export function useFormWhenNear(box: RefObject<Element | null>): void {
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        chunk.load().catch(() => {});
      },
      { rootMargin: NEAR },
    );
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
}

type Props = ComponentProps<typeof SignUpForm>;

const Arrived = (props: Props) => {
  const { SignUpForm } = chunk.wait();
  return <SignUpForm {...props} />;
};

/**
 * The sign-up form, hydrated when it nears: most of its script is needed by nobody who has not come so far. Until then
 * the server's HTML stands, and works.
 */
export const LazyForm = (props: Props) => (
  <Suspense>
    <Arrived {...props} />
  </Suspense>
);
