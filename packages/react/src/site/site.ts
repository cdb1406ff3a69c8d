import type { Page, ShellContent } from '@pillion/content/types.ts';
import { createEmitter } from '@pillion/lib/browser/emitter.ts';
import type { Template } from '../templates/template.ts';

/** The page on screen, its template and the shell's content. Replaced as a whole. */
export interface View {
  page: Page;
  /** `null` until React renders the page. */
  template: Template | null;
  shell: ShellContent;
}

export interface Site {
  view(): View;
  /** Shows another page, or the same one with a newer shell. */
  show(next: Partial<View>): void;
  /** The listener runs on every change. @returns A function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

/** Keeps the view outside React, so that navigation and refreshes can read and change it without a render. */
export function createSite(initial: View): Site {
  let current = initial;
  const { subscribe, emit } = createEmitter();
  return {
    view: () => current,
    show(next) {
      current = { ...current, ...next };
      emit();
    },
    subscribe,
  };
}
