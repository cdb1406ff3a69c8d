import type { SignUpOutcome } from '@pillion/content/types.ts';
import { namesOf, problemWith, readAnswers } from '@pillion/forms/common-rules.ts';
import type { Answers, Form, FormField, Logic } from '@pillion/forms/form.ts';
import { openPages, pagesOf } from '@pillion/forms/steps.ts';
import type { FormTexts } from '@pillion/forms/texts.ts';
import {
  type Dispatch,
  type FocusEvent,
  type FormEvent,
  type SetStateAction,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { siteFetch } from '../../navigation/site-fetch.ts';
import { afterPress, watchPress } from './after-press.ts';
import { campaignField, searchWithCampaign } from './campaign.ts';
import type { Solution } from './challenge.ts';
import { clearDraft, fillForm, isStoredInDraft, readDraft, writeDraft } from './draft.ts';
import type { ExtraFields } from './extra-chunk.ts';

interface Problems {
  message: string | null;
  /** Error messages, by name of the field's first control. */
  errors: Record<string, string>;
}

/** The visitor's sign-up number, and the HTML that shows it. */
interface ShownNumber {
  number: number;
  html: string;
}

type SignUpState =
  | ({ phase: 'open' | 'sending' } & Problems)
  | { phase: 'done'; confirmation: string; number: ShownNumber | null };

/** The JSON response of `POST /api/sign-ups`. */
interface SignUpResponse {
  ok: boolean;
  confirmation?: string;
  redirect?: string;
  number?: ShownNumber;
  errors?: Record<string, string>;
  message?: string;
}

interface Options {
  form: Form;
  texts: FormTexts;
  /** The server's response to a form that was sent without script. */
  outcome: Extract<SignUpOutcome, { ok: false }> | undefined;
  extra: ExtraFields | null;
}

/** Timeout of the request, in milliseconds: longer than the server's longest wait. */
const RESPONSE_TIMEOUT_MS = 15_000;

const NO_PROBLEMS: Problems = { message: null, errors: {} };

/** The field of a control, and the key of its error. */
function fieldAndErrorKey({ fields }: Form, control: EventTarget | null): [FormField, string] | null {
  const name = (control as Partial<HTMLInputElement> | null)?.name?.replace('[]', '') ?? '';
  const field = fields.find((field) => namesOf(field).includes(name));
  return field ? [field, field.inputs[0]?.name ?? ''] : null;
}

/** @param problem The error message; `undefined` removes the error. */
function withError(state: SignUpState, name: string, problem: string | undefined): SignUpState {
  if (state.phase === 'done' || state.errors[name] === problem) return state;
  const { [name]: _, ...others } = state.errors;
  const isAdded = problem && state.phase === 'open';
  return { ...state, errors: isAdded ? { ...others, [name]: problem } : others };
}

/** Removes a message, if it is the current one. */
const withoutMessage = (state: SignUpState, message: string): SignUpState =>
  state.phase === 'open' && state.message === message ? { ...state, message: null } : state;

/** The error of a control with a value that the form data does not have: a wrong file, half a date, not a number. */
function controlError(control: unknown): string | undefined {
  const { validity, validationMessage } = (control ?? {}) as Partial<HTMLInputElement>;
  return validity?.customError || validity?.badInput ? validationMessage : undefined;
}

/** `controlError` of all fields, except those that conditions hide; on all pages of the form. */
function controlErrors(form: Form, { elements }: HTMLFormElement): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const control of elements) {
    if (control.closest('[data-left-out]')) continue;
    const error = controlError(control);
    const errorKey = fieldAndErrorKey(form, control)?.[1];
    if (error && errorKey) errors[errorKey] = error;
  }
  return errors;
}

/** Conditional logic of fields and buttons. Initially everything is visible, as it is without script. */
function useLogic(form: Form, extra: ExtraFields | null) {
  const { fields, submitLogic } = form;
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const [answers, setAnswers] = useState<Answers | null>(null);
  const hasLogic = fields.some(({ logic }) => logic);
  const hasButtonLogic = submitLogic || fields.some(({ nextLogic }) => nextLogic);
  return {
    hasLogic,
    hidden,
    /** Whether the visible button is available. @param logic Its condition. */
    isOffered: (logic: Logic | null | undefined) => !extra || !answers || extra.isOffered(logic, fields, answers),
    /** Applies the conditions to the current answers. */
    update(element: HTMLFormElement): void {
      if (!extra || !(hasLogic || hasButtonLogic)) return;
      const answersNow = readAnswers(form, new FormData(element), extra);
      const hiddenNow = extra.hiddenFields(fields, answersNow);
      setHidden((before) => ([...before].join() === [...hiddenNow].join() ? before : hiddenNow));
      if (hasButtonLogic) setAnswers(answersNow);
    },
  };
}

