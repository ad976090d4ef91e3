/**
 * Some servers ignore `stream: true` and answer with one completion as JSON, some forget the content type, and some are no
 * model servers at all. Wraps a `fetch` so that every successful answer reads as a stream of events: one completion
 * as a single piece, an error as one told in the stream, a blank answer as an empty stream, anything else as an event that cannot be parsed.
 */
export function asEventStream(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || type.includes('text/event-stream')) return response;
    const events = toEvents(await response.text());
    return new Response(events, { status: response.status, headers: { 'content-type': 'text/event-stream' } });
  };
}

function toEvents(body: string): string {
  if (body.trim() === '' || /^data:/m.test(body)) return body;
  const completion = parse(body);
  if (completion?.error) return `data: ${JSON.stringify(completion)}\n\n`;
  const choice = completion?.choices?.[0];
  if (!completion || typeof choice?.message?.content !== 'string') return 'data: {\n\n';
  const { choices: _choices, object: _object, ...rest } = completion;
  const delta = { role: 'assistant', content: choice.message.content };
  const chunk = { ...rest, choices: [{ index: 0, delta, finish_reason: choice.finish_reason ?? 'stop' }] };
  return `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
}

type Completion = { error?: unknown; choices?: { message?: { content?: unknown }; finish_reason?: string }[]; object?: string };

function parse(body: string): Completion | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' ? (value as Completion | null) : null;
  } catch {
    return null;
  }
}
