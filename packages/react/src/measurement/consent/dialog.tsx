import { announce } from '@pillion/lib/browser/announce.ts';
import type { Purpose } from '@pillion/lib/consent.ts';
import { afterPaint } from '@pillion/motion/frame/after-paint.ts';
import { type KeyboardEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import type { Site } from '../../site/site.ts';
import { addStyles } from '../../ui/add-styles.ts';
import styles from './dialog.css?url';

export interface Consent {
  /** The purposes that the visitor can agree to: without marketing if their browser refuses it. */
  offered: readonly Purpose[];
  /** The visitor's consent; `null` until there is a choice. */
  granted(): readonly Purpose[] | null;
  choose(purposes: readonly Purpose[]): void;
}

/** How long the dialog confirms a withdrawn consent, in milliseconds. */
const SAID_MS = 8_000;

let root: Root | undefined;

/** At the start of the document, so that the dialog comes first for keyboards and screen readers. */
function dialogRoot(): Root {
  const host = document.createElement('div');
  // Clicks in the dialog do not start the music (R33).
  host.dataset.consent = '';
  document.body.prepend(host);
  return createRoot(host);
}

/**
 * Opens the dialog.
 * @param opener The button that opened it; focus moves into the dialog, and back to the button afterwards. `null`: the
 * dialog opened by itself and does not take focus.
 */
export async function openDialog(site: Site, consent: Consent, opener: HTMLElement | null): Promise<void> {
  await addStyles(styles);
  root ??= dialogRoot();
  const close = () => root?.render(null);
  // A new key resets checkboxes that were not saved.
  root.render(<Dialog key={performance.now()} site={site} consent={consent} opener={opener} onLeft={close} />);
}

/** Returns focus to the opener, or to the footer's toggle if the collapsed footer hides the opener. */
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

/** Not modal: visitors can use the page without an answer. Without an answer nothing is measured. */
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
      // Here too: after a click that closes the dialog, the target is no longer inside the host.
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
      {!consent.offered.includes('marketing') && <p className="consent-about">{texts.signal}</p>}
      {isDetailed && (
        <div className="consent-purposes">
          {consent.offered.map((purpose) => (
            <label key={purpose}>
              <input
                type="checkbox"
                checked={ticked.includes(purpose)}
                onChange={({ target }) =>
                  setTicked(
                    consent.offered.filter((other) => (other === purpose ? target.checked : ticked.includes(other))),
                  )
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
        <button type="button" onClick={() => choose(consent.offered)}>
          {texts.accept}
        </button>
      </div>
      <button
        type="button"
        className="consent-more"
        // Ignore the second click of a double click: the visitor has not seen the purposes yet.
        onClick={({ detail }) => (isDetailed ? detail < 2 && choose(ticked) : setDetailed(true))}
      >
        {isDetailed ? texts.save : texts.settings}
      </button>
    </section>
  );
}
