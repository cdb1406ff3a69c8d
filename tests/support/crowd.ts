import { randomUUID } from 'node:crypto';

/** The fields that the bundled form sends. @param id UUID of the sign-up. */
export const createSignUp = (id: string, email = 'ada@example.org') =>
  new URLSearchParams({ form_id: '1', input_1: 'Ada', input_2: email, input_3_1: '1', sign_up_id: id });

let addressCount = 0;
/** @returns Another address for each visitor, as a proxy reports it: limits count by address. */
export const takeAddress = () => `203.0.${(++addressCount >> 8) & 255}.${addressCount & 255}`;

/** Posts a form as the site's script does. */
export const sendSignUp = (url: string, form: URLSearchParams, from = takeAddress()) =>
  fetch(`${url}/api/sign-ups`, {
    method: 'POST',
    body: form,
    headers: { accept: 'application/json', 'x-forwarded-for': from },
  });

/** Pause of a visitor before a retry, in milliseconds. */
const RETRY_MS = 50;

/** The request of the visitor with this id. */
type FormFor = (id: string) => URLSearchParams;

const ownForm: FormFor = (id) => createSignUp(id, `${id}@example.org`);

/** Signs up again and again. Adds the id of each confirmed sign-up to `thanked`. */
async function signUpUntilOver(
  url: string,
  isOver: () => boolean,
  thanked: Set<string>,
  formFor: FormFor,
): Promise<void> {
  while (!isOver()) {
    const id = randomUUID();
    const from = takeAddress();
    for (let isThanked = false; !isThanked && !isOver(); ) {
      const response = await sendSignUp(url, formFor(id), from).catch(() => null);
      isThanked = response?.status === 200;
      if (isThanked) thanked.add(id);
      else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      await response?.arrayBuffer().catch(() => {});
    }
  }
}

/**
 * Starts visitors who sign up, and retry with the same id until it is confirmed or the crowd ends.
 * @param size Number of visitors.
 * @param thanked Gets the id of each confirmed sign-up.
 * @returns Ends the crowd.
 */
export function startCrowd(
  url: string,
  size: number,
  thanked: Set<string>,
  formFor: FormFor = ownForm,
): () => Promise<void> {
  let isOver = false;
  const all = Array.from({ length: size }, () => signUpUntilOver(url, () => isOver, thanked, formFor));
  return async () => {
    isOver = true;
    await Promise.all(all);
  };
}
