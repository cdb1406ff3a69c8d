import { SectionView } from '@pillion/react/sections/section-view.tsx';
import type { Template, TemplateProps } from '@pillion/react/templates/template.ts';
import { each } from '@pillion/react/ui/each.tsx';
import { PageTitle } from '@pillion/react/ui/page-title.tsx';

/** A page below a short notice. */
function Notice({ page, shell }: TemplateProps) {
  return (
    <article data-notice>
      <p>Notice</p>
      <PageTitle>{page.title}</PageTitle>
      {each(page.sections, (section) => (
        <SectionView section={section} page={page} shell={shell} />
      ))}
    </article>
  );
}

const template: Template = { Component: Notice };
export default template;
