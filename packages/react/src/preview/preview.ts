import { pointLinksToPreviews } from './links.ts';
import { cancelEvent, type PaneOptions, startPane } from './pane.ts';
import { previewStyles } from './preview-styles.ts';

/*
 * A preview document loads this file before the visitor's entry, and it imports nothing of the entry: the statements
 * below must run before the entry checks for the Navigation API, and before React sends a form.
 */

// Without the Navigation API, the entry leaves links to the browser and prefetches no pages. So a preview and a
// visitor's page never replace each other: every link loads a document.
Object.defineProperty(globalThis, 'navigation', { value: null, configurable: true });

// A pane sends no form, also in a tab without an editor: without a Referer, the server could not tell it from a visitor's,
// and would store it. Its policy has `form-action 'none'`, for the time before this file is loaded.
if (location.pathname.startsWith('/preview/pane/')) addEventListener('submit', cancelEvent, true);

/** Starts the preview. The entry calls it when hydration has started. */
export function startPreview(options: PaneOptions): void {
  linkStyles(previewStyles(options.preview.kind));
  if (options.preview.kind === 'pane') startPane(options);
  else {
    pointLinksToPreviews(options.preview, options.site.view().page.path);
    options.engines.stage.whenPlaying(announceState);
  }
}

/** Announces the text of the bar, because the bar is at the end of the document. */
function announceState(): void {
  const bar = document.querySelector('[data-preview-bar]');
  const announcer = document.querySelector('[data-announcer]');
  if (bar && announcer)
    announcer.textContent = `${bar.getAttribute('aria-label')}: ${bar.querySelector('p')?.textContent}`;
}

/** Links stylesheets that the document does not link. Their import here makes them part of the browser's build. */
function linkStyles(hrefs: string[]): void {
  for (const href of hrefs)
    if (!document.querySelector(`link[href="${href}"]`))
      document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));
}
