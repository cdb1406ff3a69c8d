import { siteFetch } from '../../navigation/site-fetch.ts';

/** The solution of the server's challenge: proof that a browser spent time on the sign-up. Empty until it is solved. */
export interface Solution {
  sign_up_token?: string;
  sign_up_proof?: string;
}

/** Digests per batch: 1 to 2 ms of the main thread. */
const DIGESTS_PER_BATCH = 128;
/** Maximum wait for an idle period, in milliseconds. */
const IDLE_TIMEOUT_MS = 200;

const waitForIdle = () =>
  new Promise<unknown>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: IDLE_TIMEOUT_MS });
    else setTimeout(resolve);
  });

/** Finds a number so that the SHA-256 of `text:number` starts with `bits` zero bits. @returns Empty after an abort. */
async function findProof(text: string, bits: number, signal: AbortSignal): Promise<string> {
  const encoder = new TextEncoder();
  for (let from = 0; !signal.aborted; from += DIGESTS_PER_BATCH) {
    await waitForIdle();
    const digests = await Promise.all(
      Array.from({ length: DIGESTS_PER_BATCH }, (_, at) =>
        crypto.subtle.digest('SHA-256', encoder.encode(`${text}:${from + at}`)),
      ),
    );
    const found = digests.findIndex((digest) => new DataView(digest).getUint32(0) >>> (32 - bits) === 0);
    if (found >= 0) return `${from + found}`;
  }
  return '';
}

/**
 * Fetches the challenge and solves it while the page is idle. The form does not wait for it: a sign-up without a
 * solution is accepted too, under a stricter limit.
 * @param solution Filled in step by step.
 */
export async function solveChallenge(solution: Solution, signUpId: string, signal: AbortSignal): Promise<void> {
  try {
    // Since the start of the page load. The server sets sign-ups aside that are sent less than 3 s after it, as spam.
    const shownForMs = Math.round(performance.now());
    const response = await siteFetch(`/api/sign-ups/token?shown=${shownForMs}`, { signal });
    const { token, bits }: { token: string; bits: number } = await response.json();
    solution.sign_up_token = token;
    // Without TLS, browsers have no `randomUUID` and no `crypto.subtle`.
    if (signUpId && crypto.subtle) solution.sign_up_proof = await findProof(`${token}:${signUpId}`, bits, signal);
  } catch {
    // Not required for a sign-up.
  }
}
