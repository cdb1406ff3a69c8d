import './styles/global.css';
import { createMixer } from 'virtual:pillion/music';
import { EMBED, hasEmbed } from '@pillion/content/embeds.ts';
import type { Boot } from '@pillion/content/types.ts';
import { platformNavigation } from '@pillion/lib/browser/navigation-api.ts';
import { followMotion, refusesMarketing, savesData } from '@pillion/lib/browser/visitor.ts';
import { createEngines, type Engines } from '@pillion/motion/engines.ts';
import type { Mixer } from '@pillion/motion/sound/mixer.ts';
import type { Renderer } from './hydrate.tsx';
import { watchIntent } from './navigation/intent.ts';
import { startNavigation } from './navigation/navigation.ts';
import { createPageLoader } from './navigation/page-loader.ts';
import { createShellRefresh } from './navigation/shell-refresh.ts';
import { isReading } from './registry/kind-of-page.ts';
import { attachShell } from './shell/attach-shell.ts';
import { enter } from './shell/entry/enter.ts';
import { offeredLanguage } from './shell/offer/offered-language.ts';
import { createSite, type Site } from './site/site.ts';
import { allowOwnScripts } from './ui/trusted-types.ts';

/**
 * Starts the page: shell, navigation, measurement. Without React, which is a separate chunk: a page to read gets it when
 * the visitor is about to leave for another page, all others at once (decision 070).
 */
async function startPage(root: HTMLElement, boot: Boot): Promise<void> {
  allowOwnScripts();
  const engines = createEngines(createMixer);
  const { stage, mixer } = engines;
  const site = createSite({ page: boot.page, shell: boot.shell, template: null });
  let isStarted = false;
  /** Runs again when a page to read is hydrated, in case React replaced the server's HTML. */
  const attachBehavior = () => {
    attachShell(site, engines);
    if (!isStarted) startEngines(engines);
    isStarted = true;
  };

  let isHydrated = false;
  let renderer: Promise<Renderer> | undefined;
  const loadAndHydrate = async () => {
    const { hydrate } = await import('./hydrate.tsx');
    const created = await hydrate({ root, boot, site, engines, pages, refreshShell, onHydrated: attachBehavior });
    isHydrated = true;
    return created;
  };
  /** Hydrates the page, once. Rejects if a chunk cannot be loaded; the next call tries again. */
  const loadReact = () => {
    renderer ??= loadAndHydrate().catch((error: unknown) => {
      renderer = undefined;
      throw error;
    });
    return renderer;
  };
  /** Hydrates the page in advance. */
  const tryLoadReact = () => {
    if (!isTranslated()) void loadReact().catch(() => {});
  };

  const mayEmbed = hasEmbed(boot.page);
  if (mayEmbed && !boot.tools) playEmbeds(mixer);
  const pages = createPageLoader({ ...boot, mayEmbed }, async ({ template }) => (await loadReact()).load(template));
  const refreshShell = createShellRefresh({
    build: boot.build,
    shell: () => site.view().shell,
    show: async (shell) => {
      if (isHydrated || !isTranslated()) await (await loadReact()).showShell(shell);
    },
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void refreshShell(site.view().page.lang);
  });

  const navigation = platformNavigation();
  // Without the Navigation API links stay plain page loads.
  if (navigation)
    startNavigation({
      navigation,
      pages,
      // Without React the browser loads the page, but the music must not stop, and a step in the history of this
      // document loads nothing.
      isHandled: ({ destination }) => isHydrated || destination.sameDocument || !mixer.state().muted,
      prepare: async (page) => (await loadReact()).prepare(page),
      show: async (...args) => (await loadReact()).show(...args),
      shell: () => site.view().shell,
    });

  // Tools need React's fragments, and Vite's updates of components need React.
  if (isReading(boot.page) && !boot.tools && !import.meta.env.DEV) {
    attachBehavior();
    if (navigation) {
      if (!savesData()) watchIntent(pages.prefetch, tryLoadReact);
      mixer.subscribe(() => {
        if (!mixer.state().muted) tryLoadReact();
      });
    }
  } else await loadReact();

  if (!boot.tools) stage.whenPlaying(() => offerLanguage(site, boot));
  // Fetched only if it is configured.
  if (boot.analytics ?? boot.tagManager)
    (await import('./measurement/measurement.ts')).startMeasurement(boot, site, engines);
  if (boot.tools)
    (await import('./tools.ts')).start(boot, site, engines, async (page) => (await loadReact()).prepare(page));
}

/** Chrome's translation of the page is not the server's HTML: hydration would replace it by the original. */
const isTranslated = () => /\btranslated-/.test(document.documentElement.className);

/**
 * Plays a video in the page when the visitor follows its link. A click with a modifier key opens the link. The code is
 * loaded in parallel with React; a click waits for it.
 */
function playEmbeds(mixer: Mixer): void {
  const playEmbedChunk = import('./ui/play-embed.ts');
  playEmbedChunk.catch(() => {});
  addEventListener('click', (event) => {
    const { target, defaultPrevented, ctrlKey, metaKey, shiftKey, altKey } = event;
    const link = target instanceof Element && target.closest<HTMLAnchorElement>(`[${EMBED}]`);
    if (!link || defaultPrevented || ctrlKey || metaKey || shiftKey || altKey) return;
    event.preventDefault();
    playEmbedChunk.then(
      ({ playEmbed }) => playEmbed(link, mixer),
      () => location.assign(link.href),
    );
  });
}

/** `enter` sets the stage's state on the document's root, where styles and tests read it. */
function startEngines({ stage, scroll, mixer }: Engines): void {
  stage.whenPlaying(enter);
  stage.start();
  scroll.start();
  mixer.start();
  followMotion();
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

// The first uncaught error of the site's own code, without its text: the body is empty.
addEventListener('error', function report({ filename }) {
  if (!filename.startsWith(location.origin)) return;
  removeEventListener('error', report);
  navigator.sendBeacon('/api/reports');
});

const root = document.getElementById('root');
const bootJson = document.getElementById('boot')?.textContent;
if (root && bootJson) {
  const boot = JSON.parse(bootJson) as Boot;
  const { search } = location;
  if (search)
    void import('./navigation/keep-campaign.ts').then(
      ({ keepCampaign }) => keepCampaign(search, boot.tagManager === null && !refusesMarketing()),
      // Without the chunk the sign-up has no campaign.
      () => {},
    );
  queueMicrotask(() => startPage(root, boot));
}
