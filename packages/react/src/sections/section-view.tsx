import own from 'virtual:pillion-own/section-views';
import type { Page, Section, ShellContent } from '@pillion/content/types.ts';
import { type ComponentType, Fragment, type FragmentInstance } from 'react';
import type { SectionProps } from '../ui/section-props.ts';

/** Views by their path, `<type>/view.tsx`. A site's own views are found in the same way. */
const VIEWS = import.meta.glob<ComponentType<SectionProps<never>>>('./*/view.tsx', { eager: true, import: 'default' });

/** React's fragment of each rendered section, through which a preview finds its elements; `null` after unmounting. */
export const fragments = new WeakMap<Section, FragmentInstance | null>();

interface Props {
  section: Section;
  page: Page;
  shell: ShellContent;
}

/** Renders a section with the view of its type. */
export function SectionView({ section, page, shell }: Props) {
  const view = VIEWS[`./${section.type}/view.tsx`] ?? own[section.type];
  const View = view as ComponentType<SectionProps<Section['type']>> | undefined;
  const isFirst = page.sections.find(({ type }) => type === section.type) === section;
  return (
    View && (
      // biome-ignore lint/complexity/noUselessFragments: it carries the ref.
      <Fragment ref={(fragment) => void fragments.set(section, fragment)}>
        <View section={section} page={page} shell={shell} isFirst={isFirst} />
      </Fragment>
    )
  );
}
