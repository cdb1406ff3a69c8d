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

/** Keeps the query of a landing page with a campaign in the tab. The form reads it (sections/sign-up/campaign.ts). */
function keepCampaign(): void {
  const { search } = location;
  if (!/[?&](?:utm_|ref=|[gw]braid=|li_fat_id=|(?:g|fb|ms|tt)clid=)/.test(search)) return;
  try {
    sessionStorage['pillion-first'] ??= search;
    sessionStorage['pillion-last'] = search;
  } catch {}
}

/** Hydrates the server's page, then starts navigation and measurement. */
async function start(root: HTMLElement, boot: Boot): Promise<void> {
  allowOwnScripts();
  const engines = createEngines(createMixer);
  const site = createSite({ page: boot.page, template: await loadTemplate(boot.page.template), shell: boot.shell });
  // In a transition React yields every 5 ms, so the page responds to input meanwhile.
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
  // Fetched only if it is configured.
  if (boot.analytics ?? boot.tagManager)
    (await import('./measurement/measurement.ts')).startMeasurement(boot, site, engines);
  if (boot.tools) (await import('./tools.ts')).start(boot, site, engines, prepare);
}

/** `enter` sets the stage's state on the document's root, where styles and tests read it. */
function startEngines({ stage, scroll, mixer }: Engines): void {
  stage.whenPlaying(enter);
  stage.start();
  scroll.start();
  mixer.start();
  followMotion();
}

/** Fetches the code of a page. Rejects if a chunk cannot be loaded. */
async function prepareCode(page: Page): Promise<Template> {
  const template = await loadTemplate(page.template);
  await template.prepare?.(page);
  return template;
}

/** Fetches all code and styles that a page needs. Rejects if a chunk cannot be loaded. */
async function prepare(page: Page): Promise<Template> {
  const [template] = await Promise.all([prepareCode(page), preparePageStyles(page)]);
  return template;
}

/** Refreshes menus and texts when the visitor returns to the tab. @returns The refresh, for navigation. */
function keepShellFresh(site: Site, boot: Boot): ReturnType<typeof createShellRefresh> {
  const refreshShell = createShellRefresh({
    build: boot.build,
    shell: () => site.view().shell,
    async show(shell) {
      // If a part renders again before its code is loaded, React drops its server HTML: the form would disappear.
      await prepare(site.view().page);
      site.show({ shell });
    },
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void refreshShell(site.view().page.lang);
  });
  return refreshShell;
}

/** Offers another language. The code is in a separate chunk, because few visitors get an offer. */
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
  // A prefetch includes the template's code, but not the code that the template loads later.
  const pages = createPageLoader(boot.page.lang, boot.build, ({ template }) => loadTemplate(template));
  let unwatch = watchLinks(root, pages.prefetch);
  const shell = () => site.view().shell;
  const show = async (page: Page, template: Template, signal: AbortSignal, way: Way) => {
    // Page and shell change together, so that they never have different languages.
    const next = page.lang === shell().lang ? shell() : await askShell(page.lang, boot.build);
    if (next !== shell()) chooseLanguage(page.lang);
    // The entry animation (R39) is over: parts that appear with another page are not animated.
    document.documentElement.dataset.entered = '';
    // Scrolling of the old page must not move the new one.
    scroll.settle();
    const update = () => {
      flushSync(() => site.show({ page, template, shell: next }));
      // The browser scrolls to the hash, but does not open a `<details>` around it.
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
keepCampaign();
if (root && data) queueMicrotask(() => start(root, JSON.parse(data) as Boot));
