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
const STARTER_MODULE = 'starter.ts';
const ENTRY_MODULE = 'entry.client.ts';
const PREVIEW_MODULE = 'preview/preview.ts';

/** The chunk with React, by its name (vite/config.mjs). */
const REACT_CHUNK = 'hydrate';

/** Vite's name for the site's stylesheet. */
const STYLESHEET = 'style.css';

/**
 * Finds the manifest's key of a module or of a named chunk. Keys of modules are their paths from the site's root, which
 * depend on the place of the package.
 */
function findKey(manifest: Manifest, moduleOrChunk: string): string {
  const keys = Object.keys(manifest);
  const findByEnd = (end: string) => keys.find((key) => `/${key}`.endsWith(end));
  const findByName = () => keys.find((key) => manifest[key]?.name === moduleOrChunk);
  return findByEnd(`/react/src/${moduleOrChunk}`) ?? findByEnd(`/${moduleOrChunk}`) ?? findByName() ?? moduleOrChunk;
}

/** Files of a module and of everything it imports statically, each once, in the order in which they run. */
function listFiles(manifest: Manifest, roots: string[]): string[] {
  const visited = new Set<string>();
  const files: string[] = [];
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || visited.has(key)) return;
    visited.add(key);
    for (const imported of chunk.imports ?? []) visit(imported);
    files.push(`/${chunk.file}`);
  };
  for (const root of roots) visit(findKey(manifest, root));
  return files;
}

/** Reads the files of each template from the build's manifest. */
export function createPageAssets(manifest: Manifest): PageAssets {
  const build = hash('sha256', JSON.stringify(manifest)).slice(0, 12);
  const entry = `/${manifest[findKey(manifest, ENTRY_MODULE)]?.file}`;
  const cache = new Map<string, DocumentAssets>();
  /** @param modules Besides the entry. */
  const createDocumentAssets = (modules: string[]): DocumentAssets => ({
    scripts: [],
    starter: `/${manifest[findKey(manifest, STARTER_MODULE)]?.file}`,
    later: [entry, ...listFiles(manifest, [ENTRY_MODULE, ...modules]).filter((file) => file !== entry)],
    styles: [`/${manifest[STYLESHEET]?.file}`],
    extraHead: '',
  });
  return {
    build,
    forPreview: (kind) => ({ scripts: listFiles(manifest, [PREVIEW_MODULE]), styles: previewStyles(kind) }),
    forTemplate(name, isReading = false) {
      const modules = isReading ? [] : [REACT_CHUNK, templateModule(name)];
      const key = modules.join();
      let documentAssets = cache.get(key);
      if (!documentAssets) {
        documentAssets = createDocumentAssets(modules);
        cache.set(key, documentAssets);
      }
      return documentAssets;
    },
  };
}
