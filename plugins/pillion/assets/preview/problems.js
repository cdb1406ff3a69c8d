// What would be wrong on the site, before it is published and beside the page. Warnings: nothing is held back.
{
  const { wp } = window;
  const { about, ask, goToBlock, reasonOf, readDraft, slot, watchDraft } = window.pillionPreviewKit;
  const { createElement: el, useCallback, useEffect, useRef, useState } = wp.element;
  const { Button } = wp.components;
  const { __, sprintf, _n } = wp.i18n;

  /** The site is asked once nothing was changed for so long: each question is a whole page for it. In milliseconds. */
  const IDLE_MS = 1500;

  /**
   * What the site finds, asked as soon as the list is seen and after each change.
   * @returns {{ problems: object[] | null, reason: string, check(): void }} `problems` is null until they are known;
   *   `reason` says why they are not.
   */
  const useProblems = () => {
    const [found, setFound] = useState({ problems: null, reason: '' });
    const asked = useRef(0);
    const check = useCallback(async () => {
      asked.current += 1;
      const mine = asked.current;
      const answer = await ask('check', { method: 'POST', data: readDraft() }).then(
        ({ problems }) => ({ problems, reason: '' }),
        (error) => ({ problems: null, reason: reasonOf(error) }),
      );
      if (mine === asked.current) setFound(answer);
    }, []);
    useEffect(() => {
      let timer;
      const unwatch = watchDraft(() => {
        clearTimeout(timer);
        timer = setTimeout(check, IDLE_MS);
      });
      check();
      return () => {
        asked.current += 1;
        clearTimeout(timer);
        unwatch();
      };
    }, [check]);
    return { ...found, check };
  };

  const Problem = ({ text, block }) =>
    el(
      'li',
      null,
      text,
      Number.isInteger(block) &&
        el(Button, { variant: 'link', onClick: () => goToBlock(block) }, __('Go to the place', 'pillion')),
    );

  const count = (problems) => {
    if (problems.length === 0) return __('Nothing is wrong on the site.', 'pillion');
    /* translators: %d: a number. */
    return sprintf(
      _n(
        '%d thing would not be right on the site. You can publish all the same.',
        '%d things would not be right on the site. You can publish all the same.',
        problems.length,
        'pillion',
      ),
      problems.length,
    );
  };

  const List = () => {
    const { problems, reason, check } = useProblems();
    if (reason) {
      return el(
        wp.element.Fragment,
        null,
        el('p', { role: 'status' }, reason, ' ', __('What would be wrong on the site is not known.', 'pillion')),
        el(Button, { variant: 'link', onClick: check }, __('Try again', 'pillion')),
      );
    }
    if (!problems) return el('p', { role: 'status' }, __('The site is asked…', 'pillion'));
    return el(
      wp.element.Fragment,
      null,
      el('p', { role: 'status' }, count(problems)),
      problems.length > 0 &&
        el(
          'ul',
          { className: 'pillion-problems' },
          problems.map((problem, index) => el(Problem, { key: index, ...problem })),
        ),
    );
  };

  const title = __('On the site', 'pillion');

  const Problems = () =>
    el(
      wp.element.Fragment,
      null,
      el(slot('PluginPrePublishPanel'), { title, initialOpen: true }, el(List)),
      el(slot('PluginDocumentSettingPanel'), { name: 'pillion-problems', title }, el(List)),
    );

  // Without a site there is nothing to ask.
  if (!about.missing) wp.plugins.registerPlugin('pillion-problems', { render: Problems });
}
