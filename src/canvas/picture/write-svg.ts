import { cssColour, fontFamily, type Mark, type Sketch } from './mark.ts';

/** The picture as an SVG document: shapes stay shapes, and words stay words. */
export function writeSvg({ bounds, background, groups }: Sketch): string {
  const width = bounds.right - bounds.left;
  const height = bounds.bottom - bounds.top;
  const body = groups.map(({ marks }) => `<g>${marks.map(markup).join('')}</g>`).join('\n');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${bounds.left} ${bounds.top} ${width} ${height}" font-family="${escaped(fontFamily)}" stroke-linecap="round" stroke-linejoin="round">`,
    `<rect x="${bounds.left}" y="${bounds.top}" width="${width}" height="${height}" fill="${cssColour(background)}"/>`,
    body,
    '</svg>',
    '',
  ].join('\n');
}

function markup(mark: Mark): string {
  switch (mark.kind) {
    case 'box': {
      const { x, y, width, height, radius } = mark;
      return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"${paint(mark)}/>`;
    }
    case 'path': {
      const { d, x, y, scale } = mark;
      const move = x === 0 && y === 0 && scale === 1 ? '' : ` transform="translate(${x} ${y})${scale === 1 ? '' : ` scale(${scale})`}"`;
      return `<path d="${d}"${move}${paint({ ...mark, fillAlpha: mark.alpha, strokeAlpha: mark.alpha })}/>`;
    }
    case 'text': {
      const { x, y, width, text, size, weight, tracking, colour } = mark;
      // A fallback font is fitted to the width of the page's typeface.
      return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" letter-spacing="${tracking}" textLength="${Math.round(width * 10) / 10}" lengthAdjust="spacingAndGlyphs" fill="${cssColour(colour)}" xml:space="preserve">${escaped(text)}</text>`;
    }
  }
}

type Paint = {
  fill?: number;
  fillAlpha?: number | undefined;
  stroke?: number;
  strokeAlpha?: number | undefined;
  line?: number;
  dash?: readonly number[];
  cap?: 'butt';
};

function paint({ fill, fillAlpha = 1, stroke, strokeAlpha = 1, line = 1, dash, cap }: Paint): string {
  const parts = [fill === undefined ? ' fill="none"' : ` fill="${cssColour(fill)}"`];
  if (fill !== undefined && fillAlpha < 1) parts.push(` fill-opacity="${fillAlpha}"`);
  if (stroke !== undefined) parts.push(` stroke="${cssColour(stroke)}" stroke-width="${line}"`);
  if (stroke !== undefined && strokeAlpha < 1) parts.push(` stroke-opacity="${strokeAlpha}"`);
  if (dash) parts.push(` stroke-dasharray="${dash.join(' ')}"`);
  if (cap) parts.push(` stroke-linecap="${cap}"`);
  return parts.join('');
}

/** The control characters that XML documents may not contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function escaped(text: string): string {
  return text.replace(forbidden, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