/**
 * The pages of a form. `page`: number of the current one (see `pagesOf`); `null`: all pages at once, as without script.
 * `pages`: numbers of the pages that are not hidden. `pageIndex`: index of `page` in `pages`.
 */
function useSteps({ fields, steps }: Form, hidden: ReadonlySet<number>) {
  const [page, setPage] = useState<number | null>(null);
  const progress = useRef<HTMLParagraphElement>(null);
  const pageOf = pagesOf(fields);
  const pages = openPages(fields, hidden);
  const pageIndex = pages.indexOf(page ?? 0);

  return {
    page,
    pages,
    pageIndex,
    progress,
    isLast: page === null || pageIndex === pages.length - 1,
    isOnOtherPage: ({ id }: FormField) => page !== null && pageOf.get(id) !== page,
    /** Goes to the first page with an error. Without one it stays on the current page, or opens the first. */
    showFirst(errors: Record<string, string>): void {
      if (steps.length === 0) return;
      const firstWrong = fields.find(({ inputs }) => inputs.some(({ name }) => name in errors));
      if (firstWrong) setPage(pageOf.get(firstWrong.id) ?? 0);
      else setPage((before) => before ?? 0);
    },
    /** Goes to the page with the field. */
    showPageOf({ id }: FormField): void {
      if (page !== null) setPage(pageOf.get(id) ?? 0);
    },
    turnPage(by: 1 | -1): void {
      setPage(pages[pageIndex + by] ?? 0);
      // The element with focus is gone: move focus to the progress text.
      setTimeout(() => progress.current?.focus());
    },
  };
}

/** What the hooks of one form share, without a render when it changes. */
function useSharedRefs() {
  return {
    element: useRef<HTMLFormElement>(null),
    /** Id of the sign-up; empty until `getOrMakeId` makes one. */
    id: useRef(''),
    /** Whether answers may be stored under the id: they were or may have been sent, and the response was lost. */
    isUnconfirmed: useRef(false),
    /** Whether that was before a reload. Visitors then give files and consent again, which the draft does not store. */
    isRestored: useRef(false),
    solution: useRef<Solution | null>(null),
    /** Aborted when the form is removed or gets another id. */
    aborting: useRef(new AbortController()),
  };
}

/** Makes an id on secure origins only, which have `randomUUID`; otherwise the server generates it. */
function getOrMakeId({ id }: ReturnType<typeof useSharedRefs>): string {
  id.current ||= globalThis.crypto.randomUUID?.() ?? '';
  return id.current;
}

interface HookOptions extends Pick<Options, 'form' | 'texts' | 'extra'> {
  shared: ReturnType<typeof useSharedRefs>;
  setState: Dispatch<SetStateAction<SignUpState>>;
}

interface FieldOptions extends HookOptions {
  update: ReturnType<typeof useLogic>['update'];
}

