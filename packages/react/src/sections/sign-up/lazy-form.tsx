import type { Page } from '@pillion/content/types.ts';
import { type ComponentProps, type RefObject, Suspense, useEffect } from 'react';
import { addStyles } from '../../ui/add-styles.ts';
import { createChunk } from '../../ui/chunk.ts';
import type { SignUpForm } from './form.tsx';
import { FORM_STYLES } from './styles.ts';

/** The form's code, and its styles in use. */
const chunk = createChunk(
  async () => (await Promise.all([import('./form.tsx'), import.meta.env.SSR || addStyles(FORM_STYLES)]))[0],
);

// The server renders the form at once. The browser's build does not contain this line.
if (import.meta.env.SSR) await chunk.load();

/** Fetches the form's code before a page with a form is shown. @throws If a chunk cannot be loaded. */
export const prepareForm = async ({ sections }: Page): Promise<void> => {
  if (sections.some(({ type }) => type === 'sign-up')) await (await chunk.load()).prepareFields(sections);
};

/** Distance from the viewport at which the code is fetched. */
const LOAD_MARGIN = '100%';

/** Loads the form's code when `box` is less than one screen height away from the viewport. */
export function useFormWhenNear(box: RefObject<Element | null>): void {
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        chunk.load().catch(() => {});
      },
      { rootMargin: LOAD_MARGIN },
    );
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
}

type Props = ComponentProps<typeof SignUpForm>;

const LoadedForm = (props: Props) => {
  const { SignUpForm } = chunk.read();
  return <SignUpForm {...props} />;
};

/**
 * The sign-up form, hydrated when the visitor comes near it, because others do not need its script. Until then the
 * server's HTML is there and works.
 */
export const LazyForm = (props: Props) => (
  <Suspense>
    <LoadedForm {...props} />
  </Suspense>
);
