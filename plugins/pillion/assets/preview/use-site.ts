// Keeps the site's page up to date while the pane is open: opens it, sends it each draft, and reports its status.
import { createFollower } from './follow.ts';
import { createPaneOpener, editorBlockIndex, errorMessage, goToBlock, selectedBlockIndex } from './kit.ts';
import { createSiteMessenger, type Look } from './site-messages.ts';
import { type Status, updateStatus } from './status.ts';

const { useEffect, useLayoutEffect, useMemo, useRef, useState } = wp.element;

export type SiteAddress = { url: string; origin: string; attempt: number };

/** Time until a draft that is not shown yet counts as late. In milliseconds. */
const LATE_AFTER_MS = 6000;
/** Pause before a draft that the site could not show is sent again. In milliseconds. */
const RESEND_MS = 2000;
/** Interval of the check whether the window was closed; browsers have no event for it. In milliseconds. */
const CLOSED_CHECK_MS = 500;

/** Runs the engine while the pane is open. `frameRef` is for the frame with `address`. */
export const useSite = ({ theme, calm }: Look) => {
  const [address, setAddress] = useState(null);
  const [status, setStatus] = useState({ wordpress: '', site: 'opening' });
  const [isInWindow, setInWindow] = useState(false);
  const frameRef = useRef(null);
  const engine = useMemo(() => createSiteEngine({ setAddress, setStatus, setInWindow }), []);
  useEffect(() => engine.start(), [engine]);
  useEffect(() => engine.messenger.setLook({ theme, calm }), [engine, theme, calm]);
  // A layout effect, because the frame could send messages before an effect runs.
  useLayoutEffect(() => {
    const frame = frameRef.current?.contentWindow;
    if (address && !isInWindow && frame) engine.messenger.attach(frame, address.origin);
  }, [engine, address, isInWindow]);
  return { address, status, isInWindow, frameRef, ...engine };
};

/** The separate window. @param onClosed Called when the editor has closed it. */
const createSiteWindow = (onClosed: () => void) => {
  let siteWindow: Window | null = null;
  const close = () => {
    siteWindow?.close();
    siteWindow = null;
  };
  return {
    current: () => siteWindow,
    /** Opens an empty window. @returns Whether the browser allows it. */
    open(): boolean {
      siteWindow = window.open('', 'pillion-site', 'popup,width=1280,height=900');
      return siteWindow !== null;
    },
    close,
    watch() {
      const timer = setInterval(() => siteWindow?.closed && onClosed(), CLOSED_CHECK_MS);
      return () => {
        clearInterval(timer);
        close();
      };
    },
  };
};

/** The selected block in the block editor. @param onSelected Called with its index when it changes; -1 without a block. */
const createSelection = (onSelected: (block: number) => void) => {
  let selected = -1;
  return {
    /** Reads the selection. Called at every change of WordPress' stores. */
    update() {
      const current = selectedBlockIndex();
      if (current === selected) return;
      selected = current;
      onSelected(current);
    },
    /** Selects, in the block editor, a block that was clicked on the site. Does not call `onSelected`. */
    select(block: number) {
      selected = editorBlockIndex(block);
      goToBlock(selected);
    },
  };
};

/** Everything that runs while the pane is open, independent of React's renders. */
const createSiteEngine = ({
  setAddress,
  setStatus,
  setInWindow,
}: Record<'setAddress' | 'setStatus' | 'setInWindow', (value: unknown) => void>) => {
  const changeStatus = (change: Partial<Status>) => setStatus((status: Status) => updateStatus(status, change));
  const siteWindow = createSiteWindow(moveToPane);
  /** Runs from sending a draft until the site shows the newest one. */
  let lateTimer = 0;
  let resendTimer = 0;
  /** The status has the message of a refused token. */
  let isTokenRefused = false;

  const opener = createPaneOpener({
    onState(state, message = '') {
      if (state === 'opening') clearTimeout(lateTimer);
      if (state === 'refused') isTokenRefused = true;
      changeStatus(state === 'refused' ? { wordpress: message } : { site: state });
    },
    onAddress(address) {
      const target = siteWindow.current();
      if (target) {
        messenger.attach(target, address.origin);
        target.location.replace(address.url);
      }
      // The attempt is the key of the frame and reloads it even if the address is the same.
      setAddress(address);
      // Otherwise the message would stay until the next change.
      if (isTokenRefused) changeStatus({ wordpress: '' });
      isTokenRefused = false;
    },
  });

  const messenger = createSiteMessenger({
    onReady() {
      opener.cancelTimeout();
      changeStatus({ site: 'ready' });
    },
    onDraftSent() {
      clearTimeout(lateTimer);
      lateTimer = setTimeout(() => changeStatus({ site: 'late' }), LATE_AFTER_MS);
    },
    onShown(isNewest) {
      if (isNewest) clearTimeout(lateTimer);
      changeStatus({ site: 'ready' });
    },
    onFailed(reason) {
      clearTimeout(lateTimer);
      changeStatus({ site: reason });
      clearTimeout(resendTimer);
      if (reason === 'expired') opener.scheduleRenewal();
      else if (reason === 'silent') resendTimer = setTimeout(follower.resend, RESEND_MS);
    },
    onPicked(block) {
      window.focus();
      selection.select(block);
    },
  });

  const selection = createSelection(messenger.selectBlock);
  const follower = createFollower({
    onDraft: messenger.sendDraft,
    onState(state, error) {
      if (state === 'refused') changeStatus({ wordpress: errorMessage(error) });
      else changeStatus({ wordpress: state === 'slow' ? 'slow' : '' });
    },
  });

  function moveToWindow() {
    // At once, because browsers allow windows only during a click.
    if (!siteWindow.open()) {
      changeStatus({ site: 'blocked' });
      return;
    }
    setInWindow(true);
    opener.open();
  }

  function moveToPane() {
    siteWindow.close();
    setInWindow(false);
    opener.open();
  }

  function start() {
    const stops = [messenger.start(), follower.start(), wp.data.subscribe(selection.update), siteWindow.watch()];
    opener.open();
    return () => {
      opener.cancel();
      for (const timer of [lateTimer, resendTimer]) clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }

  const retry = () => {
    opener.open();
    follower.resend();
  };

  return { messenger, start, retry, moveToWindow, moveToPane, showWindow: () => siteWindow.current()?.focus() };
};
