/** Time without progress after which an upload is aborted, in milliseconds. */
const STALLED_AFTER_MS = 30_000;

/**
 * Errors of file controls, by name. Fields that conditions hide are ignored; fields on other pages of the form are not.
 */
function wrongIn(form: HTMLFormElement): Record<string, string> {
  const controls = [...form.querySelectorAll<HTMLInputElement>('input[type=file]')];
  const wrong = controls.filter(({ validity }) => validity.customError);
  const asked = wrong.filter((control) => !control.closest('[data-left-out]'));
  return Object.fromEntries(asked.map(({ name, validationMessage }) => [name, validationMessage]));
}

/**
 * Sends a form with files and shows the upload progress, which `fetch` cannot report.
 * @param first Values that come first, so that the server can check them before it reads the files.
 * @param invalid Message if a file is invalid; then nothing is sent.
 * @returns The response's JSON, or an object in its format. @throws If there is no response.
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
