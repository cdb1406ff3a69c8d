import type { Page, ShellContent } from '@pillion/content/types.ts';
import type { ComponentType, ReactNode } from 'react';

export interface TemplateProps {
  page: Page;
  shell: ShellContent;
}

/** What a page's template name stands for (R2). */
export interface Template {
  Component: ComponentType<TemplateProps>;
  /** Wraps the rendered page in a layout of its own, inside the shell (R2). */
  getLayout?: (children: ReactNode, props: TemplateProps) => ReactNode;
  /**
   * Fetches what the template loads later on a first visit, before a page change shows it: a page must have its full
   * height at once for Back to find its place.
   */
  prepare?: (page: Page) => Promise<void>;
}
