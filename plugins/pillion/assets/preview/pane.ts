// Shows the site in the editor: a button in the header, and a pane or a window with the site's page.
import { config, editorSlot, usePreference } from './kit.ts';
import { SiteFrame } from './site-frame.ts';
import { describeStatus } from './status.ts';
import { CloseButton, SITE_ICON, type Theme, Toolbar, WIDTHS } from './toolbar.ts';
import { useSite } from './use-site.ts';

const { createElement: el, createPortal, useEffect, useState } = wp.element;
const { Button, Fill } = wp.components;
const { __ } = wp.i18n;

const BUTTON_ID = 'pillion-site-button';
const PANE_ID = 'pillion-site-pane';

const LARGE_WIDTH = WIDTHS[2];

/** The pane with the site, or with two buttons while the site is in a separate window. */
const SitePane = ({ onClose }: { onClose: () => void }) => {
  const [storedWidth, setWidth] = usePreference('width', LARGE_WIDTH.name);
  const [theme, setTheme] = usePreference<Theme>('theme', 'set');
  const [isCalm, setCalm] = usePreference('calm', false);
  const site = useSite({ theme: theme === 'set' ? null : theme, calm: isCalm });
  const { text, isProblem } = describeStatus(site.status);
  const { name: width, pixels } = WIDTHS.find(({ name }) => name === storedWidth) ?? LARGE_WIDTH;
  return el(
    PaneShell,
    { onClose, isNarrow: site.isInWindow },
    el(Toolbar, {
      ...{ width, setWidth, theme, setTheme, isCalm, setCalm, onClose },
      isInWindow: site.isInWindow,
      onMoveToWindow: site.moveToWindow,
    }),
    site.isInWindow
      ? el(
          'div',
          { className: 'pillion-pane__away' },
          el('p', null, __('The site is in a separate window.', 'pillion')),
          el(Button, { variant: 'secondary', onClick: site.showWindow }, __('Show the window', 'pillion')),
          el(Button, { variant: 'tertiary', onClick: site.moveToPane }, __('Back into the pane', 'pillion')),
        )
      : el(SiteFrame, { address: site.address, frameRef: site.frameRef, siteWidth: pixels }),
    el(
      'div',
      { className: `pillion-pane__foot${isProblem ? ' is-problem' : ''}` },
      el('p', { role: 'status' }, text),
      isProblem && el(Button, { variant: 'link', onClick: site.retry }, __('Try again', 'pillion')),
    ),
  );
};

/** Explains why the site cannot be shown, and who can fix it. */
const SetupNotice = ({ onClose }: { onClose: () => void }) =>
  el(
    PaneShell,
    { onClose, isNarrow: true },
    el(
      'div',
      { className: 'pillion-pane__bar' },
      el('span', { className: 'pillion-pane__space' }),
      el(CloseButton, { onClose }),
    ),
    el(
      'div',
      { className: 'pillion-pane__away' },
      el('p', null, __('The site cannot be shown because its address or the shared secret is missing.', 'pillion')),
      config.settings
        ? el(Button, { variant: 'secondary', href: config.settings }, __('To Pillion → Site', 'pillion'))
        : el('p', null, __('An administrator can enter them under Pillion → Site.', 'pillion')),
    ),
  );

interface ShellProps {
  onClose(): void;
  isNarrow: boolean;
  children?: unknown;
}

/** The pane around its content. Escape closes it. */
const PaneShell = ({ onClose, isNarrow, children }: ShellProps) =>
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
        onClose();
      },
    },
    children,
  );

const paneHost = Object.assign(document.createElement('div'), { className: 'pillion-pane-host' });

/** The editor has no slot for a pane, so the pane is appended to the row of content and sidebar. */
const usePaneHost = (isOpen: boolean) => {
  useEffect(() => {
    if (!isOpen) return undefined;
    const attachHost = () => {
      if (!paneHost.isConnected) document.querySelector('.interface-interface-skeleton__body')?.append(paneHost);
    };
    attachHost();
    // The editor sometimes renders its layout again, for example for another page.
    const unsubscribe = wp.data.subscribe(attachHost);
    return () => {
      unsubscribe();
      paneHost.remove();
    };
  }, [isOpen]);
};

/** In narrower windows the editor's sidebar leaves too little room for the page. In CSS pixels. */
const MIN_WIDTH_WITH_SIDEBAR = 1280;

/** Slots of the header's buttons, before and since WordPress 6.6. */
const HEADER_SLOTS = ['PinnedItems/core/edit-post', 'PinnedItems/core'];

/** The header's button, the same action in the editor's menu, and the pane. */
const SitePlugin = () => {
  const storedState = usePreference('open', false);
  const pageState = useState(false);
  // Without a configured site, an open pane is not remembered.
  const [isOpen, setOpen] = config.missing ? pageState : storedState;
  usePaneHost(isOpen);
  const toggle = () => {
    if (!isOpen && window.innerWidth < MIN_WIDTH_WITH_SIDEBAR) wp.data.dispatch('core/edit-post').closeGeneralSidebar();
    setOpen(!isOpen);
  };
  const onClose = () => {
    setOpen(false);
    document.getElementById(BUTTON_ID)?.focus();
  };
  const label = __('Site', 'pillion');
  const button = el(
    Button,
    {
      id: BUTTON_ID,
      className: 'pillion-site-button',
      icon: SITE_ICON,
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
    HEADER_SLOTS.map((name) => el(Fill, { key: name, name }, button)),
    el(
      editorSlot('PluginMoreMenuItem'),
      { icon: SITE_ICON, onClick: toggle },
      __('The site next to the editor', 'pillion'),
    ),
    isOpen && createPortal(el(config.missing ? SetupNotice : SitePane, { onClose }), paneHost),
  );
};

if (config) wp.plugins.registerPlugin('pillion-site', { render: SitePlugin });
