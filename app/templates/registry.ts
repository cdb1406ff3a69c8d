import { landing } from './landing/landing.tsx';
import { error, gone, notFound } from './notice/notice.tsx';
import type { Template } from './template.ts';

interface Registration {
  /** The module's path from the project's root, by which the server finds its files in the build. */
  module: string;
  load: () => Promise<Template>;
}

/**
 * Template name → its code. Add a template here and give it the same name in WordPress.
 * What most visits need is part of the entry (a chunk of its own costs 0.5 KB and a request); the rest loads when asked.
 */
const TEMPLATES: Record<string, Registration> = {
  landing: {
    module: 'app/templates/landing/landing.tsx',
    load: async () => landing,
  },
};

/** Templates of the site's own pages, which no editor can choose. */
const OWN_TEMPLATES: Record<string, Registration> = {
  'not-found': {
    module: 'app/templates/notice/notice.tsx',
    load: async () => notFound,
  },
  gone: {
    module: 'app/templates/notice/notice.tsx',
    load: async () => gone,
  },
  error: {
    module: 'app/templates/notice/notice.tsx',
    load: async () => error,
  },
  search: {
    module: 'app/templates/search/search.tsx',
    load: () => import('./search/search.tsx').then((module) => module.search),
  },
  'sign-up': {
    module: 'app/templates/sign-up/sign-up.tsx',
    load: () => import('./sign-up/sign-up.tsx').then((module) => module.signUp),
  },
};

/** The unnamed template: the plain rich-text page (R3), and what an unknown name degrades to (R2). */
const PLAIN: Registration = {
  module: 'app/templates/rich-text/rich-text.tsx',
  load: () => import('./rich-text/rich-text.tsx').then((module) => module.richText),
};

/** Whether WordPress may name it. */
export const isKnownTemplate = (name: string): boolean => Object.hasOwn(TEMPLATES, name);

const ALL = new Map(Object.entries({ ...TEMPLATES, ...OWN_TEMPLATES }));

const registrationOf = (name: string | null) => ALL.get(name ?? '') ?? PLAIN;

export const templateModule = (name: string | null): string => registrationOf(name).module;

/** Rejects when the chunk cannot be had: after a deploy its name may be gone, and the caller loads the page anew. */
export const loadTemplate = (name: string | null): Promise<Template> => registrationOf(name).load();
