// Shows the site in the editor: a button in the header, and a pane or a window with the site's page.
import type { FromEditor, HeardFrom, ToEditor } from '@pillion/content/preview/pane-messages.ts';
import { createFollower } from './follow.ts';
import { about, createOpening, goToBlock, reasonOf, selectedTop, slot, usePreference } from './kit.ts';

const { createElement: el, createPortal, useEffect, useLayoutEffect, useMemo, useRef, useState } = wp.element;
const { Button, Fill, SelectControl } = wp.components;
const { __ } = wp.i18n;

type Address = { url: string; origin: string; number: number };
/** `set`: as the site has it. */
type Theme = NonNullable<Look['theme']> | 'set';
type Look = Omit<Extract<FromEditor, { pillion: 'look' }>, 'pillion'>;
/** The states of WordPress and of the site's page. */
type Says = { wordpress: string; site: string };

const BUTTON_ID = 'pillion-site-button';
const PANE_ID = 'pillion-site-pane';

/** Widths of the preview, in CSS pixels of the site. */
const WIDTHS = [
  {
    name: 'phone',
    pixels: 390,
    label: __('Phone, 390 wide', 'pillion'),
    path: 'M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3zm0 1.5v15h8v-15zM11 17h2v1.2h-2z',
  },
  {
    name: 'tablet',
    pixels: 820,
    label: __('Tablet, 820 wide', 'pillion'),
    path: 'M6 3h12a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 18 21H6a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 6 3zm0 1.5v15h12v-15zM10.5 17h3v1.2h-3z',
  },
  {
    name: 'large',
    pixels: 1440,
    label: __('Large screen, 1440 wide', 'pillion'),
    path: 'M4.5 4h15A1.5 1.5 0 0 1 21 5.5v10a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 15.5v-10A1.5 1.5 0 0 1 4.5 4zm0 1.5v10h15v-10zM8 18.5h8V20H8z',
  },
];
const ICONS = {
  site: 'M4 4.5h16A1.5 1.5 0 0 1 21.5 6v12a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 18V6A1.5 1.5 0 0 1 4 4.5zM4 6v12h7.25V6zm8.75 0v12H20V6z',
  calm: 'M3 9.5c2-2.2 4-2.2 6 0s4 2.2 6 0 4-2.2 6 0l-1.1 1c-1.3-1.5-2.5-1.5-3.8 0-2.7 2.9-5.5 2.9-8.2 0-1.3-1.5-2.5-1.5-3.8 0zm0 5c2-2.2 4-2.2 6 0s4 2.2 6 0 4-2.2 6 0l-1.1 1c-1.3-1.5-2.5-1.5-3.8 0-2.7 2.9-5.5 2.9-8.2 0-1.3-1.5-2.5-1.5-3.8 0z',
  window:
    'M13.5 4.5H19.5V10.5H18V7.06L11.53 13.53 10.47 12.47 16.94 6H13.5zM6 6h4.5v1.5H6v10.5h10.5V13.5H18V18a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18V7.5A1.5 1.5 0 0 1 6 6z',
  close: 'M13.1 12l4.7-4.7-1.1-1.1-4.7 4.7-4.7-4.7-1.1 1.1 4.7 4.7-4.7 4.7 1.1 1.1 4.7-4.7 4.7 4.7 1.1-1.1z',
};

/** Time until a draft that is not shown yet counts as late. In milliseconds. */
const SHOWN_MS = 6000;
/** Pause before a draft that the site could not show is sent again. In milliseconds. */
const HAND_AGAIN_MS = 2000;
/** Interval of the check whether the window was closed; browsers have no event for it. In milliseconds. */
const CLOSED_MS = 500;

const icon = (path: string) =>
  el(
    'svg',
    { viewBox: '0 0 24 24', width: 24, height: 24, 'aria-hidden': true, focusable: false },
    el('path', { d: path, fill: 'currentColor', fillRule: 'evenodd' }),
  );

