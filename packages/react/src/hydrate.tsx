import type { Boot, Page, ShellContent } from '@pillion/content/types.ts';
import { platformNavigation } from '@pillion/lib/browser/navigation-api.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { targetOf } from '@pillion/motion/scroll/hash-jumps.ts';
import { startTransition } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { changeView, watchFirstPress } from './navigation/change-view.ts';
import { applyHead } from './navigation/head.ts';
import type { PageChange } from './navigation/navigation.ts';
import type { PageLoader } from './navigation/page-loader.ts';
import { watchLinks } from './navigation/prefetch.ts';
import { askShell, type createShellRefresh } from './navigation/shell-refresh.ts';
import { Pillion } from './page.tsx';
import { isReading } from './registry/kind-of-page.ts';
import { preparePageStyles } from './registry/page-styles.ts';
import { loadTemplate } from './registry/templates.ts';
import { chooseLanguage } from './shell/offer/offered-language.ts';
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
  onLive: () => void;
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

/** Hydrates the server's page. Resolves when that is done. */
export async function hydrate(options: Options): Promise<Renderer> {
  const { root, boot, site, engines, pages, refreshShell, onLive } = options;
  site.show({ template: await loadTemplate(boot.page.template) });
  // A page that changed during hydration would not match the server's HTML.
  await new Promise<void>((resolve) => {
    // In a transition React yields every 5 ms, so the page responds to input meanwhile.
    startTransition(() => {
      hydrateRoot(
        root,
        <Pillion site={site} engines={engines} asksConsent={boot.tagManager !== null} onLive={resolve} />,
        // By default React only logs the errors that `Boundary` handles.
        { onCaughtError: reportError },
      );
    });
  });
  onLive();
  document.documentElement.dataset.hydrated = '';
  // Links stay plain page loads without the Navigation API.
  const watch = () => (platformNavigation() ? watchLinks(root, pages.prefetch) : () => {});
  let unwatch = watch();
  // A page to read is hydrated because of such an event.
  watchFirstPress(isReading(boot.page));
  const shell = () => site.view().shell;

  return {
    load: loadTemplate,
    prepare,
    async show(page, template, signal, pageChange) {
      // Page and shell change together, so that they never have different languages.
      const otherShell = page.lang === shell().lang ? null : await askShell(page.lang, boot.build);
      if (otherShell) chooseLanguage(page.lang);
      // The entry animation (R39) is over: parts that appear with another page are not animated.
      document.documentElement.dataset.entered = '';
      // Scrolling of the old page must not move the new one.
      engines.scroll.settle();
      const update = () => {
        // A newer shell may arrive before the browser calls this.
        flushSync(() => site.show({ page, template, shell: otherShell ?? shell() }));
        // The browser scrolls to the hash, but does not open a `<details>` around it.
        const folded = targetOf(location.href)?.closest('details');
        if (folded) folded.open = true;
      };
      await changeView(page, update, signal, pageChange);
      if (signal.aborted) return;
      applyHead(page);
      announce(page.title);
      document.dir = shell().dir;
      void refreshShell(page.lang);
      unwatch();
      unwatch = watch();
    },
    async showShell(next) {
      // If a part renders again before its code is loaded, React drops its server HTML: the form would disappear.
      await prepare(site.view().page);
      // The visitor may have changed the language since the request.
      if (next.lang === site.view().page.lang) site.show({ shell: next });
    },
  };
}
