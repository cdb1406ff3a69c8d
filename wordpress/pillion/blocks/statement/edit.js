{
  const wp = window.wp;
  const { __ } = wp.i18n;
  const { PanelBody, TextareaControl } = wp.components;
  const { InspectorControls } = wp.blockEditor;
  const { el, Headline, Kicker, Guide, useSection, register, PictureTools, Backdrop, bindPicture, PicturePanel, Rows } =
    window.pillionSections;

  const FACTS = {
    add: __('Add a fact', 'pillion'),
    label: __('What', 'pillion'),
    value: __('How much, where, when', 'pillion'),
    icons: ['left', 'right'],
    before: __('Move fact left', 'pillion'),
    after: __('Move fact right', 'pillion'),
    remove: __('Remove fact', 'pillion'),
  };

  /** In characters; the site leaves out what is larger (server/content/svg.ts). */
  const DRAWING_MAX = 16384;

  const isDrawing = (svg) => /<svg\b[^>]*\bviewBox=/.test(svg) && svg.length <= DRAWING_MAX;

  /** The lines over the picture, in the accent colour. As a mask no script inside an SVG can run. */
  const Drawing = ({ svg }) => {
    if (!isDrawing(svg)) {
      return null;
    }
    // An image of its own has to name what language it is in; markup inside a page has not.
    const image = svg.includes('xmlns=') ? svg : svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
    const mask = `url("data:image/svg+xml,${encodeURIComponent(image)}")`;
    return el('span', {
      className: 'pillion-backdrop pillion-drawing',
      style: { WebkitMaskImage: mask, maskImage: mask },
    });
  };

  const DrawingPanel = ({ svg, onChange }) =>
    el(
      InspectorControls,
      null,
      el(
        PanelBody,
        { title: __('Drawing', 'pillion'), initialOpen: Boolean(svg) },
        el(TextareaControl, {
          __nextHasNoMarginBottom: true,
          label: __('Lines over the picture, as SVG', 'pillion'),
          help:
            svg && !isDrawing(svg)
              ? __('The site cannot use this: it takes SVG markup with a viewBox, up to 16 KB.', 'pillion')
              : __(
                  'Paste the SVG’s text. Its lines draw themselves as visitors scroll, in the accent colour, cut as the picture is: draw them on the picture’s own proportions. Only shapes are taken over.',
                  'pillion',
                ),
          rows: 6,
          value: svg,
          onChange,
        }),
      ),
    );

  const Statement = (block) => {
    const behind = bindPicture(block, 'picture', __('picture', 'pillion'));
    return el(
      'section',
      useSection('statement'),
      el(Kicker, { block }),
      el(Headline, { block, placeholder: __('Write a few sentences, set large', 'pillion') }),
      el(Rows, {
        className: 'pillion-facts',
        rows: block.attributes.facts,
        names: FACTS,
        onChange: (facts) => block.setAttributes({ facts }),
      }),
      el(Backdrop, { id: behind.id }, el(PictureTools, behind)),
      el(Drawing, { svg: block.attributes.drawing }),
      el(
        Guide,
        null,
        __(
          'Italic turns a word into the other typeface. The button with the half circle makes words step back in a quieter colour.',
          'pillion',
        ),
      ),
      el(PicturePanel, {
        pictures: [{ ...behind, hint: __('Lies behind the text, on the right.', 'pillion') }],
      }),
      el(DrawingPanel, {
        svg: block.attributes.drawing,
        onChange: (drawing) => block.setAttributes({ drawing }),
      }),
    );
  };

  register('statement', Statement);
}
