/** Announces `text` to screen readers (WCAG 4.1.3) through the shell's live region. */
export function announce(text: string): void {
  const region = document.querySelector('[data-announcer]');
  if (region) region.textContent = text;
}
