import type { Agent } from '../../../../../contract/agent.ts';
import type { Cost } from '../../../../../contract/cost.ts';
import type { StepRun } from '../../../../../contract/executions/execution.ts';
import type { ConsoleMessage } from '../../../../model/workspace-state.ts';
import { demoFinished } from '../../demo/demo-finished.ts';
import { matchesQuery } from '../../sidebar/matches-query.ts';
import { linesOfSpans, type Span } from './lines-of-spans.ts';

/** A sender or recipient. */
export type Party = { kind: 'person' } | { kind: 'agent'; title: string; role: string };

export type CommunicationRow = {
  message: ConsoleMessage;
  /** Null for a system event. */
  from: Party | null;
  to: Party | null;
  /** Of the step that wrote the message; null for users, events and answers to commands. */
  step: StepRun | null;
  /** The line of the step among those that work at the same time, from 0; null in a run whose steps follow one another. */
  lane: number | null;
  totalTokens: number | null;
  /** Of the agent's step; null where nothing is known. */
  cost: Cost | null;
};

export type CommunicationFilter = 'all' | 'handoffs' | 'system';

/** Converts a message into a row with sender, recipient and cost. The recipient of the last agent is the user. */
export function rowReader(
  steps: readonly StepRun[],
  agents: Readonly<Record<string, Agent>>,
): (message: ConsoleMessage) => CommunicationRow {
  // Made for the first message: most changes of a long run are read by no row.
  let known: { roleByTitle: Map<string, string>; stepById: Map<string, StepRun>; laneOf: ReadonlyMap<StepRun, number> } | null = null;
  const read = () => {
    const roleByTitle = new Map<string, string>();
    for (const agent of Object.values(agents)) roleByTitle.set(agent.title, agent.role);
    for (const step of steps) roleByTitle.set(step.name, step.role);
    const { lines, lineOf } = linesOfSpans(steps, spanOf);
    const laneOf = lines > 1 ? lineOf : new Map<StepRun, number>();
    return { roleByTitle, stepById: new Map(steps.map((step) => [step.stepId, step])), laneOf };
  };
  return (message) => {
    known ??= read();
    const { roleByTitle, stepById, laneOf } = known;
    const step = message.isUser || !message.stepId ? null : (stepById.get(message.stepId) ?? null);
    return {
      message,
      from: sender(message, roleByTitle),
      to: recipient(message, roleByTitle),
      step,
      lane: (step && laneOf.get(step)) ?? null,
      cost: (message.isAI && step?.cost) || null,
      totalTokens: step && message.isAI ? (step.usage?.totalTokens ?? null) : (message.cost?.totalTokens ?? null),
    };
  };
}

/** The time in which a step works; one that has not ended works without end. */
function spanOf({ startedAt, completedAt, durationMs }: StepRun): Span {
  if (startedAt === null) return null;
  const startMs = Date.parse(startedAt);
  if (completedAt !== null) return { startMs, endMs: Date.parse(completedAt) };
  return { startMs, endMs: durationMs === null ? Number.POSITIVE_INFINITY : startMs + durationMs };
}

/** Whether two rows look the same. */
export function looksEqual(a: CommunicationRow, b: CommunicationRow): boolean {
  return (
    a.message === b.message &&
    a.totalTokens === b.totalTokens &&
    a.cost === b.cost &&
    a.lane === b.lane &&
    isSameParty(a.from, b.from) &&
    isSameParty(a.to, b.to)
  );
}

/** Whether the message has a sender; system events have none. */
export function hasSender({ type, isUser, agentTitle }: ConsoleMessage): boolean {
  return type === 'message' && (isUser || Boolean(agentTitle));
}

/** Whether the message belongs to the conversation: texts of agents and users, a visitor's requests, and the end of the demonstration. */
function isOfConversation(message: ConsoleMessage): boolean {
  const code = message.event?.code ?? '';
  return hasSender(message) || code.startsWith('console.announce.') || code === demoFinished;
}

/** Whether the message only says that the console was opened or closed. */
export function isPanelMessage({ event }: ConsoleMessage): boolean {
  return event?.code === 'console.opened' || event?.code === 'console.closed';
}

/** Filters messages by a query, ignoring case. `textOf` returns the shown text of a message. */
export function filterMessages(
  messages: readonly ConsoleMessage[],
  filter: CommunicationFilter,
  query: string,
  textOf: (message: ConsoleMessage) => string,
): readonly ConsoleMessage[] {
  if (filter === 'all' && query.trim() === '') return messages;
  return messages.filter((message) => {
    if (filter !== 'all' && isOfConversation(message) !== (filter === 'handoffs')) return false;
    return matchesQuery(textOf(message), query);
  });
}

function sender(message: ConsoleMessage, roleByTitle: ReadonlyMap<string, string>): Party | null {
  if (!hasSender(message)) return null;
  if (message.isUser) return { kind: 'person' };
  const title = message.agentTitle ?? '';
  return { kind: 'agent', title, role: message.role ?? roleByTitle.get(title) ?? '' };
}

function recipient(message: ConsoleMessage, roleByTitle: ReadonlyMap<string, string>): Party | null {
  if (message.type === 'system-event') return null;
  if (message.toAgentTitle) return { kind: 'agent', title: message.toAgentTitle, role: roleByTitle.get(message.toAgentTitle) ?? '' };
  return message.isUser ? null : { kind: 'person' };
}

function isSameParty(a: Party | null, b: Party | null): boolean {
  if (a?.kind !== 'agent' || b?.kind !== 'agent') return a?.kind === b?.kind;
  return a.title === b.title && a.role === b.role;
}
