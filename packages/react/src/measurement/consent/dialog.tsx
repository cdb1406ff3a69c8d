import { announce } from '@pillion/lib/browser/announce.ts';
import { afterPaint } from '@pillion/motion/frame/after-paint.ts';
import { type KeyboardEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import type { Site } from '../../site/site.ts';
import { addStyles } from '../../ui/add-styles.ts';
import styles from './dialog.css?url';
import { PURPOSES, type Purpose } from './purposes.ts';

export interface Consent {
  /** The visitor's consent; `null` until there is a choice. */
  granted(): readonly Purpose[] | null;
  choose(purposes: readonly Purpose[]): void;
}

/** How long it is said that a consent was taken back, in milliseconds. */
const SAID_MS = 8_000;

let root: Root | undefined;

/** Before all of the page: whoever comes by Tab, or reads from the beginning, meets the question first. */
function dialogRoot(): Root {
  const host = document.createElement('div');
  // What is clicked in here is no answer to the music (R33).
  host.dataset.consent = '';
  document.body.prepend(host);
  return createRoot(host);
}

/**
 * Asks the visitor, or asks her again.
 * @param opener What she pressed to be asked; focus goes into the dialog and back to it. `null`: nobody asked for it, so
 * it takes no focus.
 */
export async function openDialog(site: Site, consent: Consent, opener: HTMLElement | null): Promise<void> {
  await addStyles(styles);
  root ??= dialogRoot();
  const close = () => root?.render(null);
  // A new key: what was ticked and not kept is forgotten.
  root.render(<Dialog key={performance.now()} site={site} consent={consent} opener={opener} onLeft={close} />);
}

/** Back to what was pressed; on a small screen the footer may have closed over it meanwhile. */
const giveBackFocus = (opener: HTMLElement) =>
  afterPaint(() => {
    const isSeen = opener.checkVisibility({ visibilityProperty: true });
    const target = isSeen ? opener : opener.closest('footer')?.querySelector<HTMLElement>('[aria-expanded]');
    target?.focus({ preventScroll: true });
  });

interface Props {
  site: Site;
  consent: Consent;
  opener: HTMLElement | null;
  onLeft: () => void;
}

/** Not modal: the page can be read, scrolled and left without an answer, and without one nothing is measured. */
function Dialog({ site, consent, opener, onLeft }: Props) {
  const { strings } = useSyncExternalStore(site.subscribe, site.view).shell;
  const texts = strings.consent;
  const [isDetailed, setDetailed] = useState(opener !== null);
  const [ticked, setTicked] = useState<readonly Purpose[]>(consent.granted() ?? []);
  const [isWithdrawn, setWithdrawn] = useState(false);
  const box = useRef<HTMLElement>(null);
  const id = useId();
  useEffect(() => {
    if (opener) box.current?.focus();
  }, [opener]);
  useEffect(() => {
    if (!isWithdrawn) return;
    const timer = setTimeout(onLeft, SAID_MS);
    return () => clearTimeout(timer);
  }, [isWithdrawn, onLeft]);

  const leave = () => {
    onLeft();
    if (opener) giveBackFocus(opener);
  };
  const choose = (purposes: readonly Purpose[]) => {
    const before = consent.granted() ?? [];
    consent.choose(purposes);
    if (!before.some((purpose) => !purposes.includes(purpose))) return leave();
    setWithdrawn(true);
    announce(texts.withdrawn);
    if (opener) giveBackFocus(opener);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    leave();
  };
  if (isWithdrawn)
    return (
      <div className="consent consent-said">
        <p>{texts.withdrawn}</p>
      </div>
    );
  const policy = strings.links.cookies ?? strings.links.privacy;
  return (
    <section
      ref={box}
      className="consent"
      // Here too: a click that closes it is judged when it is no longer inside the host.
      data-consent=""
      role="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-about`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <h2 className="consent-title" id={`${id}-title`}>
        {texts.title}
      </h2>
      <p className="consent-about" id={`${id}-about`}>
        {texts.description} {policy && <a href={policy}>{texts.policy}</a>}
      </p>
      {isDetailed && (
        <div className="consent-purposes">
          {PURPOSES.map((purpose) => (
            <label key={purpose}>
              <input
                type="checkbox"
                checked={ticked.includes(purpose)}
                onChange={({ target }) =>
                  setTicked(PURPOSES.filter((other) => (other === purpose ? target.checked : ticked.includes(other))))
                }
              />
              <span>{texts[purpose]}</span>
            </label>
          ))}
        </div>
      )}
      <div className="consent-choices">
        <button type="button" onClick={() => choose([])}>
          {texts.reject}
        </button>
        <button type="button" onClick={() => choose(PURPOSES)}>
          {texts.accept}
        </button>
      </div>
      <button
        type="button"
        className="consent-more"
        // The second half of a double click has seen nothing to save yet.
        onClick={({ detail }) => (isDetailed ? detail < 2 && choose(ticked) : setDetailed(true))}
      >
        {isDetailed ? texts.save : texts.settings}
      </button>
    </section>
  );
}
