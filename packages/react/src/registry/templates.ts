import ownLazy from 'virtual:pillion-own/lazy-templates';
import ownEager from 'virtual:pillion-own/templates';
import type { Template } from '../templates/template.ts';

/**
 * Templates by their folder's name. `<name>/template.tsx` is part of the entry chunk, for templates that most visits
 * need (a separate chunk costs 0.5 KB and a request). `<name>/template.lazy.tsx` is loaded on demand.
 */
const EAGER = import.meta.glob<Template>('../templates/*/template.tsx', { eager: true, import: 'default' });
const LAZY = import.meta.glob<Template>('../templates/*/template.lazy.tsx', { import: 'default' });

/** The plain rich-text page (R3), for pages without a template and as the fallback for an unknown one (R2). */
const DEFAULT_TEMPLATE = 'rich-text';

const lazyTemplate = (name: string) => LAZY[`../templates/${name}/template.lazy.tsx`] ?? ownLazy[name];

const eagerTemplate = (name: string) => EAGER[`../templates/${name}/template.tsx`] ?? ownEager[name];

/** Rejects if the chunk cannot be loaded. A deploy may have removed it; the caller then reloads the page. */
export async function loadTemplate(name: string | null): Promise<Template> {
  const requested = name ?? DEFAULT_TEMPLATE;
  return lazyTemplate(requested)?.() ?? eagerTemplate(requested) ?? (eagerTemplate(DEFAULT_TEMPLATE) as Template);
}

/**
 * The module's path in this package or in the site. The server uses it to find the module's files in the build; those
 * of an eager template, and of `null`, are in the chunk with React.
 */
export const templateModule = (name: string | null): string =>
  `templates/${name}/template${lazyTemplate(`${name}`) ? '.lazy' : ''}.tsx`;
