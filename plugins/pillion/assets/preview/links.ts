// A panel with links to the preview for people without an account: create, copy and withdraw.
import { config, editorSlot, errorMessage, requestPreview } from './kit.ts';

const { createElement: el, useEffect, useRef, useState } = wp.element;
const { Button, SelectControl } = wp.components;
const { __, _n, sprintf } = wp.i18n;

/** `until` is an ISO date. `opened` is the number of visits. */
type PreviewLink = { id: string; url: string; until: string; opened: number };

/** As `PreviewLinks::DAYS` in PHP. */
const LIFETIMES_DAYS = [1, 7, 30];

/** @returns Whether the text was copied. The clipboard API is available on encrypted pages only. */
const copyText = async (text: string) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement as HTMLElement | null;
    const field = Object.assign(document.createElement('textarea'), { value: text });
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    focused?.focus();
    return isCopied;
  }
};

/** The page's links, with the actions on them. @returns `message` is the result of the last action. */
const usePreviewLinks = (isSaved: boolean) => {
  const [links, setLinks] = useState([]);
  const [message, setMessage] = useState('');
  /** The panel gets the focus when a link and its buttons disappear. */
  const panelRef = useRef(null);
  const showError = (error: unknown) => setMessage(errorMessage(error));
  const fetchLinks = () => requestPreview('links').then(setLinks, showError);
  useEffect(() => {
    if (!isSaved) return undefined;
    fetchLinks();
    // A user who returns to this tab may have opened a link, so the number of visits is fetched again.
    window.addEventListener('focus', fetchLinks);
    return () => window.removeEventListener('focus', fetchLinks);
  }, [isSaved]);

  async function copyLink({ url }: PreviewLink) {
    setMessage(
      (await copyText(url))
        ? __('Link copied.', 'pillion')
        : `${__('The browser blocked copying. Copy the link yourself:', 'pillion')} ${url}`,
    );
  }
  async function createLink(days: number) {
    try {
      const link = await requestPreview('links', { method: 'POST', data: { days } });
      await copyLink(link);
      await fetchLinks();
    } catch (error) {
      showError(error);
    }
  }
  async function revokeLink({ id }: PreviewLink) {
    try {
      await requestPreview(`links/${id}`, { method: 'DELETE' });
      setMessage(__('The link is withdrawn and no longer works.', 'pillion'));
      await fetchLinks();
      panelRef.current?.focus();
    } catch (error) {
      showError(error);
    }
  }
  return { links, message, panelRef, createLink, copyLink, revokeLink };
};

/* translators: %s: a date and a time. */
const untilText = ({ until }: PreviewLink) =>
  sprintf(__('Until %s', 'pillion'), wp.date.dateI18n(wp.date.getSettings().formats.datetime, until));

const openedText = ({ opened }: PreviewLink) => {
  if (opened === 0) return __('never opened', 'pillion');
  /* translators: %d: a number. */
  return sprintf(_n('opened %d time', 'opened %d times', opened, 'pillion'), opened);
};

interface LinkItemProps {
  link: PreviewLink;
  copyLink(link: PreviewLink): void;
  revokeLink(link: PreviewLink): void;
}

const LinkItem = ({ link, copyLink, revokeLink }: LinkItemProps) =>
  el(
    'li',
    null,
    el('p', null, untilText(link), ', ', openedText(link)),
    el(
      'div',
      { className: 'pillion-links__acts' },
      el(Button, { variant: 'link', onClick: () => copyLink(link) }, __('Copy', 'pillion')),
      el(Button, { variant: 'link', isDestructive: true, onClick: () => revokeLink(link) }, __('Withdraw', 'pillion')),
    ),
  );

const LifetimeSelect = ({ days, setDays }: { days: number; setDays: (days: number) => void }) =>
  el(SelectControl, {
    label: __('Valid for', 'pillion'),
    value: String(days),
    /* translators: %d: a number. */
    options: LIFETIMES_DAYS.map((value) => ({
      value: String(value),
      label: sprintf(_n('%d day', '%d days', value, 'pillion'), value),
    })),
    onChange: (value) => setDays(Number(value)),
    __nextHasNoMarginBottom: true,
    __next40pxDefaultSize: true,
  });

const PreviewLinksPanel = () => {
  const isSaved = wp.data.useSelect((select) => !select('core/editor').isEditedPostNew(), []);
  const isDraft = wp.data.useSelect(
    (select) => select('core/editor').getCurrentPostAttribute('status') === 'draft',
    [],
  );
  const [days, setDays] = useState(7);
  const { links, message, panelRef, createLink, copyLink, revokeLink } = usePreviewLinks(isSaved);
  if (!isSaved) return el('p', null, __('Save the draft first. A link shows the saved page.', 'pillion'));
  return el(
    'div',
    { ref: panelRef, tabIndex: -1 },
    el(
      'p',
      null,
      __(
        'For people without an account. The link always shows the last saved version of this page, without unsaved changes.',
        'pillion',
      ),
    ),
    isDraft &&
      el(
        'p',
        null,
        __('WordPress saves your draft automatically while you write. The link shows these versions too.', 'pillion'),
      ),
    el(LifetimeSelect, { days, setDays }),
    el(
      Button,
      { variant: 'secondary', className: 'pillion-links__make', onClick: () => createLink(days) },
      __('Copy a link to this preview', 'pillion'),
    ),
    el('p', { role: 'status', className: 'pillion-links__said' }, message),
    links.length > 0 &&
      el(
        'ul',
        { className: 'pillion-links', 'aria-label': __('Valid links', 'pillion') },
        links.map((link: PreviewLink) => el(LinkItem, { key: link.id, link, copyLink, revokeLink })),
      ),
  );
};

const NotAllowed = () =>
  el('p', null, __('You are not allowed to create a link. Ask a user who can publish this page.', 'pillion'));

const LinksPlugin = () =>
  el(
    editorSlot('PluginDocumentSettingPanel'),
    { name: 'pillion-links', title: __('A link to this preview', 'pillion') },
    el(config.share ? PreviewLinksPanel : NotAllowed),
  );

// Without a configured site a link would have no target.
if (config && !config.missing) wp.plugins.registerPlugin('pillion-links', { render: LinksPlugin });