/** Messages between the editor and the site's page in its frame or window. */
const createScreen = (on: {
  ready(): void;
  handed(): void;
  shown(isNewest: boolean): void;
  failed(reason: string): void;
  picked(block: number): void;
}) => {
  let target: Window | null = null;
  let origin = '';
  let isReady = false;
  /** The newest. */
  let draft: Omit<Extract<FromEditor, { pillion: 'draft' }>, 'pillion'> | null = null;
  /** Number of the newest draft that the site shows. */
  let shown = 0;
  let look: Look | null = null;
  /** Block to scroll to. */
  let wanted: number | null = null;

  const post = (message: FromEditor) => {
    if (isReady) target?.postMessage(message, origin);
  };

  const postDraft = () => {
    if (!isReady || !draft) return;
    post({ pillion: 'draft', ...draft });
    on.handed();
  };

  /** A new block is on the site only after its draft; the site cannot scroll to it earlier. */
  const postWanted = () => {
    if (wanted === null || (draft && shown < draft.n)) return;
    post({ pillion: 'select', block: wanted });
    wanted = null;
  };

  const heard: Partial<HeardFrom<ToEditor>> = {
    ready() {
      isReady = true;
      shown = 0;
      if (look) post({ pillion: 'look', ...look });
      postDraft();
      on.ready();
    },
    shown({ n }) {
      if (!Number.isInteger(n)) return;
      shown = Math.max(shown, n);
      postWanted();
      on.shown(n === draft?.n);
    },
    failed({ n, reason }) {
      if (n === draft?.n) on.failed(String(reason));
    },
    picked({ block }) {
      if (Number.isInteger(block)) on.picked(block);
    },
  };

  function onMessage({ source, origin: from, data }: MessageEvent) {
    if (!target || source !== target || from !== origin || typeof data?.pillion !== 'string') return;
    if (Object.hasOwn(heard, data.pillion)) heard[data.pillion as keyof typeof heard]?.(data);
  }

  return {
    start() {
      window.addEventListener('message', onMessage);
      return () => window.removeEventListener('message', onMessage);
    },
    /** @param shownIn Frame or window that loads a page of `itsOrigin`. */
    attach(shownIn: Window, itsOrigin: string) {
      target = shownIn;
      origin = itsOrigin;
      isReady = false;
    },
    hand(n: number, answer: object) {
      draft = { n, draft: answer };
      postDraft();
    },
    select(block: number) {
      wanted = block;
      postWanted();
    },
    look(chosen: Look) {
      look = chosen;
      post({ pillion: 'look', ...chosen });
    },
  };
};

/** Texts for the states of the site's page. */
const SITE_SAYS: Record<string, string> = {
  opening: __('Opening the site…', 'pillion'),
  silent: __(
    'The site does not respond or does not accept this WordPress. WordPress will try again. If this continues, an administrator can find the reason under Pillion → Site.',
    'pillion',
  ),
  expired: __('The site rejects the preview from WordPress. WordPress will try again.', 'pillion'),
  late: __('The site is slow. It will show your changes as soon as possible.', 'pillion'),
  'too-large': __(
    'This page is larger than 2 MB, so it cannot be shown while you write. Save it and use Preview.',
    'pillion',
  ),
  'too-long': __(
    'This page has more than 500,000 characters or too many parts, so it cannot be shown while you write. Save it and use Preview.',
    'pillion',
  ),
  failed: __('The site cannot show this version. It still shows the previous one.', 'pillion'),
  blocked: __('The browser blocked the window. Allow pop-ups for this address.', 'pillion'),
};

const FINE = __('The site shows what you write.', 'pillion');
const SLOW = __('WordPress is slow. The site will show your changes as soon as possible.', 'pillion');
const KEEP_WRITING = __('You can go on writing. The editor will try again.', 'pillion');

/** The status text. */
const words = ({ wordpress, site }: Says): { text: string; isProblem: boolean } => {
  if (wordpress === 'slow') return { text: SLOW, isProblem: true };
  if (wordpress) return { text: `${wordpress} ${KEEP_WRITING}`, isProblem: true };
  if (site === 'ready') return { text: FINE, isProblem: false };
  return { text: SITE_SAYS[site] ?? SITE_SAYS.failed, isProblem: site !== 'opening' };
};

