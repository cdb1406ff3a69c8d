// Links to the preview for people without an account: made, copied and withdrawn in the panel of the page.
{
  const { wp } = window;
  const { about, ask, reasonOf, slot } = window.pillionPreviewKit;
  const { createElement: el, useEffect, useRef, useState } = wp.element;
  const { Button, SelectControl } = wp.components;
  const { __, _n, sprintf } = wp.i18n;

  /** For how long a link can be good. */
  const DAYS = [1, 7, 30];

  /** @returns Whether the text lies on the clipboard. Only pages with encryption have the newer way to it. */
  const copy = async (text) => {
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

  const useLinks = (isSaved) => {
    const [links, setLinks] = useState([]);
    const [said, setSaid] = useState('');
    const box = useRef(null);
    const excuse = (error) => setSaid(reasonOf(error));
    const read = () => ask('links').then(setLinks, excuse);
    useEffect(() => {
      if (!isSaved) return undefined;
      read();
      // Whoever comes back to this tab may come from the link: how often it was opened is read anew.
      window.addEventListener('focus', read);
      return () => window.removeEventListener('focus', read);
    }, [isSaved]);

    async function copyLink({ url }) {
      setSaid(
        (await copy(url))
          ? __('The link is copied.', 'pillion')
          : `${__('The browser did not let it be copied. Here it is:', 'pillion')} ${url}`,
      );
    }
    async function make(days) {
      try {
        const link = await ask('links', { method: 'POST', data: { days } });
        await copyLink(link);
        await read();
      } catch (error) {
        excuse(error);
      }
    }
    async function withdraw({ id }) {
      try {
        await ask(`links/${id}`, { method: 'DELETE' });
        setSaid(__('The link is withdrawn: it opens nothing any more.', 'pillion'));
        await read();
        // The button that had the focus is gone.
        box.current?.focus();
      } catch (error) {
        excuse(error);
      }
    }
    return { links, said, box, make, copyLink, withdraw };
  };

  /* translators: %s: a date and a time. */
  const untilText = ({ until }) =>
    sprintf(__('Until %s', 'pillion'), wp.date.dateI18n(wp.date.getSettings().formats.datetime, until));

  const openedText = ({ opened }) => {
    if (opened === 0) return __('never opened', 'pillion');
    /* translators: %d: a number. */
    return sprintf(_n('opened %d time', 'opened %d times', opened, 'pillion'), opened);
  };

  const Link = ({ link, copyLink, withdraw }) =>
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
    if (!isSaved) return el('p', null, __('Save the draft first: a link shows what is saved.', 'pillion'));
    return el(
      'div',
      { ref: box, tabIndex: -1 },
      el(
        'p',
        null,
        __(
          'For somebody without an account. It shows this page as it was saved last, and each later save. Changes that are not saved are not shown.',
          'pillion',
        ),
      ),
      isDraft &&
        el(
          'p',
          null,
          __('While you write, WordPress saves a draft of your own by itself: the link shows that too.', 'pillion'),
        ),
      el(SelectControl, {
        label: __('Good for', 'pillion'),
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
          { className: 'pillion-links', 'aria-label': __('Links that are good', 'pillion') },
          links.map((link) => el(Link, { key: link.id, link, copyLink, withdraw })),
        ),
    );
  };

  const NotAllowed = () =>
    el(
      'p',
      null,
      __('You cannot make a link: that takes the right to publish. Ask somebody who may publish this.', 'pillion'),
    );

  const Links = () =>
    el(
      slot('PluginDocumentSettingPanel'),
      { name: 'pillion-links', title: __('A link to this preview', 'pillion') },
      el(about.share ? Panel : NotAllowed),
    );

  // Without a site there is nothing that a link could lead to.
  if (!about.missing) wp.plugins.registerPlugin('pillion-links', { render: Links });
}
