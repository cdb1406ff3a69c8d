import { createHash } from 'node:crypto';
import type { PreviewKind } from '@pillion/content/types.ts';
import { previewStyles } from '@pillion/react/preview/preview-styles.ts';
import { templateModule } from '@pillion/react/registry/templates.ts';

/** Vite's manifest, as far as we read it. */
export type Manifest = Record<string, { file: string; imports?: string[] }>;

/** Addresses a document needs, in the order it should ask for them. */
export interface DocumentAssets {
  /** Modules that run before the starter, in this order. */
  scripts: string[];
  /** The one script of a visitor's document: it asks for `later` once the page is painted. */
  starter: string;
  /** The entry first, then chunks that the page is sure to need, so that they load beside it and not after it. */
  later: string[];
  styles: string[];
  /** Inserted as it is at the head's start; development only. */
  extraHead: string;
}

export interface PageAssets {
  /** Changes with every build; a browser that carries another one loads its next page anew. */
  build: string;
  forTemplate(name: string | null): DocumentAssets;
  /** What the document of a preview needs besides: scripts that run before the entry, styles behind the page's own. */
  forPreview(kind: PreviewKind): Pick<DocumentAssets, 'scripts' | 'styles'>;
}

/** Modules of the pages' package. */
const STARTER = 'starter.ts';
const ENTRY = 'entry.client.tsx';
const PREVIEW = 'preview/preview.ts';

/** The whole site's stylesheet, under Vite's own name for it. */
const STYLES = 'style.css';

/** Vite names a module by its path from the site's root, wherever the package is there. A site's own is not in the package. */
function keyOf(manifest: Manifest, module: string): string {
  const keys = Object.keys(manifest);
  const endsWith = (end: string) => keys.find((key) => `/${key}`.endsWith(end));
  return endsWith(`/react/src/${module}`) ?? endsWith(`/${module}`) ?? module;
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

/** Reads which files each template needs out of the build's manifest. */
export function pageAssets(manifest: Manifest): PageAssets {
  const build = createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 12);
  const entry = `/${manifest[keyOf(manifest, ENTRY)]?.file}`;
  const kept = new Map<string, DocumentAssets>();
  const assetsOf = (module: string): DocumentAssets => ({
    scripts: [],
    starter: `/${manifest[keyOf(manifest, STARTER)]?.file}`,
    later: [entry, ...filesOf(manifest, [ENTRY, module]).filter((file) => file !== entry)],
    styles: [`/${manifest[STYLES]?.file}`],
    extraHead: '',
  });
  return {
    build,
    forPreview: (kind) => ({ scripts: filesOf(manifest, [PREVIEW]), styles: previewStyles(kind) }),
    forTemplate(name) {
      const module = templateModule(name);
      let found = kept.get(module);
      if (!found) {
        found = assetsOf(module);
        kept.set(module, found);
      }
      return found;
    },
  };
}
