import type { Template } from './template.ts';

/**
 * Template name → its code, a chunk of its own. Add a template here and give it the same name in WordPress.
 * The unnamed one is the plain rich-text page (R3), and also what an unknown name degrades to (R2).
 */
const TEMPLATES: Record<string, () => Promise<Template>> = {
  landing: () => import('./landing/landing.tsx').then((module) => module.landing),
  'not-found': () => import('./notice/notice.tsx').then((module) => module.notFound),
  error: () => import('./notice/notice.tsx').then((module) => module.error),
  'sign-up': () => import('./sign-up/sign-up.tsx').then((module) => module.signUp),
};

const PLAIN = () => import('./rich-text/rich-text.tsx').then((module) => module.richText);

export const isKnownTemplate = (name: string): boolean => Object.hasOwn(TEMPLATES, name);

/** Rejects when the chunk cannot be had: after a deploy its name may be gone, and the caller loads the page anew. */
export function loadTemplate(name: string | null): Promise<Template> {
  const load = name === null ? undefined : TEMPLATES[name];
  return (load ?? PLAIN)();
}
