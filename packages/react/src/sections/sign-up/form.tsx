import type { SignUpOutcome, Strings } from '@pillion/content/types.ts';
import type { Form, FormClosed, FormField } from '@pillion/forms/form.ts';
import { useEffect, useRef } from 'react';
import button from '../../ui/button.module.css';
import { RichText } from '../../ui/rich-text.tsx';
import { type ExtraFields, needsExtraFields, prepareFields, waitForExtraFields } from './extra-chunk.ts';
import { Field } from './field.tsx';
import styles from './form.module.css';
import { controlId } from './notes.tsx';
import { useSignUp } from './use-sign-up.ts';

export { prepareFields };

interface Props {
  form: Form;
  lang: string;
  texts: Strings['form'];
  /** URL of the terms, linked below the form. */
  terms: string | undefined;
  /** The server's response to a form that was sent without script. */
  outcome?: Extract<SignUpOutcome, { ok: false }> | undefined;
}

/**
 * The form that WordPress defines (R30). It is complete HTML: without script the browser sends it to the same URL, with
 * all pages at once. The server validates it. When the visitor leaves a field, the page applies the same rules
 * (`common-rules.ts`, `extra-rules.ts`).
 */
export function SignUpForm(props: Props) {
  const { form } = props;
  if (form.closed) return <Closed {...props} closed={form.closed} />;
  // A new key: in the preview, another form must not get the state of the one before.
  return needsExtraFields(form) ? (
    <ExtraForm key={form.id} {...props} />
  ) : (
    <OpenForm key={form.id} {...props} extra={null} />
  );
}

/** A form with less common kinds of field. Suspends until their code is loaded. */
const ExtraForm = (props: Props) => <OpenForm {...props} extra={waitForExtraFields()} />;

/** The message in place of a closed form. */
const Closed = ({ closed: { html }, texts, outcome }: Props & { closed: FormClosed }) => (
  <div role={outcome && 'alert'}>{html ? <RichText html={html} /> : <p>{texts.closed}</p>}</div>
);

const hasFiles = ({ fields }: Form) => fields.some(({ upload }) => upload);

function OpenForm({ form, lang, texts, terms, outcome, extra }: Props & { extra: ExtraFields | null }) {
  const { state, element, search, steps, goBack, canHide, canSend, isHidden, isLeftOut, handlers } = useSignUp({
    form,
    texts,
    outcome,
    extra,
  });
  const step = form.steps[steps.page ?? -1];
  return (
    <>
      <div role="status">{state.phase === 'done' && <Thanks html={state.confirmation} />}</div>
      {state.phase === 'done' && state.number && <RichText html={state.number.html} />}
      {state.phase !== 'done' && (
        <form
          className={styles.form}
          method="post"
          action="/api/sign-ups"
          // Only files need it.
          encType={hasFiles(form) ? 'multipart/form-data' : undefined}
          noValidate
          ref={element}
          {...handlers}
        >
          {state.message !== null && (
            <ErrorSummary form={form} message={state.message} errors={state.errors} onFollow={steps.showPageOf} />
          )}
          {step && (
            <p className={styles.about} tabIndex={-1} ref={steps.progress}>
              <span dir="ltr">{`${steps.pageIndex + 1} / ${steps.pages.length}`}</span> {step.name}
            </p>
          )}
          <input type="hidden" name="form_id" value={form.id} />
          <input type="hidden" name="lang" value={lang} />
          {outcome?.attribution && <input type="hidden" name="attribution" value={outcome.attribution} />}
          {form.fields.map((field) => {
            const rendered = (
              <Field
                key={field.id}
                formId={form.id}
                field={field}
                values={outcome?.values ?? null}
                search={search}
                error={errorOf(field, state.errors)}
                texts={texts}
                extra={extra}
              />
            );
            return canHide ? (
              <div key={field.id} hidden={isHidden(field)} data-left-out={isLeftOut(field) || undefined}>
                {rendered}
              </div>
            ) : (
              rendered
            );
          })}
          {form.honeypot !== null && <Honeypot name={form.honeypot} />}
          <button
            className={`${button.button} ${styles.submit} form-submit`}
            type="submit"
            hidden={!canSend}
            // Otherwise Enter in a field submits the form.
            disabled={!canSend}
            aria-disabled={state.phase === 'sending'}
            // The second click of a double click on “Next” would send the form.
            onClick={(event) => event.detail > 1 && event.preventDefault()}
          >
            {state.phase === 'sending' ? texts.sending : (!steps.isLast && step?.next) || form.submit || texts.submit}
          </button>
          {hasFiles(form) && <progress className="form-progress" aria-label={texts.sending} max={1} hidden />}
          {step && steps.pageIndex > 0 && (
            <button className={styles.about} type="button" onClick={goBack}>
              {step.previous}
            </button>
          )}
          {terms && (
            <p className={styles.about}>
              <a href={terms}>{texts.terms}</a>
            </p>
          )}
        </form>
      )}
    </>
  );
}

/** Moves focus to a new element: the old one is gone, or a screen reader must read the new one first. */
function useFocusOnArrival() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}

function Thanks({ html }: { html: string }) {
  return (
    <div className="form-thanks" tabIndex={-1} ref={useFocusOnArrival()}>
      <RichText html={html} />
    </div>
  );
}

const errorOf = ({ inputs }: FormField, errors: Record<string, string>): string | null =>
  inputs.map(({ name }) => errors[name]).find((error) => error !== undefined) ?? null;

interface SummaryProps {
  form: Form;
  message: string;
  errors: Record<string, string>;
  /** Called before the browser follows the link to a field. */
  onFollow: (field: FormField) => void;
}

/**
 * Lists the errors at the top of the form, with a link to each field. Screen readers announce role and name on focus.
 */
function ErrorSummary({ form, message, errors, onFollow }: SummaryProps) {
  const wrongFields = form.fields.filter((field) => errorOf(field, errors));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset holds controls; this holds links.
    <div className="form-summary" role="group" aria-label={message} tabIndex={-1} ref={useFocusOnArrival()}>
      <p>{message}</p>
      {wrongFields.length > 0 && (
        <ul>
          {wrongFields.map((field) => (
            <li key={field.id}>
              <a href={`#${controlId(form.id, field.inputs[0]?.name ?? '')}`} onClick={() => onFollow(field)}>
                {field.label}: {errorOf(field, errors)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The honeypot: a field that visitors cannot see or reach. Only bots fill it in. */
function Honeypot({ name }: { name: string }) {
  return (
    <div className="visually-hidden" aria-hidden="true">
      <label>
        {name}
        <input type="text" name={name} tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
