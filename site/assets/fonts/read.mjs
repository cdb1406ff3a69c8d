// Reads measures and outlines from a font file with HarfBuzz. Pictures with text use the outlines.
import * as harfbuzz from 'harfbuzzjs';

/**
 * @param bytes A TrueType file.
 * @param axes Position on the axes of a variable font, such as `{ wdth: 125, wght: 420 }`.
 */
export function openFont(bytes, axes = {}) {
  const face = new harfbuzz.Face(
    new harfbuzz.Blob(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)),
  );
  const font = new harfbuzz.Font(face);
  font.setVariations(Object.entries(axes).map(([tag, value]) => new harfbuzz.Variation(tag, value)));
  const shapeText = (text) => {
    const buffer = new harfbuzz.Buffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    harfbuzz.shape(font, buffer);
    return buffer.getGlyphInfosAndPositions();
  };
  const { ascender, descender, lineGap } = font.hExtents();
  return {
    /** In em. */
    ascent: ascender / face.upem,
    descent: -descender / face.upem,
    lineGap: lineGap / face.upem,
    /** Of one character or of a line with its kerning, in em. */
    advance: (text) => shapeText(text).reduce((sum, { xAdvance }) => sum + xAdvance, 0) / face.upem,
    /**
     * A line of text as one SVG path that begins at 0,0 on its baseline.
     * @param size Font size. @param spacing Added after each glyph, in em.
     */
    outline(text, size, spacing = 0) {
      const scale = size / face.upem;
      let pen = 0;
      const parts = [];
      for (const { codepoint, xAdvance, xOffset = 0 } of shapeText(text)) {
        const toPoint = (x, y) => `${((pen + xOffset + x) * scale).toFixed(2)} ${(-y * scale).toFixed(2)}`;
        for (const { type, values } of font.glyphToJson(codepoint)) {
          const points = [];
          for (let at = 0; at + 1 < values.length; at += 2) points.push(toPoint(values[at], values[at + 1]));
          parts.push(`${type}${points.join(' ')}`);
        }
        pen += xAdvance + spacing * face.upem;
      }
      return { path: parts.join(''), width: (pen - spacing * face.upem) * scale };
    },
  };
}
