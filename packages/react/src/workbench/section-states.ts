import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SectionDeclaration } from '@pillion/content/sections/declaration.ts';
import { declaredStates } from './declared-states.ts';
import type { Samples } from './samples.ts';

const SECTIONS = join(import.meta.dirname, '../sections');

/** A section as WordPress answers it. */
export type WireSection = { type: string } & Record<string, unknown>;

/** By a name for the address, such as `longest`; a list where what stands around the section belongs to its state. */
export type States = Record<string, WireSection | WireSection[]>;

/** What a `states.ts` beside a section exports as `states`. */
export type StatesOf = (samples: Samples) => States;

interface StatesModule {
  states: StatesOf;
  /** There is one of it on a page: its states have pages of their own only. */
  isSingle?: boolean;
}

export interface SectionStates {
  /** Of the folder, and in the address. */
  name: string;
  states: Record<string, WireSection[]>;
  /** Its states have pages of their own only. */
  isSingle: boolean;
  /** Editors may put it on a page once. */
  isOnce: boolean;
}

const load = (path: string) => import(/* @vite-ignore */ pathToFileURL(path).href);

async function moduleOf(folder: string): Promise<StatesModule & { isOnce: boolean }> {
  const own = join(SECTIONS, folder, 'states.ts');
  const { default: declaration }: { default: SectionDeclaration } = await load(join(SECTIONS, folder, 'section.ts'));
  const isOnce = declaration.isSingle ?? false;
  return existsSync(own)
    ? { ...((await load(own)) as StatesModule), isOnce }
    : { states: declaredStates(declaration), isSingle: isOnce, isOnce };
}

/**
 * Every section with its states. They are found, not listed: what `states.ts` in the section's folder says, and without
 * such a file what can be made of its declaration.
 */
export async function findSectionStates(samples: Samples): Promise<SectionStates[]> {
  const folders = globSync('*/section.ts', { cwd: SECTIONS }).map(dirname).sort();
  return Promise.all(
    folders.map(async (name): Promise<SectionStates> => {
      const { states, isSingle = false, isOnce } = await moduleOf(name);
      const lists = Object.entries(states(samples)).map(([state, section]) => [state, [section].flat()]);
      return { name, states: Object.fromEntries(lists), isSingle, isOnce };
    }),
  );
}
