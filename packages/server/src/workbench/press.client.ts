/**
 * On a page of the workbench: what the form sends goes to the workbench, which answers as the state says, and a state of
 * after the press is reached by pressing. Loaded before the site's own script.
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

/** React has a key of its own on each element that it runs. */
const lives = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps'));

/**
 * Presses once React runs the form, which it does when the form comes near. Its key is there a moment before it listens: a
 * press of that moment would leave the page, so it is taken back and made again.
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
