import type { SignUpStore } from './store/store.ts';

/** Whoever asks within this time, in milliseconds, gets the answer before: a flood of questions is no flood of writes. */
const GOOD_FOR_MS = 1_000;

/**
 * Whether a sign-up could be kept now: found out by a write, since a full disk can be read all the same.
 * @param ticks Milliseconds that never jump.
 */
export function createReadiness({ probe }: Pick<SignUpStore, 'probe'>, ticks = () => performance.now()) {
  let last: { at: number; answer: Promise<boolean> } | null = null;
  return (): Promise<boolean> => {
    if (last && ticks() - last.at < GOOD_FOR_MS) return last.answer;
    const answer = probe(Date.now()).then(
      () => true,
      () => false,
    );
    last = { at: ticks(), answer };
    return answer;
  };
}
