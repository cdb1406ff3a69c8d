import { type FormEvent, useRef, useState } from 'react';
import { siteFetch } from '../../content/site-client.ts';
import type { SignUpOutcome } from '../../content/types.ts';

interface Problems {
  message: string | null;
  /** What is wrong, by the name of a field's first control. */
  errors: Record<string, string>;
}

type SignUpState = ({ phase: 'open' | 'sending' } & Problems) | { phase: 'done'; confirmation: string };

/** The answer of `POST /api/sign-ups` to a script. */
interface Answer {
  ok: boolean;
  confirmation?: string;
  redirect?: string;
  errors?: Record<string, string>;
  message?: string;
}

/** A network that says nothing for so long counts as failed, in milliseconds: above the server's own longest wait. */
const ANSWER_WITHIN_MS = 15_000;

const NOTHING_WRONG: Problems = { message: null, errors: {} };

/**
 * Sends a sign-up and keeps what became of it. One at a time; the id stays the same until it is stored, so that trying
 * again after a failure never makes two.
 * @param failed Said when no answer came or none that can be read.
 */
export function useSignUp(failed: string, outcome: Extract<SignUpOutcome, { ok: false }> | undefined) {
  const isBusy = useRef(false);
  const id = useRef('');
  const [state, setState] = useState<SignUpState>({ phase: 'open', ...NOTHING_WRONG, ...outcome });

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy.current) return;
    isBusy.current = true;
    // Only where the page came over TLS or from this machine; elsewhere the server makes one.
    id.current ||= globalThis.crypto.randomUUID?.() ?? '';
    const body = new URLSearchParams(new FormData(event.currentTarget) as unknown as Record<string, string>);
    body.set('sign_up_id', id.current);
    setState({ phase: 'sending', ...NOTHING_WRONG });
    setState(await send(body, failed));
    isBusy.current = false;
  }

  /** An answer that changes is no longer the one that was wrong. */
  function onChange({ target }: FormEvent<HTMLFormElement>) {
    const { name } = target as HTMLInputElement;
    setState((before) => {
      if (before.phase === 'done' || !(name in before.errors)) return before;
      const { [name]: _, ...errors } = before.errors;
      return { ...before, errors };
    });
  }

  return { state, onSubmit, onChange };
}

async function send(body: URLSearchParams, failed: string): Promise<SignUpState> {
  try {
    const response = await siteFetch('/api/sign-ups', {
      method: 'POST',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      body,
      headers: { Accept: 'application/json' },
    });
    const answer: Answer = await response.json();
    if (answer.ok && answer.redirect) {
      location.assign(answer.redirect);
      return { phase: 'sending', ...NOTHING_WRONG };
    }
    if (answer.ok) return { phase: 'done', confirmation: answer.confirmation ?? '' };
    return { phase: 'open', message: answer.message ?? failed, errors: answer.errors ?? {} };
  } catch {
    return { phase: 'open', message: failed, errors: {} };
  }
}
