{
  const wp = window.wp;
  const { __ } = wp.i18n;
  const { el, bind, Line, Headline, Kicker, useSection, register, Framed, bindPicture, PicturePanel, Rows } =
    window.pillionSections;

  const FIGURES = {
    add: __('Add a figure', 'pillion'),
    label: __('What is measured', 'pillion'),
    value: __('Figure and unit', 'pillion'),
    icons: ['up', 'down'],
    before: __('Move figure up', 'pillion'),
    after: __('Move figure down', 'pillion'),
    remove: __('Remove figure', 'pillion'),
  };

  const Feature = (block) => {
    const picture = bindPicture(block, 'picture', __('picture', 'pillion'));
    const detail = bindPicture(block, 'detail', __('detail', 'pillion'));
    return el(
      'section',
      useSection('feature'),
      el(
        'div',
        { className: 'pillion-feature-text' },
        el(Kicker, { block }),
        el(Headline, { block, placeholder: __('Write the headline', 'pillion') }),
        el(Line, {
          ...bind(block, 'text'),
          className: 'pillion-text',
          placeholder: __('A sentence or two', 'pillion'),
          'aria-label': __('Text', 'pillion'),
        }),
        el(Rows, {
          className: 'pillion-figures',
          rows: block.attributes.figures,
          names: FIGURES,
          onChange: (figures) => block.setAttributes({ figures }),
        }),
        el(Framed, { className: 'pillion-feature-detail', hint: __('A small one, closer.', 'pillion'), ...detail }),
      ),
      el(Framed, { className: 'pillion-feature-picture', hint: __('The large one.', 'pillion'), ...picture }),
      el(PicturePanel, {
        pictures: [
          { ...picture, hint: __('The large one.', 'pillion') },
          { ...detail, hint: __('A small one below the figures.', 'pillion') },
        ],
      }),
    );
  };

  register('feature', Feature);
}
