import { hash } from 'node:crypto';
import type { PreviewKind } from '@pillion/content/types.ts';
import { previewStyles } from '@pillion/react/preview/preview-styles.ts';
import { templateModule } from '@pillion/react/registry/templates.ts';

/** The members of Vite's manifest that the server reads. */
export type Manifest = Record<string, { file: string; name?: string; imports?: string[] }>;

/** Addresses of a document's files, in the order of their requests. */
export interface DocumentAssets {
  /** Modules that run before the starter, in this order. */
  scripts: string[];
  /** The only script in a public document. It loads `later` after the first paint. */
  starter: string;
  /** The entry and the chunks that the page needs at once, so that they load in parallel. */
  later: string[];
  styles: string[];
  /** Inserted as it is at the head's start; development only. */
  extraHead: string;
}

export interface PageAssets {
  /** Changes with every build. Browsers with another build load the next page as a new document. */
  build: string;
  /** @param isReading Whether the page starts without React and the template's code. */
  forTemplate(name: string | null, isReading?: boolean): DocumentAssets;
  /** Additional files of a preview: scripts that run before the entry, and styles after those of the page. */
  forPreview(kind: PreviewKind): Pick<DocumentAssets, 'scripts' | 'styles'>;
}

/** Modules of `packages/react`. */
const STARTER = 'starter.ts';
const ENTRY = 'entry.client.ts';
const PREVIEW = 'preview/preview.ts';

/** The chunk with React, by its name (vite/config.mjs). */
const REACT = 'hydrate';

/** Vite's name for the site's stylesheet. */
const STYLES = 'style.css';

/** Vite names modules by their path from the site's root, which depends on the place of the package, and groups by their name. */
function keyOf(manifest: Manifest, module: string): string {
  const keys = Object.keys(manifest);
  const endsWith = (end: string) => keys.find((key) => `/${key}`.endsWith(end));
  const named = () => keys.find((key) => manifest[key]?.name === module);
  return endsWith(`/react/src/${module}`) ?? endsWith(`/${module}`) ?? named() ?? module;
}

/** Files of a module and of everything it imports statically, each once, in the order in which they run. */
function filesOf(manifest: Manifest, roots: string[]): string[] {
  const seen = new Set<string>();
  const found: string[] = [];
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    for (const imported of chunk.imports ?? []) visit(imported);
    found.push(`/${chunk.file}`);
  };
  for (const root of roots) visit(keyOf(manifest, root));
  return found;
}

/** Reads the files of each template from the build's manifest. */
export function pageAssets(manifest: Manifest): PageAssets {
  const build = hash('sha256', JSON.stringify(manifest)).slice(0, 12);
  const entry = `/${manifest[keyOf(manifest, ENTRY)]?.file}`;
  const kept = new Map<string, DocumentAssets>();
  const assetsOf = (modules: string[]): DocumentAssets => ({
    scripts: [],
    starter: `/${manifest[keyOf(manifest, STARTER)]?.file}`,
    later: [entry, ...filesOf(manifest, [ENTRY, ...modules]).filter((file) => file !== entry)],
    styles: [`/${manifest[STYLES]?.file}`],
    extraHead: '',
  });
  return {
    build,
    forPreview: (kind) => ({ scripts: filesOf(manifest, [PREVIEW]), styles: previewStyles(kind) }),
    forTemplate(name, isReading = false) {
      const modules = isReading ? [] : [REACT, templateModule(name)];
      const key = modules.join();
      let found = kept.get(key);
      if (!found) {
        found = assetsOf(modules);
        kept.set(key, found);
      }
      return found;
    },
  };
}
