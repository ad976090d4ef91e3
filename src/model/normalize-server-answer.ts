import { agentStatuses } from '../../contract/agent-statuses.ts';
import { resultStatus } from '../../contract/executions/result-kinds.ts';
import type { RouteName } from '../../contract/routes.ts';
import { commandIdOf } from './console/command-id.ts';
import { parseAgentStatus, parseCommandStatus, parseExecutionStatus, parseHistoryStatus, type WorkStatus } from './run/parse-status.ts';

/**
 * Returns a server's answer with every status in the contract's words, for any known spelling or number.
 * Unknown values stay unchanged, and the contract's check refuses them.
 */
export function normalizeServerAnswer(name: RouteName, answer: unknown): unknown {
  const read = readers[name] ?? readers[name.split('.')[0] as string];
  if (!read) return answer;
  return Array.isArray(answer) ? answer.map(read) : read(answer);
}

/** The same for a message of the real-time channel. */
export function normalizeServerMessage(message: unknown): unknown {
  if (!isRecord(message) || message.type !== 'pipeline_update') return message;
  return readExecution({ ...message, event: readExecution(message.event) });
}

const readers: Record<string, (value: unknown) => unknown> = {
  agent: (agent) => withStatus(agent, (status) => agentNumbers[parseAgentStatus(status)]),
  execution: readExecution,
  'command.execute': readCommand,
  'command.executeAsync': readCommand,
  'command.status': readCommand,
  'command.cancel': readCommand,
  'command.history': readCommand,
  'command.openai': readCommand,
  result: (item) => withStatus(item, (status) => resultNumbers[parseHistoryStatus(status)]),
};

/** A command, whose id and result may be at several places. */
function readCommand(value: unknown): unknown {
  const id = commandIdOf(value);
  const read = withStatus(value, (status) => executionWords[parseCommandStatus(status)]);
  if (!isRecord(read)) return read;
  const { result = { response: read.response, choices: read.choices } } = read;
  const text = isRecord(result) ? commandResultOf(result) : null;
  return { ...read, ...(id !== null && { id, commandId: id }), ...(text !== null && { result: text, response: text }) };
}

/** An execution or one of its events: its own status, and those of its steps. */
function readExecution(value: unknown): unknown {
  const read = withStatus(value, (status) => executionWords[parseExecutionStatus(status)]);
  if (!isRecord(read)) return read;
  return {
    ...read,
    ...(Array.isArray(read.steps) && { steps: read.steps.map(readStep) }),
    ...(isRecord(read.step) && { step: readStep(read.step) }),
  };
}

/** A step in the form of a command to an agent. */
function readStep(step: unknown): unknown {
  return isRecord(step) && step.status === 'skipped' ? step : withStatus(step, (status) => executionWords[parseCommandStatus(status)]);
}

function withStatus(value: unknown, meaning: (status: unknown) => unknown): unknown {
  if (!isRecord(value) || !('status' in value)) return value;
  return { ...value, status: meaning(value.status) ?? value.status };
}

const executionWords: Partial<Record<WorkStatus, string>> = {
  waiting: 'pending',
  running: 'running',
  paused: 'paused',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};
const agentNumbers: Partial<Record<string, number>> = agentStatuses;
const resultNumbers: Partial<Record<WorkStatus, number>> = { ...resultStatus, running: resultStatus.processing };

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/**
 * Finds the text of an answer about a command: `result`, `response`, `data`, or the first choice of a conversation. It is at the top level
 * or inside one of these. Null without one. W7.03
 */
function commandResultOf(answer: unknown): string | null {
  if (typeof answer === 'string') return answer;
  if (typeof answer !== 'object' || answer === null) return null;
  const { result, response, data, choices } = answer as Record<string, unknown>;
  for (const inner of [result, response, data]) {
    const found = commandResultOf(inner);
    if (found !== null) return found;
  }
  const [first] = Array.isArray(choices) ? (choices as { message?: { content?: unknown } }[]) : [];
  const content = first?.message?.content;
  return typeof content === 'string' ? content : null;
}
