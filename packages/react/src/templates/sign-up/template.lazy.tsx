import { useRef } from 'react';
import { LazyForm, useFormWhenNear } from '../../sections/sign-up/lazy-form.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import type { Template, TemplateProps } from '../template.ts';

/** The response to a sign-up without script: the confirmation, or the form with the errors and answers. */
function SignUpPage({ page: { title, outcome }, shell }: TemplateProps) {
  const body = useRef<HTMLDivElement>(null);
  useFormWhenNear(body);
  return (
    <div className="reading">
      <PageTitle>{title}</PageTitle>
      <div className="reading-body" data-answer ref={body}>
        {outcome?.ok && <RichText html={outcome.confirmationHtml} />}
        {outcome && !outcome.ok && (
          <LazyForm
            form={outcome.form}
            lang={shell.lang}
            texts={shell.strings.form}
            terms={shell.strings.links.terms}
            outcome={outcome}
          />
        )}
      </div>
    </div>
  );
}

const template: Template = { Component: SignUpPage };
export default template;
