{
  const wp = window.wp;
  const { __ } = wp.i18n;
  const { useBlockProps } = wp.blockEditor;
  const { el, Line, bind, register, UPRIGHT_HINT, Framed, bindPicture, PicturePanel } = window.pillionSections;

  const Act = (block) => {
    const picture = bindPicture(block, 'picture', __('picture', 'pillion'));
    const upright = bindPicture(block, 'portrait', __('upright picture', 'pillion'));
    return el(
      'div',
      useBlockProps({ className: 'pillion-act' }),
      el(
        'div',
        { className: 'pillion-act-head' },
        el(Line, {
          ...bind(block, 'title'),
          tagName: 'h3',
          className: 'pillion-act-title',
          placeholder: __('Title', 'pillion'),
          'aria-label': __('Title', 'pillion'),
        }),
        el(Line, {
          ...bind(block, 'label'),
          className: 'pillion-act-label',
          placeholder: __('Label', 'pillion'),
          'aria-label': __('Label', 'pillion'),
        }),
      ),
      el(Line, {
        ...bind(block, 'text'),
        className: 'pillion-text',
        placeholder: __('A line of text', 'pillion'),
        'aria-label': __('Text', 'pillion'),
      }),
      el(Framed, {
        className: 'pillion-act-picture',
        hint: __('Wide, 1920 × 1200 pixels or more.', 'pillion'),
        crop: upright,
        ...picture,
      }),
      el(PicturePanel, {
        pictures: [
          { ...picture, hint: __('Wide, 1920 × 1200 pixels or more; what sticks out is cut.', 'pillion') },
          { ...upright, hint: UPRIGHT_HINT },
        ],
      }),
    );
  };

  register('act', Act);
}
