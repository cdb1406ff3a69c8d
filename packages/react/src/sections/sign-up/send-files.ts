/** Time without progress after which an upload is aborted, in milliseconds. */
const STALL_TIMEOUT_MS = 30_000;

/**
 * Sends a form with files and shows the upload progress, which `fetch` cannot report.
 * @param leadingFields Values that come first, so that the server can check them before it reads the files.
 * @returns The response's JSON. @throws If there is no response.
 */
export function sendFiles(form: HTMLFormElement, leadingFields: Record<string, string>): Promise<object> {
  const body = new FormData();
  for (const [name, value] of [...Object.entries(leadingFields), ...new FormData(form)]) body.append(name, value);
  const bar = form.querySelector('progress');
  const request = new XMLHttpRequest();
  let stallTimer: ReturnType<typeof setTimeout> | undefined;
  const restartStallTimer = () => {
    clearTimeout(stallTimer);
    stallTimer = setTimeout(() => request.abort(), STALL_TIMEOUT_MS);
  };

  return new Promise((resolve, reject) => {
    request.open('POST', '/api/sign-ups');
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('Env', document.documentElement.dataset.env ?? 'production');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => {
      restartStallTimer();
      if (bar) bar.value = loaded / total;
    };
    request.onload = () => resolve(request.response ?? {});
    request.onerror = request.onabort = () => reject(new TypeError('no response'));
    request.onloadend = () => {
      clearTimeout(stallTimer);
      if (bar) bar.hidden = true;
    };
    if (bar) {
      bar.hidden = false;
      bar.value = 0;
    }
    restartStallTimer();
    request.send(body);
  });
}
