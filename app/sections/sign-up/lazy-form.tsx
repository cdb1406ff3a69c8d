import { type ComponentProps, type RefObject, Suspense, use, useEffect } from 'react';
import type { Page } from '../../content/types.ts';
import { addFormStyles } from '../../ui/page-styles.ts';
import type { SignUpForm } from './form.tsx';

type Form = typeof SignUpForm;

const { promise, resolve } = Promise.withResolvers<Form>();

const arrival: Promise<Form> = promise;

/** React reads `status` and `value` of a promise: with them one that has arrived is used at once, no fallback between. */
function arrive(form: Form): void {
  Object.assign(arrival, { status: 'fulfilled', value: form });
  resolve(form);
}

// The server renders the form in place; in the browser's build this line and its import are gone.
if (import.meta.env.SSR) arrive((await import('./form.tsx')).SignUpForm);

/**
 * Fetches the form's code and what it looks like in use, once.
 * @throws When the chunk cannot be had. The form then stays the server's HTML, which the browser sends by itself.
 */
export async function loadForm(): Promise<void> {
  const [{ SignUpForm }] = await Promise.all([import('./form.tsx'), addFormStyles()]);
  arrive(SignUpForm);
}

/** A page with a form has it whole before it is shown; any other waits for nothing. */
export const prepareForm = async ({ sections }: Page): Promise<void> => {
  if (sections.some(({ type }) => type === 'sign-up')) await loadForm();
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
        loadForm().catch(() => {});
      },
      { rootMargin: NEAR },
    );
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
}

const Arrived = (props: ComponentProps<Form>) => {
  const SignUpForm = use(arrival);
  return <SignUpForm {...props} />;
};

/**
 * The sign-up form, hydrated when it nears: most of its script is needed by nobody who has not come so far. Until then
 * the server's HTML stands, and works.
 */
export const LazyForm = (props: ComponentProps<Form>) => (
  <Suspense>
    <Arrived {...props} />
  </Suspense>
);
