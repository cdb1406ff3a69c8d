import { type ComponentProps, type RefObject, Suspense, use, useEffect } from 'react';
import type { SignUpForm } from './form.tsx';

type Form = typeof SignUpForm;

let loaded: Form | null = null;
// The server renders the form in place; in the browser's build this line and its import are gone.
if (import.meta.env.SSR) loaded = (await import('./form.tsx')).SignUpForm;

const { promise: arrival, resolve: arrive } = Promise.withResolvers<Form>();

/**
 * Fetches the form's code, once.
 * @throws When the chunk cannot be had. The form then stays the server's HTML, which the browser sends by itself.
 */
export async function loadForm(): Promise<void> {
  loaded = (await import('./form.tsx')).SignUpForm;
  arrive(loaded);
}

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
  const SignUpForm = loaded ?? use(arrival);
  return <SignUpForm {...props} />;
};

/**
 * Stands in only where new texts arrive before the form's script has: React then draws the form itself and cannot keep
 * the server's. Fetched at once, so that the form is gone for a moment and not until it nears.
 */
function Summon() {
  useEffect(() => void loadForm().catch(() => {}), []);
  return null;
}

/**
 * The sign-up form, hydrated when it nears: most of its script is needed by nobody who has not come so far. Until then
 * the server's HTML stands, and works.
 */
export const LazyForm = (props: ComponentProps<Form>) => (
  <Suspense fallback={<Summon />}>
    <Arrived {...props} />
  </Suspense>
);
