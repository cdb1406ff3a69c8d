/** Says `text` to those who cannot see what has changed (WCAG 4.1.3), through the shell's one live region. */
export function announce(text: string): void {
  const region = document.querySelector('[data-announcer]');
  if (region) region.textContent = text;
}
