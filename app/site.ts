import type { Page, ShellContent } from './content/types.ts';
import type { Template } from './templates/template.ts';

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
  subscribe(listener: () => void): () => void;
}

/** Holds what is on screen outside React, so that navigation and refreshes reach it without a render in between. */
export function createSite(initial: View): Site {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    view: () => current,
    show(next) {
      current = { ...current, ...next };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
