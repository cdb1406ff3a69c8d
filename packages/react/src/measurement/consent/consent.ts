import type { Purpose } from '@pillion/lib/consent.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { afterPaint } from '@pillion/motion/frame/after-paint.ts';
import { keepClickIds } from '../../navigation/keep-campaign.ts';
import type { Site } from '../../site/site.ts';
import type { WatchSignUps } from '../visit/sign-ups.ts';
import { granted, keepChoice, offered, removeForeign } from './choice.ts';
import type { Consent } from './dialog.ts';
import { createTagManager } from './tag-manager.ts';

declare global {
  interface Window {
    /** What the visitor clicked last. The starter sets it. */
    clicked?: EventTarget | null;
  }
}

interface Options {
  /** Id of the tag manager's container. */
  id: string;
  site: Site;
  engines: Engines;
  onSignUp: WatchSignUps;
}

/**
 * Applies the visitor's consent (R47): the tag manager loads only after consent, the dialog waits for the hero, and a
 * visitor who has chosen is not asked again. A choice applies to all open tabs (decision 017).
 */
export function startConsent({ id, site, engines, onSignUp }: Options): void {
  const tagManager = createTagManager(id, site);
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
          if (applied.includes('statistics')) tagManager.tell({ event: 'web_vital', ...vital });
        }),
      () => {},
    );
  };
  removeForeign();
  const before = granted();
  if (before) apply(before);
  let closeDialog = () => {};
  /** Applies a choice that was made on another page. */
  const follow = (purposes: readonly Purpose[] | null) => {
    if (!purposes) return;
    apply(purposes);
    closeDialog();
  };
  // An older script sends `null`.
  tabs.addEventListener('message', ({ data }: MessageEvent<readonly Purpose[] | null>) => follow(data ?? granted()));
  // A page in the back/forward cache gets no messages.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) follow(granted());
  });
  onSignUp(({ id, formId, path }) =>
    tagManager.tell({ event: 'generate_lead', event_id: id, form_id: formId, page_path: path }),
  );

  const consent: Consent = {
    offered: offered(),
    granted,
    choose(purposes) {
      keepChoice(purposes);
      const kept = granted() ?? [];
      // The message may arrive before other tabs can read the new cookie.
      tabs.postMessage(kept);
      // Respond to the click first: tags are slow to load.
      afterPaint(() => apply(kept));
    },
  };
  const open = async (opener: HTMLElement | null) => {
    // If the chunk cannot be loaded, there is no dialog and no tag manager.
    const { openDialog } = await import('./dialog.ts');
    closeDialog = await openDialog(site, consent, opener);
  };
  /** Opens the dialog if `target` is in a button for it. @returns Whether it is. */
  const answer = (target: EventTarget | null | undefined): boolean => {
    const opener = target instanceof Element && target.closest<HTMLElement>('button[data-consent]');
    if (opener) void open(opener).catch(() => {});
    return Boolean(opener);
  };
  document.addEventListener('click', ({ target }) => answer(target));
  // The visitor may have clicked before this code was loaded.
  if (answer(window.clicked)) return;
  engines.stage.whenPlaying(() => {
    if (granted() === null) void open(null).catch(() => {});
  });
}
