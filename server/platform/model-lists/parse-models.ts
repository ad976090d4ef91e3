import { z } from 'zod';
import type { ListedModel } from './listed-model.ts';

/** A field that a server may leave out or fill with anything. */
const loose = <T>(schema: z.ZodType<T>) => schema.optional().catch(undefined);
const tokens = loose(z.number().int().min(1).max(100_000_000));
/** A price for one token in US dollars, as text. */
const dollars = loose(z.string().max(40));
const names = loose(z.array(z.string()));

/** An entry of `/v1/models` with what servers add to it: OpenRouter, vLLM, LM Studio, Mistral, Anthropic, LiteLLM. */
const entry = z.object({
  id: z.string(),
  context_length: tokens,
  max_model_len: tokens,
  max_context_length: tokens,
  context_window: tokens,
  max_input_tokens: tokens,
  loaded_context_length: tokens,
  type: loose(z.string()),
  supported_parameters: names,
  architecture: loose(z.object({ input_modalities: names })),
  capabilities: loose(
    z.union([
      z.array(z.string()),
      z.object({ function_calling: loose(z.boolean()), vision: loose(z.boolean()), completion_chat: loose(z.boolean()) }),
    ]),
  ),
  pricing: loose(z.object({ prompt: dollars, completion: dollars })),
});
type Entry = z.infer<typeof entry>;

/** Names of models that answer no chat. */
const notChat =
  /(?:^|[-/_.])(?:embed(?:ding)?s?|whisper|tts|dall-e|moderation|rerank(?:er)?|transcribe|realtime|image|sora|davinci|babbage)(?:[-/_.:\d]|$)/i;

/** Returns the models of a list in the form of OpenAI's; null when it is in another form. Entries that are no chat models are left out. */
export function parseModels(body: unknown): ListedModel[] | null {
  const list = z
    .object({ data: z.array(z.unknown()) })
    .or(z.array(z.unknown()))
    .safeParse(body);
  if (!list.success) return null;
  const data = Array.isArray(list.data) ? list.data : list.data.data;
  return data.flatMap((one) => {
    const parsed = entry.safeParse(one);
    return parsed.success && isChatModel(parsed.data) ? [toListed(parsed.data)] : [];
  });
}

function isChatModel({ id, type, capabilities }: Entry): boolean {
  if (type === 'embeddings' || type === 'embedding' || notChat.test(id)) return false;
  return Array.isArray(capabilities) || capabilities?.completion_chat !== false;
}

function toListed(one: Entry): ListedModel {
  const context =
    one.loaded_context_length ??
    one.max_model_len ??
    one.context_length ??
    one.max_context_length ??
    one.context_window ??
    one.max_input_tokens;
  const { capabilities } = one;
  const told = Array.isArray(capabilities)
    ? {
        tools: capabilities.includes('tool_use') || capabilities.includes('tools') || undefined,
        sees: capabilities.includes('vision') || undefined,
      }
    : { tools: capabilities?.function_calling, sees: capabilities?.vision };
  return withoutAbsent({
    id: one.id,
    context,
    tools: one.supported_parameters?.includes('tools') ?? told.tools,
    sees: one.architecture?.input_modalities?.includes('image') ?? told.sees ?? (one.type === 'vlm' ? true : undefined),
    price: priceOf(one.pricing),
  });
}

/** Prices for a million tokens in millionths of a dollar. A negative price says that it depends. */
function priceOf(pricing: Entry['pricing']): ListedModel['price'] {
  const [input, output] = [Number(pricing?.prompt), Number(pricing?.completion)].map((price) => Math.round(price * 1e12));
  if (input === undefined || output === undefined || !(input >= 0 && output >= 0)) return undefined;
  return Number.isSafeInteger(input) && Number.isSafeInteger(output) ? { currency: 'USD', input, output } : undefined;
}

/** Fields that a server does not tell are absent, also from what is stored. */
export function withoutAbsent(model: { [K in keyof ListedModel]: ListedModel[K] | undefined } & { id: string }): ListedModel {
  const { id, context, tools, sees, price } = model;
  return {
    id,
    ...(context !== undefined && { context }),
    ...(tools !== undefined && { tools }),
    ...(sees !== undefined && { sees }),
    ...(price !== undefined && { price }),
  };
}
