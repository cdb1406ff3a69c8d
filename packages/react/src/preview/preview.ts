import { leadLinksToPreviews } from './links.ts';
import { type PaneOptions, startPane } from './pane.ts';
import { previewStyles } from './preview-styles.ts';

/*
 * The document of a preview loads this file before the visitor's entry, and it imports nothing of the entry: the line below
 * has to be in place before the entry asks the browser.
 */

// Without the Navigation API the entry leaves links to the browser and fetches no page ahead. Nothing of a preview can
// then stand in for a visitor's page, nor the other way round: every link loads a document.
Object.defineProperty(globalThis, 'navigation', { value: null, configurable: true });

/** Makes the running document a preview. The entry calls it once the page is being hydrated. */
export function startPreview(options: PaneOptions): void {
  linkStyles(previewStyles(options.preview.kind));
  if (options.preview.kind === 'pane') startPane(options);
  else {
    leadLinksToPreviews(options.preview, options.site.view().page.path);
    // React finds the announcer as the server sent it, or it draws all of the page anew.
    options.engines.stage.whenPlaying(sayWhatIsShown);
  }
}

/** Says once what the bar says: it stands at the end of the document, and nobody would hear of it before. */
function sayWhatIsShown(): void {
  const bar = document.querySelector('[data-preview-bar]');
  const announcer = document.querySelector('[data-announcer]');
  if (bar && announcer)
    announcer.textContent = `${bar.getAttribute('aria-label')}: ${bar.querySelector('p')?.textContent}`;
}

/** The server has linked them already: named here, they are part of the browser's build. */
function linkStyles(hrefs: string[]): void {
  for (const href of hrefs)
    if (!document.querySelector(`link[href="${href}"]`))
      document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));
}
