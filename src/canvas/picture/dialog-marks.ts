import type { CanvasNode } from '../../../contract/canvas.ts';
import { nodeHue } from '../../model/agents/roles.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import { mix } from '../scene/gpu/colour.ts';
import type { CardTexts } from '../scene/text/card-texts.ts';
import type { Mark } from './mark.ts';
import type { MarkStyle } from './node-marks.ts';
import { textMarks } from './text-marks.ts';

/** World px from the card's edges to its form. */
const side = 14;

/** A dialog's form as marks: the goal, the text box, the agent that gets the message, and the send button. */
export function dialogMarks(dialog: CanvasNode, target: CanvasNode | null, words: CardTexts['dialog'], style: MarkStyle): Mark[] {
  const { palette, layout } = style;
  const { x, y } = dialog;
  const { width, height } = nodeSize(dialog);
  const left = x + side;
  const inner = width - 2 * side;
  const edge = mix(palette.line, palette.controlBorder, 0.7);
  const to = layout.line('model', words.to);
  const hue = target ? palette.hue[nodeHue(target)] : palette.hue.grey;
  const name = layout.line('state', target ? target.title : words.noTarget, inner - to.width - 24);
  const send = layout.line('line', words.send, inner - 16);
  const button = y + height - 40;
  return [
    ...textMarks('model', layout.line('model', dialog.goal ?? '', width - 64 - 44), x + 64, y + 49, palette.muted),
    { kind: 'box', x: left, y: y + 66, width: inner, height: 88, radius: 6, fill: palette.page, stroke: edge, line: 1 },
    ...layout
      .lines('line', words.placeholder, inner - 20, 4)
      .flatMap((line, row) => textMarks('line', line, left + 10, y + 87 + row * 18, palette.muted)),
    ...textMarks('model', to, left, y + 179, palette.muted),
    {
      kind: 'box',
      x: left + to.width + 6,
      y: y + 164,
      width: name.width + 14,
      height: 22,
      radius: 5,
      fill: mix(palette.raised, hue, palette.tileShare),
    },
    ...textMarks('state', name, left + to.width + 13, y + 179, palette.text),
    { kind: 'box', x: left, y: button, width: inner, height: 30, radius: 6, fill: palette.accent },
    ...textMarks('line', send, left + (inner - send.width) / 2, button + 19.5, palette.onAccent),
  ];
}
