import type { ChatMessage, ModelImage, ModelTurn, ToolDefinition } from './language-model.ts';

/** The two shapes of calls in chat completions: OpenAI's tools, and the functions before them, one call a turn, which GigaChat has kept. */
export type ToolShape = 'tools' | 'functions';

/** Returns the fields of a request that offer tools; none without tools. */
export function toolFields(tools: readonly ToolDefinition[], shape: ToolShape): object {
  if (tools.length === 0) return {};
  const functions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  if (shape === 'functions') return { functions, function_call: 'auto' };
  return { tools: functions.map((definition) => ({ type: 'function', function: definition })) };
}

/** Returns the messages of an earlier turn: the model's calls, then a message with the result of each. */
export function turnMessages({ text, calls }: ModelTurn, shape: ToolShape): object[] {
  if (shape === 'functions')
    return calls.flatMap(({ id, name, arguments: written, result, isError }, index) => [
      {
        ...{ role: 'assistant', content: index === 0 ? text : '', function_call: { name, arguments: asObject(written) } },
        functions_state_id: id,
      },
      // The content of a function's message must be JSON.
      { role: 'function', name, content: JSON.stringify(isError ? { error: result } : { result }) },
    ]);
  return [
    {
      ...{ role: 'assistant', content: text === '' ? null : text },
      tool_calls: calls.map(({ id, name, arguments: written }) => ({ id, type: 'function', function: { name, arguments: written } })),
    },
    ...calls.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
    ...imageMessages(calls),
  ];
}

/** The message of a tool has text only: images of results follow in a message of their own, each after the call that it belongs to. */
function imageMessages(calls: ModelTurn['calls']): object[] {
  const parts = calls.flatMap(({ id, name, images = [] }) =>
    images.length === 0 ? [] : [textPart(`${name} (${id}):`), ...images.map(imagePart)],
  );
  return parts.length === 0 ? [] : [{ role: 'user', content: parts }];
}

/** Returns a message of a conversation: with its images after the text. */
export function chatMessage({ role, content, images = [] }: ChatMessage): object {
  return { role, content: images.length === 0 ? content : [textPart(content), ...images.map(imagePart)] };
}

function textPart(text: string): object {
  return { type: 'text', text };
}

function imagePart({ mime, base64 }: ModelImage): object {
  return { type: 'image_url', image_url: { url: `data:${mime};base64,${base64}` } };
}

/** Returns arguments as an object; an empty one for text that is no object. */
export function asObject(written: string): object {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
