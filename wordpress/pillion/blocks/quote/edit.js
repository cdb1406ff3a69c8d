{
  const { __ } = window.wp.i18n;
  const { el, Field, Line, bind, Kicker, Guide, useSection, register, Framed, bindPicture, PicturePanel } =
    window.pillionSections;

  const Quote = (block) => {
    const picture = bindPicture(block, 'picture', __('picture', 'pillion'));
    const hint = __('Beside the words, 4 to 5; what sticks out is cut.', 'pillion');
    return el(
      'section',
      useSection('quote'),
      el(
        'div',
        { className: 'pillion-quote-words' },
        el(Kicker, { block }),
        el(Field, {
          ...bind(block, 'quote'),
          tagName: 'p',
          className: 'pillion-heading',
          allowedFormats: ['core/italic', 'core/bold', 'pillion/muted'],
          placeholder: __('Write what is said, without marks', 'pillion'),
          'aria-label': __('Quote', 'pillion'),
        }),
        el(Line, {
          ...bind(block, 'source'),
          className: 'pillion-quote-source',
          placeholder: __('Who or what says so', 'pillion'),
          'aria-label': __('Source', 'pillion'),
        }),
      ),
      el(Framed, { className: 'pillion-quote-picture', hint, ...picture }),
      el(
        Guide,
        null,
        __(
          'The site puts the quotation marks of the page’s language around it. Up to about 90 characters stand largest.',
          'pillion',
        ),
      ),
      el(PicturePanel, { pictures: [{ ...picture, hint }] }),
    );
  };

  register('quote', Quote);
}
