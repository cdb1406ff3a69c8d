import type { Purpose } from '@pillion/lib/consent.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { afterPaint } from '@pillion/motion/frame/after-paint.ts';
import { keepClickIds } from '../../navigation/keep-campaign.ts';
import type { Site } from '../../site/site.ts';
import type { WatchSignUps } from '../visit/sign-ups.ts';
import { granted, offered, removeInvalidCookie, storeChoice } from './choice.ts';
import type { Consent } from './dialog.ts';
import { createTagManager } from './tag-manager.ts';

declare global {
  interface Window {
    /** What the visitor clicked last. The starter sets it. */
    clicked?: EventTarget | null;
  }
}

interface Options {
  containerId: string;
  site: Site;
  engines: Engines;
  onSignUp: WatchSignUps;
}

/**
 * Applies the visitor's consent (R47): the tag manager loads only after consent, the dialog waits for the hero, and a
 * visitor who has chosen is not asked again. A choice applies to all open tabs (decision 017).
 */
export function startConsent({ containerId, site, engines, onSignUp }: Options): void {
  const tagManager = createTagManager(containerId, site);
  const tabs = new BroadcastChannel('consent');
  const path = location.pathname;
  let isMeasured = false;
  let applied: readonly Purpose[] = [];

  const apply = (purposes: readonly Purpose[]) => {
    applied = purposes;
    tagManager.consent(purposes);
    if (purposes.includes('marketing')) keepClickIds();
    if (!purposes.includes('statistics') || isMeasured) return;
    isMeasured = true;
    import('../visit/vitals.ts').then(
      ({ watchVitals }) =>
        watchVitals(engines, path, (vital) => {
          if (applied.includes('statistics')) tagManager.sendEvent({ event: 'web_vital', ...vital });
        }),
      () => {},
    );
  };
  removeInvalidCookie();
  const storedPurposes = granted();
  if (storedPurposes) apply(storedPurposes);
  let closeDialog = () => {};
  /** Applies a choice that was made on another page. */
  const followChoice = (purposes: readonly Purpose[] | null) => {
    if (!purposes) return;
    apply(purposes);
    closeDialog();
  };
  // An older script sends `null`.
  tabs.addEventListener('message', ({ data }: MessageEvent<readonly Purpose[] | null>) =>
    followChoice(data ?? granted()),
  );
  // A page in the back/forward cache gets no messages.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) followChoice(granted());
  });
  onSignUp(({ id, formId, path }) =>
    tagManager.sendEvent({ event: 'generate_lead', event_id: id, form_id: formId, page_path: path }),
  );

  const consent: Consent = {
    offered: offered(),
    granted,
    choose(purposes) {
      storeChoice(purposes);
      const chosen = granted() ?? [];
      // The message may arrive before other tabs can read the new cookie.
      tabs.postMessage(chosen);
      // Respond to the click first: tags are slow to load.
      afterPaint(() => apply(chosen));
    },
  };
  const showDialog = async (opener: HTMLElement | null) => {
    // If the chunk cannot be loaded, there is no dialog and no tag manager.
    const { openDialog } = await import('./dialog.ts');
    closeDialog = await openDialog(site, consent, opener);
  };
  /** Opens the dialog if `target` is in a button for it. @returns Whether it is. */
  const openFromButton = (target: EventTarget | null | undefined): boolean => {
    const opener = target instanceof Element && target.closest<HTMLElement>('button[data-consent]');
    if (opener) void showDialog(opener).catch(() => {});
    return Boolean(opener);
  };
  document.addEventListener('click', ({ target }) => openFromButton(target));
  // The visitor may have clicked before this code was loaded.
  if (openFromButton(window.clicked)) return;
  engines.stage.whenPlaying(() => {
    if (granted() === null) void showDialog(null).catch(() => {});
  });
}
