/**
 * Runs on the workbench's pages of a form after a submission, before the site's script: submits the form as soon as React
 * handles it, which starts when the form comes into view.
 */
let isHandled = false;

function submitUntilHandled(): void {
  const form = document.querySelector<HTMLFormElement>('main form[method=post]');
  form?.scrollIntoView({ block: 'center', behavior: 'instant' });
  form?.requestSubmit();
  if (!isHandled) requestAnimationFrame(submitUntilHandled);
}

// React listens on its root, so its handler has run. A submission that it does not handle would leave the page.
window.addEventListener('submit', (event) => {
  if (event.defaultPrevented) isHandled = true;
  else event.preventDefault();
});
submitUntilHandled();
