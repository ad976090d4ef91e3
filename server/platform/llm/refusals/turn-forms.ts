import { portableId } from './portable-id.ts';

type Fields = Record<string, unknown>;
type Body = Fields;

/** A form in which a server wants the earlier turns of a call. `isLasting`: it holds for each call of the model. */
type TurnForm = { isWanted: (refusal: string) => boolean; apply: (body: Body) => Body; isLasting: boolean };

/** Google's own word for a call that another model has made: https://ai.google.dev/gemini-api/docs/thought-signatures */
const noSignature = 'skip_thought_signature_validator';
/** Stands for thoughts that another model had, or that were not kept, where a server wants some with each call. */
const noThoughts = '(The thoughts before these calls are not kept.)';

const ofThinking = /\breasoning_(?:content|details|text)\b/;
const inMessages = /\b(?:messages?|assistant)\b|\binput\[/i;
const refused =
  /unsupported|not (?:supported|permitted|allowed|valid)|extra[ _](?:inputs|fields|forbidden)|unexpected|unknown|unrecognized|additional propert/i;

/** The forms by name. The names are stored with what is known of a model. */
const forms = {
  /** Gemini refuses a call without the signature of its thoughts, also one that another model has made. */
  signedCalls: {
    isWanted: (refusal) => /missing (?:a )?`?thought_?signature/i.test(refusal),
    apply: (body) => withSignatures(body, (known) => known ?? noSignature),
    isLasting: true,
  },
  /** A signature that Gemini does not know any more. */
  freshSignatures: {
    isWanted: (refusal) => /thought[ _]?signature/i.test(refusal) && /not valid|invalid|corrupted/i.test(refusal),
    apply: (body) => withSignatures(body, () => noSignature),
    isLasting: false,
  },
  /** DeepSeek and Moonshot refuse a turn with calls that has no thoughts. */
  thoughtCalls: {
    isWanted: (refusal) => /\breasoning_content\b/.test(refusal) && /must be passed back|missing/i.test(refusal),
    apply: (body) => changedMessages(body, withSomeThoughts),
    isLasting: true,
  },
  /** Thoughts that were signed or encrypted for another model or account. */
  ownThoughts: {
    isWanted: (refusal) =>
      /signature`? in `?thinking/i.test(refusal) || (/\bencrypted[ _]content\b/i.test(refusal) && /could not be|invalid/i.test(refusal)),
    apply: withoutThoughts,
    isLasting: false,
  },
  /** Servers that give thinking in a field that they refuse in a prompt: Mistral behind LiteLLM, Cerebras. */
  noThoughts: {
    isWanted: (refusal) =>
      refused.test(refusal) &&
      (ofThinking.test(refusal) || (/\b(?:reasoning|(?:redacted_)?thinking)\b/.test(refusal) && inMessages.test(refusal))),
    apply: withoutThoughts,
    isLasting: true,
  },
  /** Ids of calls in another form than the server's own. */
  portableIds: {
    isWanted: (refusal) =>
      /tool[ _]?(?:call|use)[ _]?id|tool_use\.id|tool_calls?[.[]\d{1,4}\]?\.id|call_id/i.test(refusal) &&
      /must be|should match|pattern|too long|maximum length|invalid/i.test(refusal),
    apply: withPortableIds,
    isLasting: true,
  },
} as const satisfies Record<string, TurnForm>;
type FormName = keyof typeof forms;

/** What stands before the name of a form in what is known of a model. */
const prefix = 'turns.';

/** Returns the form of earlier turns that a refusal asks for, and that changes this body; null for none. */
export function turnFormFor(
  refusal: string,
  body: Body,
  tried: readonly string[],
): { name: string; isLasting: boolean; apply: (body: Body) => Body } | null {
  for (const [key, { isWanted, apply, isLasting }] of Object.entries<TurnForm>(forms)) {
    const name = prefix + key;
    if (tried.includes(name) || !isWanted(refusal)) continue;
    if (JSON.stringify(apply(body)) !== JSON.stringify(body)) return { name, isLasting, apply };
  }
  return null;
}

/** Returns a body with its earlier turns in the forms that are known to be wanted. */
export function inTurnForms(body: Body, names: readonly string[]): Body {
  const wanted = names.filter(isTurnForm).map((name) => name.slice(prefix.length) as FormName);
  // Thoughts that are taken away may be wanted in another field.
  const ordered = wanted.toSorted((one, other) => Number(other === 'noThoughts') - Number(one === 'noThoughts'));
  return ordered.reduce((known, name) => forms[name].apply(known), body);
}

/** Whether a name of what is known of a model is that of a form of turns. */
export function isTurnForm(name: string): boolean {
  return name.startsWith(prefix) && Object.hasOwn(forms, name.slice(prefix.length));
}

/** Changes the messages of chat completions and of Anthropic. */
function changedMessages(body: Body, change: (message: Fields) => Fields): Body {
  return Array.isArray(body.messages) ? { ...body, messages: body.messages.map(change) } : body;
}

function withSomeThoughts(message: Fields): Fields {
  return message.role === 'assistant' && message.tool_calls && !message.reasoning_content
    ? { ...message, reasoning_content: noThoughts }
    : message;
}

function withoutThoughts(body: Body): Body {
  if (Array.isArray(body.input)) return { ...body, input: withoutReasoningItems(body.input) };
  return changedMessages(body, (message) => {
    if (message.role !== 'assistant') return message;
    const { reasoning_content: _content, reasoning: _reasoning, reasoning_details: _details, ...rest } = message;
    return Array.isArray(rest.content) ? { ...rest, content: withoutThinkingParts(rest.content) } : rest;
  });
}

/** An item of a turn may not name the thoughts that it belonged to. */
function withoutReasoningItems(items: readonly Fields[]): Fields[] {
  const kept = items.filter(({ type }) => type !== 'reasoning');
  if (kept.length === items.length) return kept;
  return kept.map(({ id, ...item }) => (item.call_id !== undefined || id === undefined ? item : { ...item, id }));
}

/** Content of text alone is a text again: a server that refuses thinking knows no parts of an answer. */
function withoutThinkingParts(parts: readonly Fields[]): unknown {
  const kept = parts.filter(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
  if (kept.length === parts.length) return parts;
  return kept.every(({ type }) => type === 'text') ? kept.map(({ text }) => text).join('') : kept;
}

type ToSignature = (known: string | undefined) => string;

/** Gemini wants a signature at the first call of a turn. */
function withSignatures(body: Body, toSignature: ToSignature): Body {
  if (Array.isArray(body.contents)) return { ...body, contents: body.contents.map((content) => signedContent(content, toSignature)) };
  return changedMessages(body, (message) => {
    const [first, ...others] = Array.isArray(message.tool_calls) ? (message.tool_calls as Fields[]) : [];
    if (!first) return message;
    const extra = (first.extra_content ?? {}) as { google?: { thought_signature?: string } };
    const google = { ...extra.google, thought_signature: toSignature(extra.google?.thought_signature) };
    return { ...message, tool_calls: [{ ...first, extra_content: { ...extra, google } }, ...others] };
  });
}

function signedContent(content: Fields, toSignature: ToSignature): Fields {
  const parts = Array.isArray(content.parts) ? (content.parts as Fields[]) : [];
  const first = parts.findIndex(({ functionCall }) => functionCall !== undefined);
  if (first < 0) return content;
  const signed = (part: Fields) => ({ ...part, thoughtSignature: toSignature(part.thoughtSignature as string | undefined) });
  return { ...content, parts: parts.map((part, at) => (at === first ? signed(part) : part)) };
}

function withPortableIds(body: Body): Body {
  if (Array.isArray(body.input)) return { ...body, input: body.input.map((item: Fields) => withId(item, 'call_id')) };
  return changedMessages(body, (message) => {
    const own = withId(message, 'tool_call_id');
    const calls = Array.isArray(own.tool_calls) ? { tool_calls: own.tool_calls.map((call: Fields) => withId(call, 'id')) } : {};
    const blocks = Array.isArray(own.content) ? { content: own.content.map(blockWithId) } : {};
    return { ...own, ...calls, ...blocks };
  });
}

function blockWithId(block: Fields): Fields {
  return block.type === 'tool_use' ? withId(block, 'id') : withId(block, 'tool_use_id');
}

function withId(fields: Fields, name: string): Fields {
  const id = fields[name];
  return typeof id === 'string' ? { ...fields, [name]: portableId(id) } : fields;
}
