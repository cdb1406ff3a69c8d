// A panel with links to the preview for people without an account: create, copy and withdraw.
import { about, ask, reasonOf, slot } from './kit.ts';

const { createElement: el, useEffect, useRef, useState } = wp.element;
const { Button, SelectControl } = wp.components;
const { __, _n, sprintf } = wp.i18n;

type PreviewLink = { id: string; url: string; until: string; opened: number };

/** Possible lifetimes of a link in days. */
const DAYS = [1, 7, 30];

/** @returns Whether it was copied. The clipboard API is available on encrypted pages only. */
const copy = async (text: string) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = Object.assign(document.createElement('textarea'), { value: text });
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    return isCopied;
  }
};

const useLinks = (isSaved: boolean) => {
  const [links, setLinks] = useState([]);
  const [said, setSaid] = useState('');
  const box = useRef(null);
  const excuse = (error: unknown) => setSaid(reasonOf(error));
  const read = () => ask('links').then(setLinks, excuse);
  useEffect(() => {
    if (!isSaved) return undefined;
    read();
    // A user who returns to this tab may have opened a link, so the number of visits is read again.
    window.addEventListener('focus', read);
    return () => window.removeEventListener('focus', read);
  }, [isSaved]);

  async function copyLink({ url }: PreviewLink) {
    setSaid(
      (await copy(url))
        ? __('Link copied.', 'pillion')
        : `${__('The browser blocked copying. Copy the link yourself:', 'pillion')} ${url}`,
    );
  }
  async function make(days: number) {
    try {
      const link = await ask('links', { method: 'POST', data: { days } });
      await copyLink(link);
      await read();
    } catch (error) {
      excuse(error);
    }
  }
  async function withdraw({ id }: PreviewLink) {
    try {
      await ask(`links/${id}`, { method: 'DELETE' });
      setSaid(__('The link is withdrawn and no longer works.', 'pillion'));
      await read();
      // The focused button no longer exists.
      box.current?.focus();
    } catch (error) {
      excuse(error);
    }
  }
  return { links, said, box, make, copyLink, withdraw };
};

/* translators: %s: a date and a time. */
const untilText = ({ until }: PreviewLink) =>
  sprintf(__('Until %s', 'pillion'), wp.date.dateI18n(wp.date.getSettings().formats.datetime, until));

const openedText = ({ opened }: PreviewLink) => {
  if (opened === 0) return __('never opened', 'pillion');
  /* translators: %d: a number. */
  return sprintf(_n('opened %d time', 'opened %d times', opened, 'pillion'), opened);
};

const Link = ({
  link,
  copyLink,
  withdraw,
}: Record<'copyLink' | 'withdraw', (link: PreviewLink) => void> & { link: PreviewLink }) =>
  el(
    'li',
    null,
    el('p', null, untilText(link), ', ', openedText(link)),
    el(
      'div',
      { className: 'pillion-links__acts' },
      el(Button, { variant: 'link', onClick: () => copyLink(link) }, __('Copy', 'pillion')),
      el(Button, { variant: 'link', isDestructive: true, onClick: () => withdraw(link) }, __('Withdraw', 'pillion')),
    ),
  );

const Panel = () => {
  const isSaved = wp.data.useSelect((select) => !select('core/editor').isEditedPostNew(), []);
  const isDraft = wp.data.useSelect(
    (select) => select('core/editor').getCurrentPostAttribute('status') === 'draft',
    [],
  );
  const [days, setDays] = useState(7);
  const { links, said, box, make, copyLink, withdraw } = useLinks(isSaved);
  if (!isSaved) return el('p', null, __('Save the draft first. A link shows the saved page.', 'pillion'));
  return el(
    'div',
    { ref: box, tabIndex: -1 },
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
    el(SelectControl, {
      label: __('Valid for', 'pillion'),
      value: String(days),
      /* translators: %d: a number. */
      options: DAYS.map((value) => ({
        value: String(value),
        label: sprintf(_n('%d day', '%d days', value, 'pillion'), value),
      })),
      onChange: (value) => setDays(Number(value)),
      __nextHasNoMarginBottom: true,
      __next40pxDefaultSize: true,
    }),
    el(
      Button,
      { variant: 'secondary', className: 'pillion-links__make', onClick: () => make(days) },
      __('Copy a link to this preview', 'pillion'),
    ),
    el('p', { role: 'status', className: 'pillion-links__said' }, said),
    links.length > 0 &&
      el(
        'ul',
        { className: 'pillion-links', 'aria-label': __('Valid links', 'pillion') },
        links.map((link: PreviewLink) => el(Link, { key: link.id, link, copyLink, withdraw })),
      ),
  );
};

const NotAllowed = () =>
  el('p', null, __('You are not allowed to create a link. Ask a user who can publish this page.', 'pillion'));

const Links = () =>
  el(
    slot('PluginDocumentSettingPanel'),
    { name: 'pillion-links', title: __('A link to this preview', 'pillion') },
    el(about.share ? Panel : NotAllowed),
  );

// Without a configured site a link would have no target.
if (about && !about.missing) wp.plugins.registerPlugin('pillion-links', { render: Links });
