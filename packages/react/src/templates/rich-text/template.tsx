import { SectionView } from '../../sections/section-view.tsx';
import { prepareForm } from '../../sections/sign-up/lazy-form.tsx';
import { each } from '../../ui/each.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import landing from '../landing/template.tsx';
import type { Template, TemplateProps } from '../template.ts';

/** A plain page (R3): its title and its text. A page with sections keeps them in every template. */
function RichTextPage(props: TemplateProps) {
  const { page, shell } = props;
  if (page.sections.some(({ type }) => type !== 'rich-text')) return <landing.Component {...props} />;
  return (
    <article className="reading">
      <PageTitle>{page.title}</PageTitle>
      <div className="reading-body">
        {each(page.sections, (section) => (
          <SectionView section={section} page={page} shell={shell} />
        ))}
      </div>
    </article>
  );
}

const template: Template = { Component: RichTextPage, prepare: prepareForm };
export default template;
