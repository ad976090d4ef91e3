import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { Cost } from '../../../../contract/cost.ts';
import type { StepRun } from '../../../../contract/executions/execution.ts';
import type { LinkSettings } from '../../../../contract/executions/run-graph.ts';
import type { ListProgress } from '../../../../rules/run-graph/followed-run.ts';
import type { CardState } from '../../../model/card-view.ts';
import type { LinkMeaning } from '../../../model/run/link-meaning.ts';

/** The words of the cards in the language of the interface. */
export type CardTexts = {
  language: string;
  state: Record<CardState, string>;
  /** The word in place of a state on a person's card, which is never working or idle. */
  member: string;
  /** Of a card that the next run leaves out. */
  leftOut: string;
  /** Of a disabled card. */
  passedBy: string;
  /** Of a card that is not part of the run. */
  outside: string;
  /** The same for a person whom a run asks. */
  asked: string;
  simulated: string;
  busy: string;
  disabled: string;
  /** The card has no agent. */
  noAgent: string;
  /** The provider serves the agent's model no more. */
  modelEnded: string;
  next: string;
  queue: (position: number) => string;
  duration: (ms: number) => string;
  tokens: (count: number) => string;
  cost: (cost: Cost) => string;
  tries: (count: number) => string;
  /** `of`: the most rounds, where they are known. */
  round: (number: number, of: number | null) => string;
  /** What a step does with tools; empty for nothing. */
  tools: (step: Pick<StepRun, 'toolUse' | 'testRun' | 'wait'>) => string;
  /** What the result of a step lacks; empty for nothing. */
  marks: (step: Pick<StepRun, 'marks'>) => string;
  /** The words of a dialog's form, for pictures of it. */
  dialog: { placeholder: string; to: string; noTarget: string; send: string };
  failure: (failure: NonNullable<StepRun['error']>) => string;
  /** The name on a group's frame: its title, and that it works through a list. In a run it has the number of items that have ended. */
  groupName: (node: CanvasNode, list?: ListProgress) => string;
  /** What a link says to a run, for pictures of it; empty for nothing. */
  link: (settings: LinkSettings, meaning: LinkMeaning | null) => string;
  nodeTitle: (node: CanvasNode) => string;
  nodeDescription: (node: CanvasNode) => string;
};
