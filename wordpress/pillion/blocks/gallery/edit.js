{
  const { __ } = window.wp.i18n;
  const { el, Headline, Kicker, Guide, useSection, register, Items } = window.pillionSections;

  /** `MOST_PICTURES` of the site (server/content/sections.ts). */
  const MOST = 12;

  const Gallery = (block) =>
    el(
      'section',
      useSection('gallery'),
      el(Kicker, { block }),
      el(Headline, { block, placeholder: __('Write the headline', 'pillion') }),
      el(Items, {
        block,
        name: 'pillion/gallery-picture',
        className: 'pillion-gallery-row',
        orientation: 'horizontal',
        begin: 3,
        most: MOST,
        label: __('Add a picture to the row', 'pillion'),
      }),
      el(
        Guide,
        null,
        __(
          'Visitors scroll the row sideways; the first picture stands large, every one in its own proportions. One alone is a wide picture. Twelve are the most, and an item without a picture is left out.',
          'pillion',
        ),
      ),
    );

  register('gallery', Gallery, { hasItems: true });
}
