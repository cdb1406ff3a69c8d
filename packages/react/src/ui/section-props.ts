import type { Page, Sections, ShellContent } from '@pillion/content/types.ts';

/** What every section's component gets. */
export interface SectionProps<Type extends keyof Sections> {
  section: Sections[Type];
  page: Page;
  shell: ShellContent;
  /** Whether it is its page's first of its kind. */
  isFirst: boolean;
}
