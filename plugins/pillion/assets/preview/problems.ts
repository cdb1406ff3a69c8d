// Warnings about a page before it is published, and while it is edited. They do not prevent publishing.
import { readDraft, watchDraft } from './follow.ts';
import { about, ask, goToBlock, reasonOf, slot } from './kit.ts';

const { createElement: el, useCallback, useEffect, useRef, useState } = wp.element;
const { Button } = wp.components;
const { __, sprintf, _n } = wp.i18n;

/** Pause after the last change before the site checks the page; each check renders a page. In milliseconds. */
const IDLE_MS = 1500;

/** `block`: index of a top-level block. */
type PageProblem = { text: string; block: number | null };

/**
 * The site's warnings, requested when the list is opened and after changes.
 * @returns `problems` is null until they are known; `reason` is the error if the check failed.
 */
const useProblems = (): { problems: PageProblem[] | null; reason: string; check(): void } => {
  const [found, setFound] = useState({ problems: null, reason: '' });
  const asked = useRef(0);
  const check = useCallback(async () => {
    asked.current += 1;
    const mine = asked.current;
    const answer = await ask('check', { method: 'POST', data: readDraft() }).then(
      ({ problems }: { problems: PageProblem[] }) => ({ problems, reason: '' }),
      (error: unknown) => ({ problems: null, reason: reasonOf(error) }),
    );
    if (mine === asked.current) setFound(answer);
  }, []);
  useEffect(() => {
    let timer = 0;
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

const Problem = ({ text, block }: PageProblem) =>
  el(
    'li',
    null,
    text,
    block !== null &&
      el(Button, { variant: 'link', onClick: () => goToBlock(block) }, __('Go to the block', 'pillion')),
  );

const count = (problems: PageProblem[]) => {
  if (problems.length === 0) return __('No problems found.', 'pillion');
  /* translators: %d: a number. */
  return sprintf(
    _n(
      'The site found %d problem. You can still publish the page.',
      'The site found %d problems. You can still publish the page.',
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
      el('p', { role: 'status' }, reason, ' ', __('The page could not be checked.', 'pillion')),
      el(Button, { variant: 'link', onClick: check }, __('Try again', 'pillion')),
    );
  }
  if (!problems) return el('p', { role: 'status' }, __('Checking the page…', 'pillion'));
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

// The check needs a configured site.
if (about && !about.missing) wp.plugins.registerPlugin('pillion-problems', { render: Problems });
