{
  const wp = window.wp;
  const { __ } = wp.i18n;
  const { useBlockProps } = wp.blockEditor;
  const { el, Line, bind, register, Framed, bindPicture, PicturePanel } = window.pillionSections;

  const GalleryPicture = (block) => {
    const picture = bindPicture(block, 'picture', __('picture', 'pillion'));
    const hint = __('In any proportions, 1440 pixels wide or more.', 'pillion');
    return el(
      'div',
      useBlockProps({ className: 'pillion-gallery-picture' }),
      el(Line, {
        ...bind(block, 'title'),
        className: 'pillion-gallery-title',
        placeholder: __('Title', 'pillion'),
        'aria-label': __('Title', 'pillion'),
      }),
      el(Line, {
        ...bind(block, 'text'),
        className: 'pillion-text',
        placeholder: __('A line of text', 'pillion'),
        'aria-label': __('Text', 'pillion'),
      }),
      el(Framed, { className: 'pillion-gallery-frame', hint, ...picture }),
      el(PicturePanel, { pictures: [{ ...picture, hint }] }),
    );
  };

  register('gallery-picture', GalleryPicture);
}
