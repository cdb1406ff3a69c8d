import ownWhenAsked from 'virtual:pillion-own/lazy-templates';
import own from 'virtual:pillion-own/templates';
import type { Template } from '../templates/template.ts';

/**
 * Templates are found by their place; a folder's name is the template's. What most visits need is part of the entry (a
 * chunk of its own costs 0.5 KB and a request): `<name>/template.tsx`. The rest loads when asked:
 * `<name>/template.lazy.tsx`.
 */
const AT_ONCE = import.meta.glob<Template>('../templates/*/template.tsx', { eager: true, import: 'default' });
const WHEN_ASKED = import.meta.glob<Template>('../templates/*/template.lazy.tsx', { import: 'default' });

/** The unnamed template: the plain rich-text page (R3), and what an unknown name degrades to (R2). */
const PLAIN = 'rich-text';

const lazy = (name: string) => WHEN_ASKED[`../templates/${name}/template.lazy.tsx`] ?? ownWhenAsked[name];

const atOnce = (name: string) => AT_ONCE[`../templates/${name}/template.tsx`] ?? own[name];

/** Rejects when the chunk cannot be had: after a deploy its name may be gone, and the caller loads the page anew. */
export async function loadTemplate(name: string | null): Promise<Template> {
  const asked = name ?? PLAIN;
  return lazy(asked)?.() ?? atOnce(asked) ?? (atOnce(PLAIN) as Template);
}

/** The module's path in this package or in the site, by which the server finds its files in the build. */
export const templateModule = (name: string | null): string =>
  `templates/${name}/template${lazy(`${name}`) ? '.lazy' : ''}.tsx`;
