// Warnings about a page before it is published, and while it is edited. They do not prevent publishing.
import { readDraft, watchDraft } from './follow.ts';
import { config, editorSlot, errorMessage, goToBlock, requestPreview } from './kit.ts';

const { createElement: el, useCallback, useEffect, useRef, useState } = wp.element;
const { Button } = wp.components;
const { __, sprintf, _n } = wp.i18n;

/** Pause after the last change before the site checks the page; each check renders a page. In milliseconds. */
const CHECK_DELAY_MS = 1500;

/** `block`: index of a top-level block. */
type PageProblem = { text: string; block: number | null };

/**
 * The site's warnings, requested when the list is opened and after changes.
 * @returns `problems` is null until they are known; `error` is a message if the check failed.
 */
const useProblems = (): { problems: PageProblem[] | null; error: string; checkPage(): void } => {
  const [result, setResult] = useState({ problems: null, error: '' });
  const newestCheck = useRef(0);
  const checkPage = useCallback(async () => {
    newestCheck.current += 1;
    const check = newestCheck.current;
    const checked = await requestPreview('check', { method: 'POST', data: readDraft() }).then(
      ({ problems }: { problems: PageProblem[] }) => ({ problems, error: '' }),
      (error: unknown) => ({ problems: null, error: errorMessage(error) }),
    );
    if (check === newestCheck.current) setResult(checked);
  }, []);
  useEffect(() => {
    let timer = 0;
    const unwatch = watchDraft(() => {
      clearTimeout(timer);
      timer = setTimeout(checkPage, CHECK_DELAY_MS);
    });
    checkPage();
    return () => {
      newestCheck.current += 1;
      clearTimeout(timer);
      unwatch();
    };
  }, [checkPage]);
  return { ...result, checkPage };
};

const ProblemItem = ({ text, block }: PageProblem) =>
  el(
    'li',
    null,
    text,
    block !== null &&
      el(Button, { variant: 'link', onClick: () => goToBlock(block) }, __('Go to the block', 'pillion')),
  );

const summaryText = (problems: PageProblem[]) => {
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

const ProblemList = () => {
  const { problems, error, checkPage } = useProblems();
  if (error) {
    return el(
      wp.element.Fragment,
      null,
      el('p', { role: 'status' }, error, ' ', __('The page could not be checked.', 'pillion')),
      el(Button, { variant: 'link', onClick: checkPage }, __('Try again', 'pillion')),
    );
  }
  if (!problems) return el('p', { role: 'status' }, __('Checking the page…', 'pillion'));
  return el(
    wp.element.Fragment,
    null,
    el('p', { role: 'status' }, summaryText(problems)),
    problems.length > 0 &&
      el(
        'ul',
        { className: 'pillion-problems' },
        problems.map((problem, index) => el(ProblemItem, { key: index, ...problem })),
      ),
  );
};

const title = __('On the site', 'pillion');

const ProblemsPlugin = () =>
  el(
    wp.element.Fragment,
    null,
    el(editorSlot('PluginPrePublishPanel'), { title, initialOpen: true }, el(ProblemList)),
    el(editorSlot('PluginDocumentSettingPanel'), { name: 'pillion-problems', title }, el(ProblemList)),
  );

// The check needs a configured site.
if (config && !config.missing) wp.plugins.registerPlugin('pillion-problems', { render: ProblemsPlugin });
