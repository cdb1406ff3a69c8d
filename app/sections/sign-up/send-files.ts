/** A connection on which nothing has moved for so long counts as broken, in milliseconds. */
const STALLED_AFTER_MS = 30_000;

/**
 * Sends a form with its files, and shows in its progress bar how much of it has left. `fetch` cannot tell.
 * @param first What goes before all else, for the server to judge by before it reads on.
 * @returns The answer's JSON. @throws Where none comes.
 */
export function sendFiles(form: HTMLFormElement, first: Record<string, string>): Promise<unknown> {
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
    request.onload = () => resolve(request.response);
    request.onerror = request.onabort = () => reject(new TypeError('no answer'));
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
