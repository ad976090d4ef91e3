import type { ModelErrorCode } from '../../../../contract/errors.ts';

/** What a refusal is by its words. `statuses`: of the answers that may mean it. `unless`: words that mean something else. */
type Kind = { code: ModelErrorCode; statuses: readonly number[]; words: RegExp; unless?: RegExp };

/** The part of a refusal that is read (UTF-16 units). */
const maxRead = 8_192;

/**
 * Words of providers, in the order in which they decide: OpenAI, Azure, Anthropic, Google, xAI, Mistral, DeepSeek, Groq, OpenRouter, Yandex Cloud, LiteLLM and those
 * that have copied them. Their statuses differ: a wrong key is 400 at Google and xAI, and 403 is a region, an empty account, a moderation or a missing right.
 */
const kinds: readonly Kind[] = [
  {
    code: 'model_quota_spent',
    statuses: [400, 401, 403, 429],
    words:
      /insufficient_quota|billing_(?:not_active|hard_limit)|billing hard limit|credit balance|insufficient (?:balance|credits?|funds)|(?:n't|not|no) have (?:any |enough )?credits|(?:no|out of|more|all available|prepayment) credits|(?:spending|usage|key) limits? (?:exceeded|reached|hit)|(?:reached|exceeded|hit) (?:your|its|the) .{0,30}(?:spending|usage|key) (?:limit|cap)|account is not active|inactive subscription/i,
    // A limit that passes names a limit of calls or tokens in a time.
    unless: /\b(?:per|a) (?:minute|second|hour)\b|\b(?:hourly|session) (?:usage )?limit|\blimit will reset\b/i,
  },
  {
    code: 'model_unauthorized',
    statuses: [400, 401, 403],
    words:
      /API_KEY_INVALID|api[ _-]?key (?:not valid|not found|expired|is (?:invalid|expired|missing))|(?:incorrect|invalid|wrong|missing|another|no|unknown) (?:x-)?(?:api|subscription)[ _-]?key|unregistered callers|reported as leaked/i,
  },
  {
    code: 'model_region_refused',
    statuses: [400, 403, 451],
    words:
      /unsupported_(?:country|region)|country, region|(?:user )?location is not supported|(?:not|n't) (?:available|supported|allowed|offered) in (?:your|this|the) (?:country|region|location|territory)|region (?:is )?not (?:supported|allowed)|unsupported (?:country|region|location)|"Request not allowed"/i,
  },
  {
    code: 'model_declined',
    statuses: [400, 403, 422, 451],
    words:
      /content[ _](?:policy|filter|management policy|moderation)|content filtering|ResponsibleAIPolicy|usage (?:guidelines|polic)|requires moderation|(?:was|been|is) flagged|flagged (?:as|for)|safety[ _](?:check|settings|system|polic)|invalid_prompt|Content Exists Risk|data_inspection_failed|inappropriate content/i,
  },
  {
    code: 'model_forbidden',
    statuses: [401, 403],
    words:
      /permission|missing scopes|(?:not|n't) (?:authorized|allowed|entitled) to|(?:no|not|n't) have access|no access|denied|SERVICE_DISABLED|has not been used in project|requests? to this api .{0,80}blocked|allowlist|must be (?:a member|verified)|organization (?:has been|is) (?:disabled|restricted)/i,
  },
  {
    code: 'model_not_found',
    statuses: [400, 403, 422],
    words:
      /model_not_found|model_decommissioned|invalid model\b|invalid model name|not a valid model|model not exist|\bmodel\b.{0,100}(?:does not exist|not found|has been decommissioned|is not available)/i,
  },
  {
    code: 'model_bad_call',
    statuses: [400, 422],
    words: /tool_use_failed|failed_generation|failed to call a function|MALFORMED_FUNCTION_CALL/i,
  },
  {
    code: 'prompt_over_window',
    statuses: [413],
    words: /too[ _](?:large|long)|exceeds? the (?:maximum|limit)|reduce/i,
  },
  {
    code: 'prompt_over_window',
    statuses: [400, 422, 500],
    words:
      /context[ _](?:length|window|size)?[ _]?exceed|exceeds? (?:the |your |this )?(?:model'?s )?(?:available |maximum |max )?context|context window exceeds|(?:prompt|input|request|message|conversation)s? (?:is |are |was )?too (?:long|large)|reduce (?:the|your) (?:length|size|prompt|input|message)|too many (?:input |prompt )?tokens|token limit exceeded|model token limit|(?:greater|longer) than the (?:model'?s )?context|maximum allowed input length|number of input tokens must|tokens? (?:count )?(?:exceeds?|limit)|превышен[аоы]? .{0,60}(?:токен|контекст|длин)/i,
    // A length of an answer that is too long is another mistake.
    unless: /max_(?:completion_|output_)?tokens|maxOutputTokens|max_new_tokens|per (?:minute|day)/i,
  },
];

/** Returns what a refusal is by its status and its words; null where they name nothing that is known. */
export function kindOfRefusal(status: number, body: string): ModelErrorCode | null {
  const told = withoutEchoes(body).slice(0, maxRead);
  const found = kinds.find(({ statuses, words, unless }) => statuses.includes(status) && words.test(told) && !unless?.test(told));
  return found?.code ?? null;
}

/** What refusals repeat of the prompt and of the answer: no words of the provider. */
const echoes = new Set(['flagged_input', 'input', 'failed_generation']);

function withoutEchoes(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), (name, value: unknown) => (echoes.has(name) ? '' : value));
  } catch {
    return body;
  }
}
