import type { Failure } from '../../../../contract/errors.ts';
import en from '../../../../locales/en/content/failure.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/failure.json' with { type: 'json' };
import type { Language } from '../../../http/call.ts';
import type { ModelFailure } from '../../../platform/llm/language-model.ts';

const words = { ru, en };

export type FailureAbout = {
  agent: string;
  host?: string | null;
  /** The provider that the agent is configured for. */
  provider?: string;
  /** The exceeded limit (s). */
  seconds?: number;
};

/** Describes a step's failure in the language of the run, with the cause that the model's server gave. */
export function failureFor(
  failure: Pick<ModelFailure, 'code' | 'host' | 'status' | 'detail' | 'tokens' | 'retryAfterMs'>,
  language: Language,
  about: FailureAbout,
): Failure {
  return { code: failure.code, message: sentence(failure.code, failure, language, about) };
}

/** Describes a fault of the server, without its details. */
export function internalFailure(language: Language, about: FailureAbout): Failure {
  return { code: 'internal', message: sentence('internal', {}, language, about) };
}

function sentence(code: Failure['code'], failure: Partial<ModelFailure>, language: Language, about: FailureAbout): string {
  const texts = words[language];
  const values: Record<string, string> = {
    agent: about.agent.trim() === '' ? texts.unknownAgent : about.agent,
    host: failure.host ?? about.host ?? texts.unknownHost,
    provider: about.provider ?? '',
    seconds: String(about.seconds ?? ''),
    needed: String(failure.tokens?.needed ?? '?'),
    window: String(failure.tokens?.window ?? '?'),
    status: failure.status === undefined ? '' : ` (HTTP ${failure.status})`,
  };
  const main = mainText(code, failure.tokens, texts).replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  const { detail, retryAfterMs } = failure;
  return [
    main,
    ...(retryAfterMs === undefined ? [] : [texts.asksToWait.replace('{seconds}', String(Math.ceil(retryAfterMs / 1_000)))]),
    ...(detail ? [texts.reason.replace('{detail}', () => detail)] : []),
  ].join(' ');
}

/** A prompt is too long for a window that is known, for one that its server does not tell, or for one that a person may have loaded larger. */
function mainText(code: Failure['code'], tokens: ModelFailure['tokens'], texts: (typeof words)[Language]): string {
  if (code !== 'prompt_over_window' || (tokens && !tokens.isLoaded)) return texts.codes[code];
  return tokens ? texts.overLoadedWindow : texts.overUntoldWindow;
}

/** The refusal of a start without a task. */
export function missingTask(language: Language): string {
  return words[language].taskMissing;
}
