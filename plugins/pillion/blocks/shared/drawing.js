/** Lines over a picture as SVG markup, stored in one attribute. */
{
  const wp = window.wp;
  const { __ } = wp.i18n;
  const { PanelBody, TextareaControl } = wp.components;
  const { InspectorControls } = wp.blockEditor;
  const { el, declared } = window.pillionSections;

  /** @param {string} svg */
  const isDrawing = (svg) => /<svg\b[^>]*\bviewBox=/.test(svg) && svg.length <= declared.longestDrawing;

  /** The lines in the accent colour. Scripts in an SVG cannot run in a mask. @param {{ svg: string }} props */
  const Drawing = ({ svg }) => {
    if (!isDrawing(svg)) {
      return null;
    }
    // An SVG in a data URL needs its namespace; SVG inside HTML does not.
    const image = svg.includes('xmlns=') ? svg : svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
    const mask = `url("data:image/svg+xml,${encodeURIComponent(image)}")`;
    return el('span', {
      className: 'pillion-backdrop pillion-drawing',
      style: { WebkitMaskImage: mask, maskImage: mask },
    });
  };

  /** @param {{ svg: string, field: SectionField, onChange: (svg: string) => void }} props */
  const DrawingPanel = ({ svg, field, onChange }) =>
    el(
      InspectorControls,
      null,
      el(
        PanelBody,
        { title: __('Drawing', 'pillion'), initialOpen: Boolean(svg) },
        el(TextareaControl, {
          __nextHasNoMarginBottom: true,
          label: field.label,
          help:
            svg && !isDrawing(svg)
              ? __('The site cannot use this drawing. Paste SVG markup with a viewBox, up to 16 KB.', 'pillion')
              : field.help,
          rows: 6,
          value: svg,
          onChange,
        }),
      ),
    );

  Object.assign(window.pillionSections, { Drawing, DrawingPanel });
}
