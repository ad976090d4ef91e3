import type { ChatMessage, Conversation, ModelRequest } from '../../platform/llm/language-model.ts';
import type { AgentModelConfig } from '../agents/index.ts';
import type { CommandRow } from './rows.ts';

type PromptedCommand = Pick<CommandRow, 'id' | 'request' | 'task' | 'initialTask' | 'parameters' | 'data' | 'language'>;

/** Builds the agent's turn that answers a command: the user's task, if any, and the context that was sent. */
export function turnOf(command: PromptedCommand, modelConfig: AgentModelConfig): ModelRequest {
  const { id, parameters, data, language } = command;
  const { role, title, systemPrompt, temperature, maxTokens } = modelConfig;
  const { executionId: _, stepId: __, nodeId: ___, ...told } = parameters;
  const contexts = [Object.keys(told).length === 0 ? null : told, data].flatMap((value) =>
    value == null || value === '' ? [] : [asText(value)],
  );
  return {
    role,
    agentTitle: title,
    systemPrompt,
    task: taskOf(command),
    earlier: [],
    contexts,
    language,
    temperature,
    maxTokens,
    idempotencyKey: id,
  };
}

/** Returns the task. A request of one word is the name of a command, such as start_workflow, and adds nothing to a task. */
function taskOf({ request, task, initialTask }: PromptedCommand): string {
  const given = [task, initialTask].map((text) => text?.trim() ?? '').find((text) => text !== '');
  if (given === undefined) return request;
  return /\s/.test(request) && request !== given ? `${request}\n\n${given}` : given;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

type Completion = Pick<CommandRow, 'id' | 'messages' | 'parameters' | 'language'>;

/** Returns a conversation as it was sent. Without a system message it gets the agent's own prompt. */
export function conversationOf({ id, messages, parameters, language }: Completion, modelConfig: AgentModelConfig): Conversation {
  const { role, title: agentTitle, systemPrompt } = modelConfig;
  const said = messages ?? [];
  const own: ChatMessage[] =
    systemPrompt === '' || said.some((message) => message.role === 'system') ? [] : [{ role: 'system', content: systemPrompt }];
  return {
    messages: [...own, ...said],
    speaker: { role, agentTitle, language },
    temperature: numberOr(parameters.temperature, modelConfig.temperature),
    maxTokens: numberOr(parameters.max_tokens, modelConfig.maxTokens),
    idempotencyKey: id,
  };
}

/** Returns the agent's settings for a command: a completion may name another model of the same provider, where that is openai. */
export function settingsFor(
  { kind, parameters }: Pick<CommandRow, 'kind' | 'parameters'>,
  modelConfig: AgentModelConfig,
): AgentModelConfig {
  if (kind !== 'openai' || modelConfig.providerType !== 'openai' || typeof parameters.model !== 'string') return modelConfig;
  return { ...modelConfig, model: parameters.model };
}

function numberOr(value: unknown, otherwise: number | null): number | null {
  return typeof value === 'number' ? value : otherwise;
}
