{
  const { __ } = window.wp.i18n;
  const { el, Headline, Kicker, Guide, useSection, register, Items } = window.pillionSections;

  /** `MOST_QUESTIONS` of the site (server/content/sections.ts). */
  const MOST = 20;

  const Questions = (block) =>
    el(
      'section',
      useSection('questions'),
      el('div', null, el(Kicker, { block }), el(Headline, { block, placeholder: __('Write the headline', 'pillion') })),
      el(
        'div',
        null,
        el(Items, {
          block,
          name: 'pillion/question',
          className: 'pillion-questions-list',
          begin: 3,
          most: MOST,
          label: __('Add a question', 'pillion'),
        }),
      ),
      el(
        Guide,
        null,
        __(
          'On the site each question opens with a click. One without an answer is left out. The address of a question is the page’s with #q- and its words: /#q-what-does-it-cost.',
          'pillion',
        ),
      ),
    );

  register('questions', Questions, { hasItems: true });
}
