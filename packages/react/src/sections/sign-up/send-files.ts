/** Time without progress after which an upload is aborted, in milliseconds. */
const STALLED_AFTER_MS = 30_000;

/**
 * Sends a form with files and shows the upload progress, which `fetch` cannot report.
 * @param first Values that come first, so that the server can check them before it reads the files.
 * @returns The response's JSON. @throws If there is no response.
 */
export function sendFiles(form: HTMLFormElement, first: Record<string, string>): Promise<object> {
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
