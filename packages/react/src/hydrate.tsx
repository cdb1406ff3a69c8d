import type { Boot, Page, ShellContent } from '@pillion/content/types.ts';
import { platformNavigation } from '@pillion/lib/browser/navigation-api.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { hashTarget } from '@pillion/motion/scroll/hash-jumps.ts';
import { startTransition } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { changeView, loadTransitionOnInput } from './navigation/change-view.ts';
import { applyHead } from './navigation/head.ts';
import type { PageChange } from './navigation/navigation.ts';
import type { PageLoader } from './navigation/page-loader.ts';
import { prefetchLinksInView } from './navigation/prefetch.ts';
import { type createShellRefresh, fetchShell } from './navigation/shell-refresh.ts';
import { Pillion } from './page.tsx';
import { isReading } from './registry/kind-of-page.ts';
import { preparePageStyles } from './registry/page-styles.ts';
import { loadTemplate } from './registry/templates.ts';
import { storeLanguageChoice } from './shell/offer/offered-language.ts';
import type { Site } from './site/site.ts';
import type { Template } from './templates/template.ts';
import { announce } from './ui/announce.ts';

interface Options {
  root: HTMLElement;
  boot: Boot;
  site: Site;
  engines: Engines;
  pages: PageLoader;
  refreshShell: ReturnType<typeof createShellRefresh>;
  /** Called when React has hydrated the page. */
  onHydrated: () => void;
}

/** What navigation needs of React. */
export interface Renderer {
  /** Fetches the code of a template. Rejects if the chunk cannot be loaded. */
  load: typeof loadTemplate;
  /** Fetches all code and styles that a page needs. Rejects if a chunk cannot be loaded. */
  prepare(page: Page): Promise<Template>;
  show(page: Page, template: Template, signal: AbortSignal, pageChange: PageChange): Promise<void>;
  /** Shows newer menus and texts on the current page. */
  showShell(shell: ShellContent): Promise<void>;
}

/** Fetches the code of a page. Rejects if a chunk cannot be loaded. */
async function prepareCode(page: Page): Promise<Template> {
  const template = await loadTemplate(page.template);
  await template.prepare?.(page);
  return template;
}

async function prepare(page: Page): Promise<Template> {
  const [template] = await Promise.all([prepareCode(page), preparePageStyles(page)]);
  return template;
}

/** Lets React take over the server's HTML. Resolves when that is done. */
async function hydrateDocument(root: HTMLElement, boot: Boot, site: Site, engines: Engines): Promise<void> {
  site.show({ template: await loadTemplate(boot.page.template) });
  // A page that changed during hydration would not match the server's HTML.
  await new Promise<void>((resolve) => {
    // In a transition React yields every 5 ms, so the page responds to input meanwhile.
    startTransition(() => {
      hydrateRoot(
        root,
        <Pillion site={site} engines={engines} asksConsent={boot.tagManager !== null} onHydrated={resolve} />,
        // By default React only logs the errors that `ErrorBoundary` handles.
        { onCaughtError: reportError },
      );
    });
  });
}

/** The browser scrolls to an element inside a `<details>`, but does not open it. */
function openDetailsAroundHash(): void {
  const details = hashTarget(location.href)?.closest('details');
  if (details) details.open = true;
}

/** Hydrates the server's page. @returns What navigation calls to show other pages, when that is done. */
export async function hydrate({
  root,
  boot,
  site,
  engines,
  pages,
  refreshShell,
  onHydrated,
}: Options): Promise<Renderer> {
  await hydrateDocument(root, boot, site, engines);
  onHydrated();
  // Says that React runs the page; listed in docs/reference/contract.md.
  document.documentElement.dataset.hydrated = '';
  // A page to read is hydrated when the visitor is about to follow a link: they have used a pointer or a key.
  loadTransitionOnInput(isReading(boot.page));
  // Links stay plain page loads without the Navigation API.
  const watchLinks = () => (platformNavigation() ? prefetchLinksInView(root, pages.prefetch) : () => {});
  let unwatchLinks = watchLinks();
  const shell = () => site.view().shell;

  return {
    load: loadTemplate,
    prepare,
    async show(page, template, signal, pageChange) {
      // Page and shell change together, so that they never have different languages.
      const otherShell = page.lang === shell().lang ? null : await fetchShell(page.lang, boot.build);
      if (otherShell) storeLanguageChoice(page.lang);
      // The entry animation (R39) is over: parts that appear with another page are not animated.
      document.documentElement.dataset.entered = '';
      // Scrolling of the old page must not move the new one.
      engines.scroll.settle();
      const update = () => {
        // A newer shell may arrive before the browser calls this.
        flushSync(() => site.show({ page, template, shell: otherShell ?? shell() }));
        openDetailsAroundHash();
      };
      await changeView(page, update, signal, pageChange);
      if (signal.aborted) return;
      applyHead(page);
      announce(page.title);
      document.dir = shell().dir;
      void refreshShell(page.lang);
      unwatchLinks();
      unwatchLinks = watchLinks();
    },
    async showShell(newShell) {
      // If a part renders again before its code is loaded, React drops its server HTML: the form would disappear.
      await prepare(site.view().page);
      // The visitor may have changed the language since the request.
      if (newShell.lang === site.view().page.lang) site.show({ shell: newShell });
    },
  };
}
