/**
 * Runs on the workbench's pages before the site's script. It sends the form to the workbench, which responds as the
 * state requires. For states after a submission it presses the button.
 */
const answer = new URL(import.meta.url).searchParams.get('answer');

const SIGN_UPS = '/api/sign-ups';
const target = `/workbench-answer/${answer ?? 'thanked'}`;

const send = window.fetch.bind(window);
window.fetch = (asked, options) => send(asked === SIGN_UPS ? target : asked, options);

const open = XMLHttpRequest.prototype.open;
XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, url: string | URL) {
  return open.call(this, method, url === SIGN_UPS ? target : url, true);
};

/** Whether React runs the element: React adds a key to each of its elements. */
const lives = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps'));

/**
 * Submits the form when React runs it, which starts when the form comes into view. React adds its key shortly before it
 * listens. A submission between the two would leave the page, so it is prevented and repeated.
 */
function pressWhenLive(): void {
  const form = document.querySelector<HTMLFormElement>('main form[method=post]');
  form?.scrollIntoView({ block: 'center', behavior: 'instant' });
  if (form && lives(form)) form.requestSubmit();
  else requestAnimationFrame(pressWhenLive);
}

if (answer) {
  window.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    requestAnimationFrame(pressWhenLive);
  });
  pressWhenLive();
}
