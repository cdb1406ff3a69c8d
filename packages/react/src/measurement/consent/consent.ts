import type { Purpose } from '@pillion/lib/consent.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { afterPaint } from '@pillion/motion/frame/after-paint.ts';
import { dropClickIds, keepClickIds } from '../../navigation/keep-campaign.ts';
import type { Site } from '../../site/site.ts';
import type { WatchSignUps } from '../visit/sign-ups.ts';
import { grantedPurposes, offeredPurposes, removeInvalidCookie, storeChoice } from './choice.ts';
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
  const otherTabs = new BroadcastChannel('consent');
  const documentPath = location.pathname;
  let isMeasuring = false;
  let appliedPurposes: readonly Purpose[] = [];

  /** Passes consent to the tag manager, keeps click ids with marketing, and measures with statistics. */
  const applyConsent = (purposes: readonly Purpose[]) => {
    appliedPurposes = purposes;
    tagManager.consent(purposes);
    if (purposes.includes('marketing')) keepClickIds();
    else dropClickIds();
    if (!purposes.includes('statistics') || isMeasuring) return;
    isMeasuring = true;
    import('../visit/vitals.ts').then(
      ({ watchVitals }) =>
        watchVitals(engines, documentPath, (vital) => {
          if (appliedPurposes.includes('statistics')) tagManager.sendEvent({ event: 'web_vital', ...vital });
        }),
      () => {},
    );
  };
  removeInvalidCookie();
  const storedPurposes = grantedPurposes();
  if (storedPurposes) applyConsent(storedPurposes);
  let closeDialog = () => {};
  /** Applies a choice that was made on another page. @param purposes `null`: the visitor has not chosen. */
  const followChoice = (purposes: readonly Purpose[] | null) => {
    if (!purposes) return;
    applyConsent(purposes);
    closeDialog();
  };
  // An older script sends `null`.
  otherTabs.addEventListener('message', ({ data }: MessageEvent<readonly Purpose[] | null>) =>
    followChoice(data ?? grantedPurposes()),
  );
  // A page in the back/forward cache gets no messages.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) followChoice(grantedPurposes());
  });
  onSignUp(({ id, formId, path }) =>
    tagManager.sendEvent({ event: 'generate_lead', event_id: id, form_id: formId, page_path: path }),
  );

  const consent: Consent = {
    offered: offeredPurposes(),
    granted: grantedPurposes,
    choose(purposes) {
      storeChoice(purposes);
      const chosen = grantedPurposes() ?? [];
      // The message may arrive before other tabs can read the new cookie.
      otherTabs.postMessage(chosen);
      // Respond to the click first: tags are slow to load.
      afterPaint(() => applyConsent(chosen));
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
    if (grantedPurposes() === null) void showDialog(null).catch(() => {});
  });
}
