import { z } from 'zod';
import { maxPrice } from '../../../rules/cost/cost-of.ts';
import type { ListedModel } from './listed-model.ts';

/** A field that a server may leave out or fill with anything. */
const loose = <T>(schema: z.ZodType<T>) => schema.optional().catch(undefined);
const tokens = loose(z.number().int().min(1).max(100_000_000));
/** A price for one token in US dollars, as text. */
const dollars = loose(z.string().max(40));
const names = loose(z.array(z.string()));
const pricing = { prompt: dollars, completion: dollars, input_cache_read: dollars, input_cache_write: dollars };
/** OpenRouter's prices under a condition: a length of the prompt, or hours of the day. */
const override = z.object({ ...pricing, min_prompt_tokens: loose(z.number().int().min(1)) });

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
  pricing: loose(z.object({ ...pricing, overrides: loose(z.array(z.unknown())) })),
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

/** The prices of an entry, as OpenRouter tells them. Nothing for one that depends, which is told as a negative price. */
function priceOf(told: Entry['pricing']): ListedModel['price'] {
  const base = ratesOf(told);
  if (base === null) return undefined;
  const overrides = (told?.overrides ?? []).map((one) => override.safeParse(one).data ?? null);
  // A price under a condition that is not understood would be told too low.
  if (overrides.includes(null)) return undefined;
  const steps = new Map<number, Rates>();
  let always = base;
  for (const one of overrides.filter((given) => given !== null)) {
    const { min_prompt_tokens: from, ...changed } = one;
    const rates = ratesOf({ ...told, ...withoutUndefined(changed) });
    if (rates === null) return undefined;
    if (from === undefined) always = dearer(always, rates);
    else steps.set(from - 1, rates);
  }
  const ordered = [...steps].sort(([one], [other]) => one - other).map(([above, rates]) => ({ above, ...rates }));
  return { currency: 'USD', ...always, ...(ordered.length > 0 && { steps: ordered }) };
}

type Rates = Pick<NonNullable<ListedModel['price']>, 'input' | 'cachedInput' | 'cacheWrite' | 'output'>;

/** Prices for a million tokens in millionths of a dollar. */
function ratesOf(told: Omit<NonNullable<Entry['pricing']>, 'overrides'> | undefined): Rates | null {
  const [input, output] = [microsOf(told?.prompt), microsOf(told?.completion)];
  if (input === null || output === null) return null;
  const [cachedInput, cacheWrite] = [microsOf(told?.input_cache_read), microsOf(told?.input_cache_write)];
  return { input, ...(cachedInput !== null && { cachedInput }), ...(cacheWrite !== null && { cacheWrite }), output };
}

function microsOf(dollarsOfToken: string | undefined): number | null {
  const micros = Math.round(Number(dollarsOfToken) * 1e12);
  return micros >= 0 && micros <= maxPrice ? micros : null;
}

/** Hours have prices of their own at some servers: a budget must hold at each of them. */
function dearer(one: Rates, other: Rates): Rates {
  const most = (key: 'cachedInput' | 'cacheWrite') => Math.max(one[key] ?? one.input, other[key] ?? other.input);
  return {
    input: Math.max(one.input, other.input),
    cachedInput: most('cachedInput'),
    cacheWrite: most('cacheWrite'),
    output: Math.max(one.output, other.output),
  };
}

function withoutUndefined<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
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
