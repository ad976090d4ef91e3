import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { StepRun } from '../../../../contract/execution.ts';
import type { CardState } from '../../../model/card-view.ts';

/** The words of the cards in the language of the interface. */
export type CardTexts = {
  language: string;
  state: Record<CardState, string>;
  /** The word in place of a state on a person's card, which is never working or idle. */
  member: string;
  simulated: string;
  busy: string;
  disabled: string;
  /** The card has no agent. */
  noAgent: string;
  next: string;
  queue: (position: number) => string;
  tokens: (count: number) => string;
  tries: (count: number) => string;
  round: (number: number) => string;
  /** The words of a dialog's form, for pictures of it. */
  dialog: { placeholder: string; to: string; noTarget: string; send: string };
  failure: (failure: NonNullable<StepRun['error']>) => string;
  /** The name on a group's frame: its title, and that it works through a list. */
  groupName: (node: CanvasNode) => string;
  nodeTitle: (node: CanvasNode) => string;
  nodeDescription: (node: CanvasNode) => string;
};