/** Keeps the site's page up to date while the pane is open. */
const useSite = ({ theme, isCalm }: Pick<Look, 'theme'> & { isCalm: boolean }) => {
  const [address, setAddress] = useState(null);
  const [says, setSays] = useState({ wordpress: '', site: 'opening' });
  const [isInWindow, setInWindow] = useState(false);
  const frame = useRef(null);
  const its = useMemo(() => makeEngine({ setAddress, setSays, setInWindow }), []);
  useEffect(() => its.start(), [its]);
  useEffect(() => its.screen.look({ theme, calm: isCalm }), [its, theme, isCalm]);
  // A layout effect, because the frame could send messages before an effect runs.
  useLayoutEffect(() => {
    if (address && !isInWindow && frame.current) its.screen.attach(frame.current.contentWindow, address.origin);
  }, [its, address, isInWindow]);
  return { address, says, isInWindow, frame, ...its };
};

/** The separate window. @param onClosed Called when the editor has closed it. */
const createOwnWindow = (onClosed: () => void) => {
  let own: Window | null = null;
  const close = () => {
    own?.close();
    own = null;
  };
  return {
    current: () => own,
    /** @returns Whether the browser allows it. It has no address yet. */
    open(): boolean {
      own = window.open('', 'pillion-site', 'popup,width=1280,height=900');
      return own !== null;
    },
    close,
    watch() {
      const timer = setInterval(() => own?.closed && onClosed(), CLOSED_MS);
      return () => {
        clearInterval(timer);
        close();
      };
    },
  };
};

/** The editor's selected block. @param onSelected Called when another is selected there. */
const createSelection = (onSelected: (block: number) => void) => {
  let selected = -1;
  return {
    follow() {
      const now = selectedTop();
      if (now === selected) return;
      selected = now;
      if (now >= 0) onSelected(now);
    },
    /** Selects a block without a call of `onSelected`. */
    go(block: number) {
      selected = block;
      goToBlock(block);
    },
  };
};

/** @returns The same state if the change changes nothing. */
const changed = (state: Says, change: Partial<Says>) =>
  (Object.keys(change) as (keyof Says)[]).every((name) => state[name] === change[name])
    ? state
    : { ...state, ...change };

const makeEngine = ({
  setAddress,
  setSays,
  setInWindow,
}: Record<'setAddress' | 'setSays' | 'setInWindow', (value: unknown) => void>) => {
  const say = (change: Partial<Says>) => setSays((said: Says) => changed(said, change));
  const own = createOwnWindow(toPane);
  let showing = 0;
  let again = 0;

  const opening = createOpening({
    tell(state: 'opening' | 'silent' | 'refused', reason?: string) {
      if (state === 'opening') clearTimeout(showing);
      say(state === 'refused' ? { wordpress: reason } : { site: state });
    },
    show(address: Address) {
      const target = own.current();
      if (target) {
        screen.attach(target, address.origin);
        target.location.replace(address.url);
      }
      // The number is the key of the frame and reloads it even if the address is the same.
      setAddress(address);
    },
  });

  const screen = createScreen({
    ready() {
      opening.responded();
      say({ site: 'ready' });
    },
    handed() {
      clearTimeout(showing);
      showing = setTimeout(() => say({ site: 'late' }), SHOWN_MS);
    },
    shown(isNewest) {
      if (isNewest) clearTimeout(showing);
      say({ site: 'ready' });
    },
    failed(reason) {
      clearTimeout(showing);
      say({ site: reason in SITE_SAYS ? reason : 'failed' });
      clearTimeout(again);
      if (reason === 'expired') opening.renew();
      else if (reason === 'silent') again = setTimeout(follower.again, HAND_AGAIN_MS);
    },
    picked(block) {
      window.focus();
      selection.go(block);
    },
  });

  const selection = createSelection(screen.select);
  const follower = createFollower({
    hand: screen.hand,
    tell(state: 'asked' | 'slow' | 'answered' | 'refused', error: unknown) {
      if (state === 'slow') say({ wordpress: 'slow' });
      else if (state === 'refused') say({ wordpress: reasonOf(error) });
      else if (state === 'answered') say({ wordpress: '' });
    },
  });

  function toWindow() {
    // At once, because browsers allow windows only during a click.
    if (!own.open()) {
      say({ site: 'blocked' });
      return;
    }
    setInWindow(true);
    opening.start();
  }

  function toPane() {
    own.close();
    setInWindow(false);
    opening.start();
  }

  function start() {
    const undo = [screen.start(), follower.start(), wp.data.subscribe(selection.follow), own.watch()];
    opening.start();
    return () => {
      opening.stop();
      for (const timer of [showing, again]) clearTimeout(timer);
      for (const one of undo) one();
    };
  }

  const retry = () => {
    opening.start();
    follower.again();
  };

  return { screen, start, retry, toWindow, toPane, showWindow: () => own.current()?.focus() };
};

