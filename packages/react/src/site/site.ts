import type { Page, ShellContent } from '@pillion/content/types.ts';
import { createEmitter } from '@pillion/lib/browser/emitter.ts';
import type { Template } from '../templates/template.ts';

/** What is on screen: one page, its template's code and the shell's content, replaced as a whole. */
export interface View {
  page: Page;
  template: Template;
  shell: ShellContent;
}

export interface Site {
  view(): View;
  /** Shows another page, or the same one with a newer shell. */
  show(next: Partial<View>): void;
  /** Called at every change. @returns Ends the subscription. */
  subscribe(listener: () => void): () => void;
}

/** Holds what is on screen outside React, so that navigation and refreshes reach it without a render in between. */
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
