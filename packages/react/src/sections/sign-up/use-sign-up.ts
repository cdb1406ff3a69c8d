import type { SignUpOutcome } from '@pillion/content/types.ts';
import { namesOf, problemWith, readAnswers } from '@pillion/forms/common-rules.ts';
import type { Answers, Form, FormField, Logic } from '@pillion/forms/form.ts';
import { openPages, pagesOf } from '@pillion/forms/steps.ts';
import type { FormTexts } from '@pillion/forms/texts.ts';
import { siteFetch } from '@pillion/lib/browser/site-fetch.ts';
import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { afterPress, watchPress } from './after-press.ts';
import type { Solution } from './challenge.ts';
import { clearDraft, fillForm, readDraft, writeDraft } from './draft.ts';
import type { RareFields } from './rare-chunk.ts';

interface Problems {
  message: string | null;
  /** What is wrong, by the name of a field's first control. */
  errors: Record<string, string>;
}

/** The visitor's number among all sign-ups, and markup that shows it. */
interface ShownNumber {
  number: number;
  html: string;
}

type SignUpState =
  | ({ phase: 'open' | 'sending' } & Problems)
  | { phase: 'done'; confirmation: string; number: ShownNumber | null };

/** What `POST /api/sign-ups` responds to a script. */
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
  /** What the server said of a sign-up that was sent without script. */
  outcome: Extract<SignUpOutcome, { ok: false }> | undefined;
  rare: RareFields | null;
}

/** A network that says nothing for so long counts as failed, in milliseconds: above the server's own longest wait. */
const RESPONSE_WITHIN_MS = 15_000;

const NOTHING_WRONG: Problems = { message: null, errors: {} };
const NOTHING_HIDDEN: ReadonlySet<number> = new Set();

/** The field a control belongs to, and the name its error goes by. */
function fieldAt({ fields }: Form, control: EventTarget | null): [FormField, string] | null {
  const name = (control as Partial<HTMLInputElement> | null)?.name?.replace('[]', '') ?? '';
  const field = fields.find((field) => namesOf(field).includes(name));
  return field ? [field, field.inputs[0]?.name ?? ''] : null;
}

/** @param problem None: what was wrong is so no longer. */
function withError(state: SignUpState, name: string, problem: string | undefined): SignUpState {
  if (state.phase === 'done' || state.errors[name] === problem) return state;
  const { [name]: _, ...errors } = state.errors;
  if (problem && state.phase === 'open') errors[name] = problem;
  return { ...state, errors };
}

/** What a control that looks at itself, as one for files does, has found wrong. */
function ownProblem(control: EventTarget): string | undefined {
  const { validity, validationMessage } = control as HTMLInputElement;
  return validity?.customError ? validationMessage : undefined;
}

/** Fields and buttons that conditions hide now. Nothing is hidden at first: without script all is shown. */
function useLogic({ fields, submitLogic }: Form, rare: RareFields | null) {
  const [hidden, setHidden] = useState(NOTHING_HIDDEN);
  const [answers, setAnswers] = useState<Answers | null>(null);
  const hasLogic = fields.some(({ logic }) => logic);
  const hasButtonLogic = submitLogic || fields.some(({ nextLogic }) => nextLogic);
  return {
    hasLogic,
    hidden,
    /** @param logic Of the button that is shown. */
    offers: (logic: Logic | null | undefined) => !rare || !answers || rare.isOffered(logic, fields, answers),
    look(form: Form, element: HTMLFormElement): void {
      if (!rare || !(hasLogic || hasButtonLogic)) return;
      const given = readAnswers(form, new FormData(element), rare);
      const now = rare.hiddenFields(fields, given);
      setHidden((before) => ([...before].join() === [...now].join() ? before : now));
      if (hasButtonLogic) setAnswers(given);
    },
  };
}

/** One page of the form after another; `null`: all of them at once, as without script. */
function useSteps({ fields, steps }: Form, hidden: ReadonlySet<number>) {
  const [page, setPage] = useState<number | null>(null);
  const progress = useRef<HTMLParagraphElement>(null);
  const pageOf = pagesOf(fields);
  const pages = openPages(fields, hidden);
  const at = pages.indexOf(page ?? 0);

  return {
    page,
    pages,
    at,
    progress,
    isLast: page === null || at === pages.length - 1,
    isElsewhere: ({ id }: FormField) => page !== null && pageOf.get(id) !== page,
    /** Begins with the first page, or with the first on which something is wrong. */
    begin(errors: Record<string, string>): void {
      if (steps.length === 0) return;
      const wrong = fields.find(({ inputs }) => inputs.some(({ name }) => name in errors));
      setPage((before) => (wrong ? (pageOf.get(wrong.id) ?? 0) : (before ?? 0)));
    },
    turn(by: 1 | -1): void {
      setPage(pages[at + by] ?? 0);
      // Said and seen first: what had the focus is gone.
      setTimeout(() => progress.current?.focus());
    },
  };
}

/**
 * Sends a sign-up and keeps what became of it. One at a time; the id stays the same until it is stored, so that trying
 * again after a failure or a reload never makes two.
 */
