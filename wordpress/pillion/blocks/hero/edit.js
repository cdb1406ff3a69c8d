{
  const wp = window.wp;
  const { __ } = wp.i18n;
  const {
    el,
    Headline,
    Guide,
    useStrings,
    useSection,
    register,
    UPRIGHT_HINT,
    PictureTools,
    Backdrop,
    bindPicture,
    PicturePanel,
  } = window.pillionSections;

  const Hero = (block) => {
    const wide = bindPicture(block, 'picture', __('picture', 'pillion'));
    const upright = bindPicture(block, 'portrait', __('upright picture', 'pillion'));
    const labels = useStrings().labels || {};
    return el(
      'section',
      useSection('hero'),
      el(Headline, { block, placeholder: __('Write the headline', 'pillion') }),
      el(Backdrop, { id: wide.id }, el(PictureTools, wide), el(PictureTools, upright)),
      Boolean(labels.scroll) && el('p', { className: 'pillion-scroll', 'aria-hidden': true }, labels.scroll),
      el(
        Guide,
        null,
        __(
          'The headline of the page. Make a word italic to turn it into the other typeface; press Enter for a new line. The line at the bottom is one of the site’s texts: Pillion → Texts.',
          'pillion',
        ),
      ),
      el(PicturePanel, {
        pictures: [
          { ...wide, hint: __('Fills the screen. 1920 × 1200 pixels or more.', 'pillion') },
          {
            ...upright,
            hint: UPRIGHT_HINT,
          },
        ],
      }),
    );
  };

  register('hero', Hero);
}
