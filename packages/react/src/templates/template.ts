import type { Page, ShellContent } from '@pillion/content/types.ts';
import type { ComponentType, ReactNode } from 'react';

export interface TemplateProps {
  page: Page;
  shell: ShellContent;
}

/** A page template (R2). */
export interface Template {
  Component: ComponentType<TemplateProps>;
  /** Wraps the rendered page in the template's own layout, inside the shell (R2). */
  getLayout?: (children: ReactNode, props: TemplateProps) => ReactNode;
  /**
   * Loads parts that a first visit loads later, before a navigation shows the page: Back can only restore the scroll
   * position if the page has its full height at once.
   */
  prepare?: (page: Page) => Promise<void>;
}
