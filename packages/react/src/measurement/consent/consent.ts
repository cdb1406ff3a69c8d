import type { Engines } from '@pillion/motion/engines.ts';
import { afterPaint } from '@pillion/motion/frame/after-paint.ts';
import type { Site } from '../../site/site.ts';
import type { WatchSignUps } from '../visit/sign-ups.ts';
import { granted, keepChoice, removeForeign } from './choice.ts';
import type { Consent } from './dialog.tsx';
import { createTagManager } from './tag-manager.ts';

interface Options {
  /** Of the tag manager. */
  id: string;
  site: Site;
  engines: Engines;
  onSignUp: WatchSignUps;
}

/**
 * Keeps what the visitor wants (R47): the tag manager waits for a yes, the dialog for the hero, and a visitor who has
 * chosen is not asked again. Her choice counts in every tab that is open (decision 017).
 */
export function startConsent({ id, site, engines, onSignUp }: Options): void {
  const tagManager = createTagManager(id, site);
  const tabs = new BroadcastChannel('consent');
  const path = location.pathname;
  let isMeasured = false;

  const apply = () => {
    const purposes = granted() ?? [];
    tagManager.consent(purposes);
    if (!purposes.includes('statistics') || isMeasured) return;
    isMeasured = true;
    import('../visit/vitals.ts').then(
      ({ watchVitals }) => watchVitals(engines, path, (vital) => tagManager.tell({ event: 'web_vital', ...vital })),
      () => {},
    );
  };
  removeForeign();
  if (granted() !== null) apply();
  tabs.addEventListener('message', apply);
  onSignUp(({ id, formId, path }) =>
    tagManager.tell({ event: 'generate_lead', event_id: id, form_id: formId, page_path: path }),
  );

  const consent: Consent = {
    granted,
    choose(purposes) {
      keepChoice(purposes);
      tabs.postMessage(null);
      // The press is answered before the choice is worked on: tags are slow to load.
      afterPaint(apply);
    },
  };
  const open = async (opener: HTMLElement | null) => {
    // Without the chunk nothing is asked, and nothing is loaded.
    const { openDialog } = await import('./dialog.tsx');
    openDialog(site, consent, opener);
  };
  if (granted() === null) engines.stage.whenPlaying(() => void open(null).catch(() => {}));
  document.addEventListener('click', ({ target }) => {
    const opener = target instanceof Element && target.closest<HTMLElement>('button[data-consent]');
    if (opener) void open(opener).catch(() => {});
  });
}
