/** A drawing over a picture: SVG markup, stored in one attribute. */
import { declared, el } from './kit.ts';

const { __ } = wp.i18n;
const { PanelBody, TextareaControl } = wp.components;
const { InspectorControls } = wp.blockEditor;

/** Whether the site can use a drawing. WordPress counts its bytes, without the space around it. */
const isValidDrawing = (svg: string) =>
  /<svg\b[^>]*\bviewBox=/.test(svg) && new Blob([svg.trim()]).size <= declared.longestDrawing;

/** Shows a drawing in the block editor, as a mask, so that its scripts cannot run. `editor.css` gives the colour. */
export const Drawing = ({ svg }: { svg: string }) => {
  if (!isValidDrawing(svg)) {
    return null;
  }
  // An SVG in a data URL needs its namespace; SVG inside HTML does not.
  const source = svg.includes('xmlns=') ? svg : svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
  const mask = `url("data:image/svg+xml,${encodeURIComponent(source)}")`;
  return el('span', {
    className: 'pillion-backdrop pillion-drawing',
    style: { WebkitMaskImage: mask, maskImage: mask },
  });
};

export const DrawingPanel = ({
  svg,
  field,
  onChange,
}: {
  svg: string;
  field: SectionField;
  onChange: (svg: string) => void;
}) =>
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
          svg && !isValidDrawing(svg)
            ? __('The site cannot use this drawing. Paste SVG markup with a viewBox, up to 16 KB.', 'pillion')
            : field.help,
        rows: 6,
        value: svg,
        onChange,
      }),
    ),
  );
