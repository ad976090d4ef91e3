import type { Agent } from '../../../contract/agent.ts';
import { agentStatuses } from '../../../contract/agent-statuses.ts';

/** The console's commands, in menu order. W2.16 */
export const slashCommands = ['command', 'thought', 'ai', 'help', 'analyze', 'agent-stats', 'pipeline-info', 'project-stats'] as const;
export type SlashCommand = (typeof slashCommands)[number];

/** The menu keys of the agents that the console can address. W2.17 */
const consoleAgentNames: readonly string[] = ['proj-mgr', 'prod-mgr', 'team-lead', 'assistant'];

/** The model settings of the console's calls. W9.02 */
export const promptSettings = { model: 'gpt-3.5-turbo', max_tokens: 1_000, temperature: 0.7 } as const;
export const analysisSettings = { model: 'gpt-4', max_tokens: 2_000, temperature: 0.3 } as const;

/** Characters of an unknown command that the answer repeats. */
const maxRepeatedLength = 60;

type ConsoleInput =
  | { kind: 'empty' }
  /** `shown` is the input, cut to one line. */
  | { kind: 'unknown'; shown: string }
  | { kind: 'command'; name: SlashCommand; text: string };

/** Parses an input of the console: a slash command in any case with its text, or an unknown one. W2.15 W2.16 */
export function parseConsoleInput(written: string): ConsoleInput {
  const line = written.trim();
  if (line === '') return { kind: 'empty' };
  const [, word = '', text = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
  const name = slashCommands.find((known) => known === word.toLowerCase());
  if (name) return { kind: 'command', name, text };
  const shown = (word ? `/${word}` : line).replaceAll(/\s+/g, ' ');
  return { kind: 'unknown', shown: shown.length > maxRepeatedLength ? `${shown.slice(0, maxRepeatedLength - 1)}…` : shown };
}

/** Whether a command needs a text. */
export function takesText(name: SlashCommand): boolean {
  return name === 'command' || name === 'thought' || name === 'ai';
}

/** Returns the commands that begin with the input; none once the name is complete and a space follows. */
export function suggestCommands(written: string): SlashCommand[] {
  const [, begun] = /^\s*\/([\w-]*)$/.exec(written) ?? [];
  return begun === undefined ? [] : slashCommands.filter((name) => name.startsWith(begun.toLowerCase()));
}

/** Returns the active agents that the console can address, in menu order. W2.17 */
export function consoleAgents({ byId, order }: { byId: Readonly<Record<string, Agent>>; order: readonly string[] }): Agent[] {
  return order.flatMap((id) => {
    const agent = byId[id];
    return agent && agent.status !== agentStatuses.inactive && consoleAgentNames.includes(agent.name) ? [agent] : [];
  });
}