/** The size and scale at which a site of `pixels` fits into the pane. */
const useFit = (pixels: number) => {
  const stage = useRef(null);
  const [size, setSize] = useState({ width: pixels, height: 800 });
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([{ contentRect }]) =>
      setSize({ width: contentRect.width, height: contentRect.height }),
    );
    if (stage.current) watch.observe(stage.current);
    return () => watch.disconnect();
  }, []);
  const scale = Math.min(1, size.width / pixels);
  const style = { width: pixels, height: size.height / scale, transform: scale < 1 ? `scale(${scale})` : undefined };
  return { stage, style, box: { width: pixels * scale, height: size.height } };
};

const Frame = ({ address, frame, width }: { address: Address | null; frame: object; width: string }) => {
  const { pixels } = WIDTHS.find(({ name }) => name === width) ?? WIDTHS[0];
  const { stage, style, box } = useFit(pixels);
  return el(
    'div',
    { className: 'pillion-pane__stage', ref: stage },
    address &&
      el(
        'div',
        { className: 'pillion-pane__box', style: box },
        el('iframe', {
          key: address.number,
          ref: frame,
          src: address.url,
          style,
          title: __('The site', 'pillion'),
          className: 'pillion-pane__frame',
        }),
      ),
  );
};

const WidthSwitch = ({ width, setWidth }: { width: string; setWidth: (name: string) => void }) =>
  el(
    'div',
    { role: 'group', 'aria-label': __('Width', 'pillion'), className: 'pillion-pane__group' },
    WIDTHS.map(({ name, label, path }) =>
      el(Button, {
        key: name,
        icon: icon(path),
        label,
        size: 'compact',
        isPressed: width === name,
        'aria-pressed': width === name,
        onClick: () => setWidth(name),
      }),
    ),
  );

const ThemeSwitch = ({ theme, setTheme }: { theme: Theme; setTheme: (name: Theme) => void }) =>
  el(SelectControl, {
    label: __('Theme', 'pillion'),
    hideLabelFromVision: true,
    value: theme,
    options: [
      { value: 'set', label: __('Theme as set', 'pillion') },
      { value: 'dark', label: __('Dark', 'pillion') },
      { value: 'light', label: __('Light', 'pillion') },
    ],
    onChange: setTheme,
    size: 'compact',
    className: 'pillion-pane__theme',
    __nextHasNoMarginBottom: true,
  });

const Pane = ({ close }: { close: () => void }) => {
  const [width, setWidth] = usePreference('width', 'large');
  const [theme, setTheme] = usePreference<Theme>('theme', 'set');
  const [isCalm, setCalm] = usePreference('calm', false);
  const site = useSite({ theme: theme === 'set' ? null : theme, isCalm });
  const { text, isProblem } = words(site.says);
  const known = WIDTHS.some(({ name }) => name === width) ? width : 'large';
  return el(
    Shell,
    { close, isNarrow: site.isInWindow },
    el(
      'div',
      { className: 'pillion-pane__bar' },
      !site.isInWindow && el(WidthSwitch, { width: known, setWidth }),
      el(ThemeSwitch, { theme, setTheme }),
      el(Button, {
        icon: icon(ICONS.calm),
        label: __('Calm: nothing moves by itself', 'pillion'),
        size: 'compact',
        isPressed: isCalm,
        'aria-pressed': isCalm,
        onClick: () => setCalm(!isCalm),
      }),
      el('span', { className: 'pillion-pane__space' }),
      !site.isInWindow &&
        el(Button, {
          icon: icon(ICONS.window),
          label: __('In a separate window', 'pillion'),
          size: 'compact',
          onClick: site.toWindow,
        }),
      el(Button, {
        icon: icon(ICONS.close),
        label: __('Close the site', 'pillion'),
        size: 'compact',
        onClick: close,
      }),
    ),
    site.isInWindow
      ? el(
          'div',
          { className: 'pillion-pane__away' },
          el('p', null, __('The site is in a separate window.', 'pillion')),
          el(Button, { variant: 'secondary', onClick: site.showWindow }, __('Show the window', 'pillion')),
          el(Button, { variant: 'tertiary', onClick: site.toPane }, __('Back into the pane', 'pillion')),
        )
      : el(Frame, { address: site.address, frame: site.frame, width: known }),
    el(
      'div',
      { className: `pillion-pane__foot${isProblem ? ' is-problem' : ''}` },
      el('p', { role: 'status' }, text),
      isProblem && el(Button, { variant: 'link', onClick: site.retry }, __('Try again', 'pillion')),
    ),
  );
};

