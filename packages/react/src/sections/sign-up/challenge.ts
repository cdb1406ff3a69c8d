import { siteFetch } from '@pillion/lib/browser/site-fetch.ts';

/** The server's challenge, solved. It shows that a browser, and somebody's time, stand behind a sign-up. Empty until it has come. */
export interface Solution {
  sign_up_token?: string;
  sign_up_proof?: string;
}

/** Digests in one go: a millisecond or two of the page's thread. */
const BATCH = 128;
/** A page that is never idle gets its turn after so long, in milliseconds. */
const IDLE_WITHIN_MS = 200;

const idle = () =>
  new Promise<unknown>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: IDLE_WITHIN_MS });
    else setTimeout(resolve);
  });

/** Finds the number that, written behind `text`, gives a SHA-256 with so many leading zero bits. */
async function work(text: string, bits: number, signal: AbortSignal): Promise<string> {
  const encoder = new TextEncoder();
  for (let from = 0; !signal.aborted; from += BATCH) {
    await idle();
    const digests = await Promise.all(
      Array.from({ length: BATCH }, (_, at) => crypto.subtle.digest('SHA-256', encoder.encode(`${text}:${from + at}`))),
    );
    const found = digests.findIndex((digest) => new DataView(digest).getUint32(0) >>> (32 - bits) === 0);
    if (found >= 0) return `${from + found}`;
  }
  return '';
}

/**
 * Fetches the challenge and solves it in the page's idle time. Nothing waits for it, and nothing fails with it: a sign-up
 * without a solution is taken too, under a tighter limit.
 * @param solution Filled in as things come.
 */
export async function solveChallenge(solution: Solution, signUpId: string, signal: AbortSignal): Promise<void> {
  try {
    const shown = Math.round(performance.now());
    const response = await siteFetch(`/api/sign-ups/token?shown=${shown}`, { signal });
    const { token, bits }: { token: string; bits: number } = await response.json();
    solution.sign_up_token = token;
    // Without TLS a browser has neither ids nor digests.
    if (signUpId && crypto.subtle) solution.sign_up_proof = await work(`${token}:${signUpId}`, bits, signal);
  } catch {
    // Evidence only.
  }
}
