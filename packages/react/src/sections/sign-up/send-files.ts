/** A connection on which nothing has moved for so long counts as broken, in milliseconds. */
const STALLED_AFTER_MS = 30_000;

/**
 * What controls have found wrong themselves, by name. One that the answers hide is not asked, whatever lies in it; on
 * another page it is.
 */
function wrongIn(form: HTMLFormElement): Record<string, string> {
  const controls = [...form.querySelectorAll<HTMLInputElement>('input[type=file]')];
  const wrong = controls.filter(({ validity }) => validity.customError);
  const asked = wrong.filter((control) => !control.closest('[data-left-out]'));
  return Object.fromEntries(asked.map(({ name, validationMessage }) => [name, validationMessage]));
}

/**
 * Sends a form with its files, and shows in its progress bar how much of it has left. `fetch` cannot tell.
 * @param first What goes before all else, for the server to judge by before it reads on.
 * @param invalid Said over what is wrong already: then nothing is sent.
 * @returns The response's JSON, or an object like it. @throws Where none comes.
 */
export function sendFiles(form: HTMLFormElement, first: Record<string, string>, invalid: string): Promise<object> {
  const errors = wrongIn(form);
  if (Object.keys(errors).length > 0) return Promise.resolve({ ok: false, message: invalid, errors });
  const body = new FormData();
  for (const [name, value] of [...Object.entries(first), ...new FormData(form)]) body.append(name, value);
  const bar = form.querySelector('progress');
  const request = new XMLHttpRequest();
  let stalled: ReturnType<typeof setTimeout> | undefined;
  const moved = () => {
    clearTimeout(stalled);
    stalled = setTimeout(() => request.abort(), STALLED_AFTER_MS);
  };

  return new Promise((resolve, reject) => {
    request.open('POST', '/api/sign-ups');
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('Env', document.documentElement.dataset.env ?? 'production');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => {
      moved();
      if (bar) bar.value = loaded / total;
    };
    request.onload = () => resolve(request.response ?? {});
    request.onerror = request.onabort = () => reject(new TypeError('no response'));
    request.onloadend = () => {
      clearTimeout(stalled);
      if (bar) bar.hidden = true;
    };
    if (bar) {
      bar.hidden = false;
      bar.value = 0;
    }
    moved();
    request.send(body);
  });
}
