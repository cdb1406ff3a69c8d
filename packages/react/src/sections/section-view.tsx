import type { Page, Section, ShellContent } from '@pillion/content/types.ts';
import type { ComponentType } from 'react';
import type { SectionProps } from '../ui/section-props.ts';

/** Found by their place: `<type>/view.tsx`. */
const VIEWS = import.meta.glob<ComponentType<SectionProps<never>>>('./*/view.tsx', { eager: true, import: 'default' });

interface Props {
  section: Section;
  page: Page;
  shell: ShellContent;
}

/** One section of a page, by its type. */
export function SectionView({ section, page, shell }: Props) {
  const View = VIEWS[`./${section.type}/view.tsx`] as ComponentType<SectionProps<Section['type']>> | undefined;
  const isFirst = page.sections.find(({ type }) => type === section.type) === section;
  return View && <View section={section} page={page} shell={shell} isFirst={isFirst} />;
}