/** Handlers of the fields: they store a draft, validate, and prepare the proof of work. */
function useFieldHandlers({ form, texts, extra, shared, setState, update }: FieldOptions) {
  const touched = useRef(new Set<FormField>());

  /** Removes the field's error, and the message `offline`: a changed form is not sent when the connection is back. */
  function onChange({ target, currentTarget }: FormEvent<HTMLFormElement>) {
    const found = fieldAndErrorKey(form, target);
    if (!found) return;
    const [field, errorKey] = found;
    touched.current.add(field);
    // Half a date is no error while the visitor types.
    const error = field.upload ? controlError(target) : undefined;
    setState((before) => withoutMessage(withError(before, errorKey, error), texts.offline));
    // After a reload, visitors give files and consent again. That does not count as another answer.
    const isGivenAgain = shared.isRestored.current && !isStoredInDraft(field);
    if (shared.isUnconfirmed.current && !isGivenAgain) renewId();
    writeDraft(form, getOrMakeId(shared), new FormData(currentTarget));
    update(currentTarget);
  }

  /** Other answers need another id: under the same one the server confirms the first answers (decision 010). */
  function renewId() {
    shared.isUnconfirmed.current = false;
    shared.id.current = '';
    shared.solution.current = null;
    shared.aborting.current.abort();
    shared.aborting.current = new AbortController();
    onFocus();
  }

  function onFocus() {
    // A restored form may be sent soon after the reload: its new token would be a sign of spam.
    if (shared.solution.current || shared.isRestored.current) return;
    const solution: Solution = {};
    shared.solution.current = solution;
    // Loaded at the first focus; a sign-up without a solution is accepted too.
    import('./challenge.ts').then(
      ({ solveChallenge }) => solveChallenge(solution, getOrMakeId(shared), shared.aborting.current.signal),
      () => {},
    );
  }

  /** Validates a field when the visitor leaves it for another one, if they have changed it. */
  function onBlur({ target, relatedTarget, currentTarget }: FocusEvent<HTMLFormElement>) {
    const found = fieldAndErrorKey(form, target);
    if (!found) return;
    const [field, errorKey] = found;
    const staysInField = fieldAndErrorKey(form, relatedTarget)?.[0] === field;
    const goesToButton = relatedTarget instanceof HTMLButtonElement && relatedTarget.form === currentTarget;
    if (staysInField || goesToButton) return;
    afterPress(() => {
      if (!currentTarget.isConnected || !touched.current.has(field)) return;
      const answers = readAnswers(form, new FormData(currentTarget), extra);
      const problem = problemWith(field, answers, texts, extra) ?? controlError(target);
      setState((before) => withError(before, errorKey, problem));
    });
  }

  /** React reports no change when an input is removed, such as a row of a list. Its group sends this event. */
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    if (event.target instanceof HTMLFieldSetElement) onChange(event);
  };

  return { onChange, onInput, onFocus, onBlur };
}

interface SendingOptions extends HookOptions {
  hidden: ReadonlySet<number>;
  steps: ReturnType<typeof useSteps>;
}

/** The submit handler: goes to the next page of the form, or sends the last one. One request at a time. */
function useSubmit({ form, texts, extra, shared, setState, hidden, steps }: SendingOptions) {
  const isBusy = useRef(false);

  /** Goes to the next page if this one has no errors. */
  function goToNextPage(element: HTMLFormElement): void {
    const answers = readAnswers(form, new FormData(element), extra);
    const browserErrors = controlErrors(form, element);
    const errors: Record<string, string> = {};
    for (const field of form.fields) {
      if (hidden.has(field.id) || steps.isOnOtherPage(field)) continue;
      const name = field.inputs[0]?.name ?? '';
      const problem = problemWith(field, answers, texts, extra) ?? browserErrors[name];
      if (problem) errors[name] = problem;
    }
    setState({ phase: 'open', message: null, errors });
    if (Object.keys(errors).length === 0) steps.turnPage(1);
    else setTimeout(() => element.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  }

  return async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy.current) return;
    const { currentTarget } = event;
    if (!steps.isLast) return goToNextPage(currentTarget);
    isBusy.current = true;
    setState({ phase: 'sending', ...NO_PROBLEMS });
    // In the next task, so that the browser can show this state first.
    await new Promise((resolve) => setTimeout(resolve));
    const metadata = { sign_up_id: getOrMakeId(shared), ...shared.solution.current, ...campaignField() };
    const before = [shared.isUnconfirmed.current, shared.isRestored.current] as const;
    shared.isUnconfirmed.current = true;
    shared.isRestored.current = false;
    const { redirect, ...after } = await postForm(form, currentTarget, metadata, texts);
    if (after.phase === 'done') {
      clearDraft(form);
      shared.id.current = '';
      // Measurement listens to this: packages/react/src/measurement/visit/sign-ups.ts.
      dispatchEvent(new CustomEvent('pillion:sign-up', { detail: { id: metadata.sign_up_id, formId: form.id } }));
      if (after.number) announceLazily(after.number.number);
    } else {
      // These answers are not stored. Earlier ones may be.
      if (Object.keys(after.errors).length > 0) [shared.isUnconfirmed.current, shared.isRestored.current] = before;
      steps.showFirst(after.errors);
    }
    // The visitor may have gone to another page.
    const isShown = currentTarget.isConnected;
    setState(after);
    if (redirect && isShown) location.assign(redirect);
    isBusy.current = false;
  };
}

