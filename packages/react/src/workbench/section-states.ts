import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SectionDeclaration } from '@pillion/content/sections/declaration.ts';
import { siteFolder } from '@pillion/lib/site-folder.mjs';
import { declaredStates } from './declared-states.ts';
import type { Samples } from './samples.ts';

/** Folders with the sections of the kit and of the site. */
const SECTION_FOLDERS = [join(import.meta.dirname, '../sections'), resolve(siteFolder(), 'sections')];

/** A section in the format of WordPress. */
export type WireSection = { type: string } & Record<string, unknown>;

/** States by their name in the URL, such as `longest`. A list if the state includes neighbouring sections. */
export type States = Record<string, WireSection | WireSection[]>;

/** The export `states` of a section's `states.ts`. */
export type StatesOf = (samples: Samples) => States;

interface StatesModule {
  states: StatesOf;
  /** Whether its states are shown on separate pages only, because they do not work next to each other. */
  hasSeparatePages?: boolean;
}

export interface SectionStates {
  /** Name of the folder, also used in the URL. */
  name: string;
  states: Record<string, WireSection[]>;
  /** Whether its states are shown on separate pages only; otherwise one more page shows all of them. */
  hasSeparatePages: boolean;
  /** Whether editors can use it once per page only, as its declaration says. */
  isSingle: boolean;
}

const importModule = (path: string) => import(/* @vite-ignore */ pathToFileURL(path).href);

async function loadStates(folder: string): Promise<StatesModule & { isSingle: boolean }> {
  const statesFile = join(folder, 'states.ts');
  const { default: declaration }: { default: SectionDeclaration } = await importModule(join(folder, 'section.ts'));
  const isSingle = declaration.isSingle ?? false;
  return existsSync(statesFile)
    ? { ...((await importModule(statesFile)) as StatesModule), isSingle }
    : { states: declaredStates(declaration), hasSeparatePages: isSingle, isSingle };
}

/** Finds all sections with their states: from `states.ts` in the section's folder, otherwise from its declaration. */
export async function findSectionStates(samples: Samples): Promise<SectionStates[]> {
  const folders = SECTION_FOLDERS.flatMap((cwd) => {
    const names = globSync('*/section.ts', { cwd }).map(dirname).sort();
    return names.map((name) => join(cwd, name));
  });
  return Promise.all(
    folders.map(async (folder): Promise<SectionStates> => {
      const { states, hasSeparatePages = false, isSingle } = await loadStates(folder);
      const entries = Object.entries(states(samples)).map(([state, section]) => [state, [section].flat()]);
      return { name: basename(folder), states: Object.fromEntries(entries), hasSeparatePages, isSingle };
    }),
  );
}
