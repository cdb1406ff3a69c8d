import './styles/global.css';
import { createMixer } from 'virtual:pillion/music';
import type { Boot, Page } from '@pillion/content/types.ts';
import { announce } from '@pillion/lib/browser/announce.ts';
import { platformNavigation } from '@pillion/lib/browser/navigation-api.ts';
import { followMotion } from '@pillion/lib/browser/visitor.ts';
import { createEngines, type Engines } from '@pillion/motion/engines.ts';
import { targetOf } from '@pillion/motion/scroll/hash-jumps.ts';
import { startTransition } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { changeView, watchFirstPress } from './navigation/change-view.ts';
import { applyHead } from './navigation/head.ts';
import { createNavigation, type Way } from './navigation/navigation.ts';
import { createPageLoader } from './navigation/page-loader.ts';
import { watchLinks } from './navigation/prefetch.ts';
import { askShell, createShellRefresh } from './navigation/shell-refresh.ts';
import { Pillion } from './page.tsx';
import { preparePageStyles } from './registry/page-styles.ts';
import { loadTemplate } from './registry/templates.ts';
import { enter } from './shell/entry/enter.ts';
import { chooseLanguage, offeredLanguage } from './shell/offer/offered-language.ts';
import { createSite, type Site } from './site/site.ts';
import type { Template } from './templates/template.ts';
import { allowOwnScripts } from './ui/trusted-types.ts';

/** Brings the server's page to life: hydrates it, then starts what works on every page. */
async function start(root: HTMLElement, boot: Boot): Promise<void> {
  allowOwnScripts();
  const engines = createEngines(createMixer);
  const site = createSite({ page: boot.page, template: await loadTemplate(boot.page.template), shell: boot.shell });
  // As a transition React yields every 5 ms: what the visitor does meanwhile is answered.
  startTransition(() => {
    hydrateRoot(
      root,
      <Pillion
        site={site}
        engines={engines}
        asksConsent={boot.tagManager !== null}
        onLive={() => startEngines(engines)}
      />,
    );
  });
  startNavigation(root, site, boot, engines, keepShellFresh(site, boot));
  if (!boot.tools) engines.stage.whenPlaying(() => offerLanguage(site, boot));
  // Nothing of it is fetched where it is not set up.
  if (boot.analytics ?? boot.tagManager)
    (await import('./measurement/measurement.ts')).startMeasurement(boot, site, engines);
  if (boot.tools) (await import('./tools.ts')).start(boot, site, engines, prepare);
}

/** Styles and tests read the stage's state from the document's root. */
function startEngines({ stage, scroll, mixer }: Engines): void {
  stage.whenPlaying(enter);
  stage.start();
  scroll.start();
  mixer.start();
  followMotion();
}

/** Fetches the code of a page that may be shown next. Rejects when a chunk cannot be had. */
async function prepareCode(page: Page): Promise<Template> {
  const template = await loadTemplate(page.template);
  await template.prepare?.(page);
  return template;
}

/** Fetches all that a page needs to be shown whole. Rejects when a chunk cannot be had. */
async function prepare(page: Page): Promise<Template> {
  const [template] = await Promise.all([prepareCode(page), preparePageStyles(page)]);
  return template;
}

/** Menus and strings are asked for again when the visitor comes back to the tab; navigation calls what is returned. */
function keepShellFresh(site: Site, boot: Boot): ReturnType<typeof createShellRefresh> {
  const refreshShell = createShellRefresh({
    build: boot.build,
    shell: () => site.view().shell,
    async show(shell) {
      // React drops the server's HTML of a part that is drawn again before its code is there: the form would vanish.
      await prepare(site.view().page);
      site.show({ shell });
    },
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void refreshShell(site.view().page.lang);
  });
  return refreshShell;
}

/** Few visitors are offered another language, so the rest of it is a chunk of its own. */
function offerLanguage(site: Site, { build }: Boot): void {
  const offer = () => {
    if (offeredLanguage(site.view().page))
      import('./shell/offer/offer.ts').then(({ startOffer }) => startOffer(site, build)).catch(() => {});
  };
  site.subscribe(offer);
  offer();
}

function startNavigation(
  root: HTMLElement,
  site: Site,
  boot: Boot,
  { scroll }: Engines,
  refreshShell: ReturnType<typeof createShellRefresh>,
): void {
  const navigation = platformNavigation();
  // Without the Navigation API links stay plain page loads.
  if (!navigation) return;
  // Of a page that may be wanted its template is fetched ahead; what it loads later on a first visit, later.
  const pages = createPageLoader(boot.page.lang, boot.build, ({ template }) => loadTemplate(template));
  let unwatch = watchLinks(root, pages.prefetch);
  const shell = () => site.view().shell;
  const show = async (page: Page, template: Template, signal: AbortSignal, way: Way) => {
    // Both change at once: a German header over an Arabic page is nobody's page.
    const next = page.lang === shell().lang ? shell() : await askShell(page.lang, boot.build);
    if (next !== shell()) chooseLanguage(page.lang);
    // The shell's parts have made their entry (R39): one that comes with another page is in its place.
    document.documentElement.dataset.entered = '';
    // What still moves the old page must not move the new one.
    scroll.settle();
    const update = () => {
      flushSync(() => site.show({ page, template, shell: next }));
      // The browser goes to the hash, but does not open what it leads into.
      const folded = targetOf(location.href)?.closest('details');
      if (folded) folded.open = true;
    };
    await changeView(page, update, signal, way);
    if (signal.aborted) return;
    applyHead(page);
    announce(page.title);
    document.dir = next.dir;
    void refreshShell(page.lang);
    unwatch();
    unwatch = watchLinks(root, pages.prefetch);
  };
  watchFirstPress();
  createNavigation({ navigation, pages, prepare, show, shell, reload: () => location.reload() }).start();
}

const root = document.getElementById('root');
const data = document.getElementById('boot')?.textContent;
if (root && data) queueMicrotask(() => start(root, JSON.parse(data) as Boot));
