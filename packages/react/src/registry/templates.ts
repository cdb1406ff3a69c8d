import type { Template } from '../templates/template.ts';

/**
 * Templates are found by their place; a folder's name is the template's. What most visits need is part of the entry (a
 * chunk of its own costs 0.5 KB and a request): `<name>/template.tsx`. The rest loads when asked:
 * `<name>/template.lazy.tsx`.
 */
const AT_ONCE = import.meta.glob<Template>('../templates/*/template.tsx', { eager: true, import: 'default' });
const WHEN_ASKED = import.meta.glob<Template>('../templates/*/template.lazy.tsx', { import: 'default' });

/** The unnamed template: the plain rich-text page (R3), and what an unknown name degrades to (R2). */
const PLAIN = '../templates/rich-text/template.tsx';

/** Rejects when the chunk cannot be had: after a deploy its name may be gone, and the caller loads the page anew. */
export async function loadTemplate(name: string | null): Promise<Template> {
  const load = WHEN_ASKED[`../templates/${name}/template.lazy.tsx`];
  return load ? load() : ((AT_ONCE[`../templates/${name}/template.tsx`] ?? AT_ONCE[PLAIN]) as Template);
}

/** The module's path in this package, by which the server finds its files in the build. */
export function templateModule(name: string | null): string {
  const paths = [`../templates/${name}/template.tsx`, `../templates/${name}/template.lazy.tsx`];
  const path = paths.find((path) => AT_ONCE[path] ?? WHEN_ASKED[path]) ?? PLAIN;
  return path.replace('../', '');
}
