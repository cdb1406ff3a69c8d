import { acceptCategory, getUserPreferences, run, type Translation, validConsent } from 'vanilla-cookieconsent';
import type { Engines } from '../../engines/engines.ts';
import type { Site } from '../../site.ts';
import { COOKIE, cookies, isConsent, removeCookie } from './cookies.ts';
import { PURPOSES, type Purpose } from './purposes.ts';
import { createTagManager } from './tag-manager.ts';

/** A choice is asked for again after half a year. */
const KEPT_DAYS = 182;

export interface Consent {
  /** What the visitor has said yes to; `null` as long as nothing was said. */
  granted(): readonly Purpose[] | null;
  choose(purposes: readonly Purpose[]): void;
}

interface Options {
  /** Of the tag manager. */
  id: string;
  env: string;
  site: Site;
  engines: Engines;
}

const granted = (): readonly Purpose[] | null => {
  if (!validConsent()) return null;
  const { acceptedCategories } = getUserPreferences();
  return PURPOSES.filter((purpose) => acceptedCategories.includes(purpose));
};

/**
 * Keeps what the visitor wants (R47): the tag manager waits for a yes, the dialog for the hero, and a visitor who has
 * chosen is not asked again. Choices are kept and judged by vanilla-cookieconsent, without its dialog (decision 017).
 */
export function startConsent({ id, env, site, engines }: Options): void {
  const tagManager = createTagManager(id, env, site);
  const path = location.pathname;
  let isMeasured = false;

  for (const [name, value] of cookies()) if (name === COOKIE && !isConsent(value)) removeCookie(name);

  const onChoice = () => {
    const purposes = granted() ?? [];
    tagManager.consent(purposes);
    if (!purposes.includes('statistics') || isMeasured) return;
    isMeasured = true;
    import('../vitals.ts').then(
      ({ watchVitals }) => watchVitals(engines, path, (vital) => tagManager.tell({ event: 'web_vital', ...vital })),
      () => {},
    );
  };
  run({
    categories: Object.fromEntries(PURPOSES.map((purpose) => [purpose, {}])),
    cookie: { name: COOKIE, expiresAfterDays: KEPT_DAYS },
    // It has no words, so it makes no dialog: ours is drawn by the page's own means.
    language: { default: 'en', translations: { en: {} as Translation } },
    autoShow: false,
    // Both are done by the tag manager's own code: it knows the cookies of every domain above this one.
    manageScriptTags: false,
    autoClearCookies: false,
    // It takes every browser under test for a robot.
    hideFromBots: false,
    onConsent: onChoice,
    onChange: onChoice,
  }).catch(reportError);

  const consent: Consent = { granted, choose: (purposes) => acceptCategory([...purposes]) };
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
