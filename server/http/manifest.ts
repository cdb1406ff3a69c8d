import { createHash } from 'node:crypto';
import { templateModule } from '../../app/templates/registry.ts';

/** Vite's manifest, as far as we read it. */
export type Manifest = Record<string, { file: string; assets?: string[]; imports?: string[] }>;

/** Addresses a document needs, in the order it should ask for them. */
export interface DocumentAssets {
  scripts: string[];
  styles: string[];
  /** Chunks that the page is sure to need, so that they load beside the entry and not after it. */
  preloads: string[];
  fonts: string[];
  /** Inserted as it is at the head's start; development only. */
  extraHead: string;
}

export interface PageAssets {
  /** Changes with every build; a browser that carries another one loads its next page anew. */
  build: string;
  forTemplate(name: string | null): DocumentAssets;
}

const ENTRY = 'app/entry.client.tsx';

/** The whole site's stylesheet, under Vite's own name for it. */
const STYLES = 'style.css';

/** A module's own files and those of everything it imports statically, each once. */
function gather(manifest: Manifest, roots: string[]): { js: string[]; assets: string[] } {
  const seen = new Set<string>();
  const found = { js: [] as string[], assets: [] as string[] };
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    for (const imported of chunk.imports ?? []) visit(imported);
    found.js.push(`/${chunk.file}`);
    found.assets.push(...(chunk.assets ?? []).map((file) => `/${file}`));
  };
  for (const root of roots) visit(root);
  return { js: found.js, assets: [...new Set(found.assets)] };
}

/** Reads which files each template needs out of the build's manifest. */
export function pageAssets(manifest: Manifest): PageAssets {
  const build = createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 12);
  const entry = `/${manifest[ENTRY]?.file}`;
  const kept = new Map<string, DocumentAssets>();
  const assetsOf = (module: string): DocumentAssets => {
    const { js, assets } = gather(manifest, [ENTRY, module]);
    return {
      scripts: [entry],
      styles: [`/${manifest[STYLES]?.file}`],
      preloads: js.filter((file) => file !== entry),
      fonts: assets.filter((file) => file.endsWith('.woff2')),
      extraHead: '',
    };
  };
  return {
    build,
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
