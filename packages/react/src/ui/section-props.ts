import type { Page, Sections, ShellContent } from '@pillion/content/types.ts';

/** Props of all section components. */
export interface SectionProps<Type extends keyof Sections> {
  section: Sections[Type];
  page: Page;
  shell: ShellContent;
  /** Whether it is the first section of its type on the page. */
  isFirst: boolean;
}
