{
  const { __ } = window.wp.i18n;
  const { el, Headline, Guide, useSection, register, Items } = window.pillionSections;

  const Acts = (block) =>
    el(
      'section',
      useSection('acts'),
      el(Headline, { block, placeholder: __('Heading of the row (read aloud, not shown)', 'pillion') }),
      el(Items, {
        block,
        name: 'pillion/act',
        className: 'pillion-acts-row',
        orientation: 'horizontal',
        begin: 3,
        label: __('Add an act', 'pillion'),
      }),
      el(
        Guide,
        null,
        __(
          'A row of pictures, as many as you like; three stand best. Select one and use the arrows of its toolbar to move it.',
          'pillion',
        ),
      ),
    );

  register('acts', Acts, { hasItems: true });
}
