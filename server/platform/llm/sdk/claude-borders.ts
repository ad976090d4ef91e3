const border = { type: 'ephemeral' };

/**
 * Marks the borders up to which Claude keeps a prompt, in a body for OpenRouter: the end of tools and system prompt, and the end of the request, which
 * OpenRouter places itself. Bodies of other models stay as they are: these keep prompts without a mark.
 */
export function withClaudeBorders(body: Record<string, unknown>): Record<string, unknown> {
  if (!String(body.model).startsWith('anthropic/') || !Array.isArray(body.messages)) return body;
  return { ...body, cache_control: body.cache_control ?? border, messages: body.messages.map(withBorder) };
}

function withBorder(message: { role: string; content: unknown }) {
  if (message.role !== 'system' || typeof message.content !== 'string') return message;
  return { ...message, content: [{ type: 'text', text: message.content, cache_control: border }] };
}