/** Explains why the site cannot be shown, and who can fix it. */
const Missing = ({ close }: { close: () => void }) =>
  el(
    Shell,
    { close, isNarrow: true },
    el(
      'div',
      { className: 'pillion-pane__bar' },
      el('span', { className: 'pillion-pane__space' }),
      el(Button, {
        icon: icon(ICONS.close),
        label: __('Close the site', 'pillion'),
        size: 'compact',
        onClick: close,
      }),
    ),
    el(
      'div',
      { className: 'pillion-pane__away' },
      el('p', null, __('The site cannot be shown because its address or the shared secret is missing.', 'pillion')),
      about.settings
        ? el(Button, { variant: 'secondary', href: about.settings }, __('To Pillion → Site', 'pillion'))
        : el('p', null, __('An administrator can enter them under Pillion → Site.', 'pillion')),
    ),
  );

const Shell = ({ close, isNarrow, children }: { close: () => void; isNarrow: boolean; children?: unknown }) =>
  el(
    'div',
    {
      id: PANE_ID,
      role: 'region',
      tabIndex: -1,
      'aria-label': __('Site', 'pillion'),
      className: `pillion-pane${isNarrow ? ' is-narrow' : ''}`,
      onKeyDown: (event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.stopPropagation();
        close();
      },
    },
    children,
  );

const host = Object.assign(document.createElement('div'), { className: 'pillion-pane-host' });

/** The editor has no slot for a pane, so the pane is appended to the row of content and sidebar. */
const useHost = (isOpen: boolean) => {
  useEffect(() => {
    if (!isOpen) return undefined;
    const place = () => {
      if (!host.isConnected) document.querySelector('.interface-interface-skeleton__body')?.append(host);
    };
    place();
    // The editor sometimes renders its layout again, for example for another page.
    const unsubscribe = wp.data.subscribe(place);
    return () => {
      unsubscribe();
      host.remove();
    };
  }, [isOpen]);
};

/** In narrower windows the editor's sidebar leaves too little room for the page. In CSS pixels. */
const SIDEBAR_FITS = 1280;

/** Slots of the header's buttons, before and since WordPress 6.6. */
const HEADERS = ['PinnedItems/core/edit-post', 'PinnedItems/core'];

const Site = () => {
  const [isWanted, setWanted] = usePreference('open', false);
  const [isAsked, setAsked] = useState(false);
  // If the site is not configured, the pane opens on request only.
  const isOpen = about.missing ? isAsked : isWanted;
  const setOpen = about.missing ? setAsked : setWanted;
  useHost(isOpen);
  const toggle = () => {
    if (!isOpen && window.innerWidth < SIDEBAR_FITS) wp.data.dispatch('core/edit-post').closeGeneralSidebar();
    setOpen(!isOpen);
  };
  const close = () => {
    setOpen(false);
    document.getElementById(BUTTON_ID)?.focus();
  };
  const label = __('Site', 'pillion');
  const button = el(
    Button,
    {
      id: BUTTON_ID,
      className: 'pillion-site-button',
      icon: icon(ICONS.site),
      size: 'compact',
      isPressed: isOpen,
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? PANE_ID : undefined,
      onClick: toggle,
    },
    label,
  );
  return el(
    wp.element.Fragment,
    null,
    HEADERS.map((name) => el(Fill, { key: name, name }, button)),
    el(
      slot('PluginMoreMenuItem'),
      { icon: icon(ICONS.site), onClick: toggle },
      __('The site next to the editor', 'pillion'),
    ),
    isOpen && createPortal(about.missing ? el(Missing, { close }) : el(Pane, { close }), host),
  );
};

if (about) wp.plugins.registerPlugin('pillion-site', { render: Site });
