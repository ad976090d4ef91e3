import type { Agent } from '../../../../contract/agent.ts';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { isPersonCard } from '../../../../rules/card.ts';
import { answeringModel, hasEnded } from '../../../model/agents/answering-model.ts';
import { type Hue, nodeHue } from '../../../model/agents/roles.ts';
import { type CardState, type CardView, idleCard } from '../../../model/card-view.ts';
import { clock } from '../../../ui/i18n/duration.ts';
import { nodeIconName, type RoleIconName } from '../../../ui/icons/role-icon-name.ts';
import type { CardTexts } from '../text/card-texts.ts';
import { firstLine } from '../text/first-line.ts';

/** A card's agent on the server. Null: the agent is missing. Undefined: not known yet, or the card needs none. */
export type CardAgent = Agent | null | undefined;

/** The texts and state that a card shows, without a layout. */
export type CardContent = {
  icon: RoleIconName;
  hue: Hue;
  title: string;
  model: string;
  line: string;
  state: CardState;
  word: string;
  /**
   * What an agent does with tools while it works; else what its result lacks, and the label "simulated" if the simulated provider wrote the shown text.
   */
  mark: string;
  /** The result lacks something, or will have no model: the mark is drawn as a warning. */
  isLacking: boolean;
  figures: string;
  /** The agent is disabled on the server, or the next run leaves the card out: it is drawn paler. */
  isDisabled: boolean;
  /** Whether the card shows a state. A person's card shows one only in a run. */
  hasState: boolean;
};

/** Returns the content of a card that is too small for more than its title and state. */
export function briefContent(node: CanvasNode, view: CardView = idleCard, agent: CardAgent, texts: CardTexts): CardContent {
  const isGrey = view.isLeftOut === true || isPassedBy(node, view);
  return {
    icon: nodeIconName(node),
    hue: isGrey ? 'slate' : nodeHue(node),
    title: texts.nodeTitle(node),
    model: '',
    line: '',
    state: view.state,
    word: '',
    mark: '',
    isLacking: false,
    figures: '',
    isDisabled: agent?.status === 0 || isGrey,
    hasState: node.isUser !== true || view.state !== 'idle',
  };
}

/** `now`: ms since the epoch, for the time that an active card has taken so far. */
export function cardContent(node: CanvasNode, view: CardView = idleCard, agent: CardAgent, texts: CardTexts, now: number): CardContent {
  const hasWritten = view.state === 'done' || view.state === 'active' || view.state === 'failed';
  const brief = briefContent(node, view, agent, texts);
  const lacks = lackOf(view, agent, texts, now);
  return {
    ...brief,
    model: modelName(view, agent, texts),
    line: cardLine(node, view, agent, texts),
    word: wordOf(node, view, brief, texts),
    mark: toolMark(view, texts) || joined(lacks, view.simulated && hasWritten ? texts.simulated : ''),
    isLacking: lacks !== '',
    figures: cardFigures(view, agent, texts, now),
  };
}

/** What the result of a card lacks; before a run, that the provider serves the model of its agent no more. */
function lackOf(view: CardView, agent: CardAgent, texts: CardTexts, now: number): string {
  if (view.state === 'done') return view.step ? texts.marks(view.step) : '';
  return view.state === 'idle' && agent && hasEnded(agent, now) ? texts.modelEnded : '';
}

/** A disabled card, which runs pass by. One that took part in the shown run shows how. */
function isPassedBy({ disabled }: CanvasNode, { state }: CardView): boolean {
  return disabled === true && state === 'idle';
}

function wordOf(node: CanvasNode, view: CardView, { hasState, state }: CardContent, texts: CardTexts): string {
  if (isPassedBy(node, view)) return texts.passedBy;
  if (view.isOutside) return texts.outside;
  if (view.isLeftOut) return texts.leftOut;
  if (hasState) return texts.state[state];
  return isPersonCard(node) ? texts.asked : texts.member;
}

/** Of a step that works, or waits for a person's decision about a call. */
function toolMark({ state, step }: CardView, texts: CardTexts): string {
  return step && (state === 'active' || state === 'waiting') ? texts.tools(step) : '';
}

function modelName(view: CardView, agent: CardAgent, texts: CardTexts): string {
  if (view.simulated) return texts.simulated;
  if (view.step?.model) return view.step.model;
  if (!agent) return '';
  return answeringModel(agent) ?? texts.simulated;
}

/** The description or the question of a card, its result once it is done, or its error if it failed. */
function cardLine(node: CanvasNode, view: CardView, agent: CardAgent, texts: CardTexts): string {
  if (view.state === 'done' && view.step?.result) return firstLine(view.step.result);
  if (view.state === 'failed' && view.step?.error) return texts.failure(view.step.error);
  return texts.nodeDescription(node) || firstLine(node.step?.person?.question ?? '') || agent?.description || '';
}

function cardFigures(view: CardView, agent: CardAgent, texts: CardTexts, now: number): string {
  switch (view.state) {
    case 'idle':
      if (agent === null) return texts.noAgent;
      if (agent?.status === 0) return texts.disabled;
      return agent?.status === 2 ? texts.busy : '';
    case 'waiting':
      if (view.items || view.round) return repetition(view, texts);
      return view.position === null ? '' : texts.queue(view.position);
    case 'active': {
      const taken = view.startedAt === null ? '' : clock(Math.max(0, now - Date.parse(view.startedAt)));
      return joined(repetition(view, texts), taken);
    }
    case 'paused':
      return texts.next;
    case 'done':
      // The time and tokens of the last run say little of several.
      if (view.items || view.round) return repetition(view, texts);
      return joined(
        view.durationMs === null ? '' : texts.duration(view.durationMs),
        view.totalTokens ? texts.tokens(view.totalTokens) : '',
        costOf(view, texts),
      );
    case 'failed':
      return joined(view.step && view.step.attempts > 1 ? texts.tries(view.step.attempts) : '', costOf(view, texts));
    case 'stopped':
      return costOf(view, texts);
    case 'skipped':
      return '';
  }
}

/** What the step has cost; nothing for a simulated one, which is marked. */
function costOf({ step }: CardView, texts: CardTexts): string {
  return step?.cost && (step.cost.amounts.length > 0 || step.cost.isUnknown) ? texts.cost(step.cost) : '';
}

/** Which round of its review loop a step is in, and how many items of its list have ended. */
function repetition({ round, rounds, items }: CardView, texts: CardTexts): string {
  return joined(round === null ? '' : texts.round(round, rounds), items ? `${items.done}/${items.total}` : '');
}

function joined(...parts: readonly string[]): string {
  return parts.filter(Boolean).join(' · ');
}