export function useSignUp({ form, texts, outcome, rare }: Options) {
  const isBusy = useRef(false);
  const id = useRef('');
  const solution = useRef<Solution | null>(null);
  const ended = useRef(new AbortController());
  const touched = useRef(new Set<FormField>());
  const element = useRef<HTMLFormElement>(null);
  const [state, setState] = useState<SignUpState>({ phase: 'open', ...NOTHING_WRONG, ...outcome });
  const [search, setSearch] = useState('');
  const { hasLogic, hidden, offers, look } = useLogic(form, rare);

  const steps = useSteps(form, hidden);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once per form; what the server answered stands as it came.
  useEffect(() => {
    ended.current = new AbortController();
    const draft = outcome ? null : readDraft(form);
    if (draft) id.current = draft.id;
    if (element.current) {
      if (!outcome) fillForm(element.current, form, draft, location.search);
      look(form, element.current);
    }
    setSearch(location.search);
    steps.begin(outcome?.errors ?? {});
    const stopWatching = watchPress();
    return () => {
      stopWatching();
      ended.current.abort();
    };
  }, [form]);

  /** Only where the page came over TLS or from this machine; elsewhere the server makes one. */
  function ownId(): string {
    id.current ||= globalThis.crypto.randomUUID?.() ?? '';
    return id.current;
  }

  /** Turns to the next page where nothing on this one is wrong. */
  function advance(element: HTMLFormElement): void {
    const answers = readAnswers(form, new FormData(element), rare);
    const asked = form.fields.filter((field) => !hidden.has(field.id) && !steps.isElsewhere(field));
    const problems = asked.flatMap((field) => {
      const problem = problemWith(field, answers, texts, rare);
      return problem === null ? [] : [[field.inputs[0]?.name ?? '', problem] as const];
    });
    setState({ phase: 'open', message: null, errors: Object.fromEntries(problems) });
    if (problems.length === 0) steps.turn(1);
    else setTimeout(() => element.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy.current) return;
    if (!steps.isLast) return advance(event.currentTarget);
    isBusy.current = true;
    setState({ phase: 'sending', ...NOTHING_WRONG });
    const ids = { sign_up_id: ownId(), ...solution.current };
    const { redirect, ...after } = await send(event.currentTarget, ids, texts);
    if (after.phase === 'done') {
      clearDraft(form);
      // Heard where something is measured: packages/react/src/measurement/visit/sign-ups.ts.
      dispatchEvent(new CustomEvent('pillion:sign-up', { detail: { id: ids.sign_up_id, formId: form.id } }));
    } else steps.begin(after.errors);
    if (after.phase === 'done' && after.number) announce(after.number.number);
    if (redirect) location.assign(redirect);
    else setState(after);
    isBusy.current = false;
  }

  /** An answer that changes is no longer the one that was wrong. */
  function onChange({ target, currentTarget }: FormEvent<HTMLFormElement>) {
    const at = fieldAt(form, target);
    if (!at) return;
    touched.current.add(at[0]);
    setState((before) => withError(before, at[1], ownProblem(target)));
    writeDraft(form, ownId(), new FormData(currentTarget));
    look(form, currentTarget);
  }

  function onFocus() {
    if (solution.current) return;
    const own: Solution = {};
    solution.current = own;
    // Not needed before, and evidence only: without it a sign-up is taken too.
    import('./challenge.ts').then(
      ({ solveChallenge }) => solveChallenge(own, ownId(), ended.current.signal),
      () => {},
    );
  }

  /** Says what is wrong once a field is left for another, but not to whoever only passes through it. */
  function onBlur({ target, relatedTarget, currentTarget }: FocusEvent<HTMLFormElement>) {
    const at = fieldAt(form, target);
    const isSending = relatedTarget instanceof HTMLButtonElement && relatedTarget.form === currentTarget;
    if (!at || isSending || fieldAt(form, relatedTarget)?.[0] === at[0]) return;
    const [field, name] = at;
    afterPress(() => {
      if (!currentTarget.isConnected || !touched.current.has(field)) return;
      const answers = readAnswers(form, new FormData(currentTarget), rare);
      const problem = problemWith(field, answers, texts, rare) ?? ownProblem(target);
      setState((before) => withError(before, name, problem));
    });
  }

  /** Conditions leave it out, on whatever page of the form it is. */
  const isLeftOut = (field: FormField) => hidden.has(field.id);
  const isHidden = (field: FormField) => isLeftOut(field) || steps.isElsewhere(field);
  const canHide = hasLogic || form.steps.length > 0;
  const turning = form.fields.filter(({ type }) => type === 'page')[steps.page ?? -1];
  const canSend = offers(steps.isLast ? form.submitLogic : turning?.nextLogic);
  return {
    state,
    element,
    search,
    steps,
    canHide,
    canSend,
    isHidden,
    isLeftOut,
    handlers: { onSubmit, onChange, onFocus, onBlur },
  };
}

/** Tells the page of the number. Nothing waits for it, and the thanks do not need it. */
const announce = (number: number) =>
  void import('./announce-number.ts').then(
    ({ announceNumber }) => announceNumber(number),
    () => {},
  );

async function send(
  form: HTMLFormElement,
  ids: Record<string, string>,
  { failed, invalid }: FormTexts,
): Promise<SignUpState & { redirect?: string }> {
  const post = async () => {
    if (form.querySelector('[type=file]')) return (await import('./file-field.tsx')).sendFiles(form, ids, invalid);
    const response = await siteFetch('/api/sign-ups', {
      method: 'POST',
      signal: AbortSignal.timeout(RESPONSE_WITHIN_MS),
      body: new URLSearchParams([...(new FormData(form) as unknown as [string, string][]), ...Object.entries(ids)]),
      headers: { Accept: 'application/json' },
    });
    return response.json();
  };
  // No response at all is one that says nothing.
  const response: Partial<SignUpResponse> = await post().catch(() => ({}));
  const { ok, confirmation = '', redirect = '', number = null, errors = {}, message = failed } = response;
  return ok ? { phase: 'done', confirmation, redirect, number } : { phase: 'open', message, errors };
}