/**
 * State and handlers of a form. The sign-up's id stays the same until it is stored, so that a retry after a failure or a
 * reload does not create a second one.
 */
export function useSignUp({ form, texts, outcome, extra }: Options) {
  const shared = useSharedRefs();
  const [state, setState] = useState<SignUpState>({ phase: 'open', ...NO_PROBLEMS, ...outcome });
  const [search, setSearch] = useState('');
  const { hasLogic, hidden, isOffered, update } = useLogic(form, extra);
  const steps = useSteps(form, hidden);

  // A layout effect, because a key press before an effect runs would overwrite the draft.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per form; later responses do not matter.
  useLayoutEffect(() => {
    shared.aborting.current = new AbortController();
    const draft = outcome ? null : readDraft(form);
    if (draft) {
      shared.id.current = draft.id;
      // It may have been sent before the reload.
      shared.isUnconfirmed.current = true;
      shared.isRestored.current = true;
    }
    const prefillQuery = searchWithCampaign();
    const element = shared.element.current;
    if (element) {
      if (!outcome) fillForm(element, form, draft, prefillQuery);
      update(element);
      element.dataset.hydrated = '';
    }
    setSearch(prefillQuery);
    steps.showFirst(outcome?.errors ?? {});
    const stopWatching = watchPress();
    return () => {
      stopWatching();
      shared.aborting.current.abort();
    };
  }, [form]);

  const isWaiting = state.phase === 'open' && state.message === texts.offline;
  useEffect(() => {
    if (!isWaiting) return;
    const resend = () => shared.element.current?.requestSubmit();
    addEventListener('online', resend);
    return () => removeEventListener('online', resend);
  }, [isWaiting, shared.element]);

  const options = { form, texts, extra, shared, setState };
  const onSubmit = useSubmit({ ...options, hidden, steps });
  const fieldHandlers = useFieldHandlers({ ...options, update });

  /** Whether conditions hide the field, on any page of the form. */
  const isLeftOut = (field: FormField) => hidden.has(field.id);
  const pageBreak = form.fields.filter(({ type }) => type === 'page')[steps.page ?? -1];
  return {
    state,
    element: shared.element,
    search,
    steps,
    goBack(): void {
      setState((before) => withoutMessage(before, texts.offline));
      steps.turnPage(-1);
    },
    /** Whether fields can be hidden: by a condition, or because they are on another page. */
    canHide: hasLogic || form.steps.length > 0,
    /** Whether the button of the current page is shown. */
    canSend: isOffered(steps.isLast ? form.submitLogic : pageBreak?.nextLogic),
    isHidden: (field: FormField) => isLeftOut(field) || steps.isOnOtherPage(field),
    isLeftOut,
    handlers: { onSubmit, ...fieldHandlers },
  };
}

/** Announces the number. The confirmation does not depend on it. */
const announceLazily = (number: number) =>
  void import('./announce-number.ts').then(
    ({ announceNumber }) => announceNumber(number),
    () => {},
  );

/**
 * Sends the form, unless the browser finds invalid values.
 * @param metadata Values besides the answers: the sign-up's id, the proof of work and the campaign.
 * @returns The next state of the form, and the address to open after the sign-up.
 */
async function postForm(
  form: Form,
  element: HTMLFormElement,
  metadata: Record<string, string>,
  { failed, invalid, offline }: FormTexts,
): Promise<SignUpState & { redirect?: string }> {
  const browserErrors = controlErrors(form, element);
  if (Object.keys(browserErrors).length > 0) return { phase: 'open', message: invalid, errors: browserErrors };
  const post = async () => {
    if (element.querySelector('[type=file]')) return (await import('./file-field.tsx')).sendFiles(element, metadata);
    const response = await siteFetch('/api/sign-ups', {
      method: 'POST',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      body: new URLSearchParams([
        ...(new FormData(element) as unknown as [string, string][]),
        ...Object.entries(metadata),
      ]),
      headers: { Accept: 'application/json' },
    });
    return response.json();
  };
  // Without a response, the defaults apply: not ok, with the message `failed` or `offline`.
  const response: Partial<SignUpResponse> = await post().catch(() => ({}));
  const defaultMessage = navigator.onLine ? failed : offline;
  const { ok, confirmation = '', redirect = '', number = null, errors = {}, message = defaultMessage } = response;
  return ok ? { phase: 'done', confirmation, redirect, number } : { phase: 'open', message, errors };
}
