import type { z } from 'zod';
import type { ConnectionTest, connectionTestRequest } from '../../../contract/model-connection.ts';
import type { Language, Member } from '../../http/call.ts';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import { elapsed } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AgentModelSettings, Models } from '../../platform/llm/choose-model.ts';
import type { Conversation, LanguageModel, ModelFailure, ModelOutcome } from '../../platform/llm/language-model.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { PriceList } from '../../platform/prices/price-list.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { settingsOfConnection, settingsOfOperator } from './connection-settings.ts';
import type { OperatorConnection } from './operator-connections.ts';
import { problemOfFailure } from './problem-of.ts';
import { type ConnectionRow, connectionRepository } from './repository.ts';
import type { StoredTest } from './tables.ts';
import { toTest } from './to-api.ts';

export type TestConnectionDeps = {
  db: Db;
  secrets: SecretBox;
  models: Models;
  prices: Pick<PriceList, 'find'>;
  /** Returns a model whose calls are counted and limited like all calls of the account; `store` writes what they have cost. */
  meter: (model: LanguageModel, userId: OwnerId) => { model: LanguageModel; store: () => Promise<void> };
  /** The model of a connection that names none. */
  defaultModel: (provider: ConnectionRow['provider']) => string;
  newId: () => string;
  now: () => Date;
};

export type TestConnection = (
  user: Pick<Member, 'ownerId'>,
  found: { kind: 'own'; row: ConnectionRow } | { kind: 'operator'; connection: OperatorConnection },
  request: z.output<typeof connectionTestRequest>,
  language: Language,
  signal: AbortSignal,
) => Promise<ConnectionTest>;

/** The longest time of a test (ms). */
const testMs = 60_000;
/** A test may take a minute, nearly all of it spent waiting for the far side. */
const testLimits = { atOnce: 200, atOncePerAccount: 3, maxWaiting: 200, maxPerAccount: 10 };
/** Enough for a thinking model to come to its call (tokens). */
const maxTokens = 2_000;

const tool = {
  name: 'report_word',
  description: 'Reports one word.',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'], additionalProperties: false },
};
const question = 'Write one short sentence about spring. Then call the tool report_word with the word "spring".';

/** Makes one call with a tool, and tells what it has shown. */
export function createTestConnection(deps: TestConnectionDeps): TestConnection {
  const { db, secrets, models, prices, meter, defaultModel, newId, now } = deps;
  const tests = new AdmissionQueue(testLimits);

  const call = async (settings: AgentModelSettings, userId: OwnerId, request: TestRequest, signal: AbortSignal): Promise<StoredTest> => {
    const begun = elapsed();
    const failed = (failure: ModelFailure, hasPrice: boolean): StoredTest => ({
      ...nothing,
      at: now().toISOString(),
      model: settings.model,
      hasPrice,
      ms: Math.round(elapsed() - begun),
      tools: failure.code === 'model_refuses_tools' ? false : null,
      problem: problemOfFailure(failure),
    });
    const chosen = models.choose(settings, userId);
    if (!chosen.ok) return failed(chosen.error, false);
    const hasPrice = chosen.value.simulated || prices.find(chosen.value, now()) !== null;
    const metered = meter(chosen.value, userId);
    let pieces = 0;
    const outcome = await metered.model.converse(conversationOf(request, newId()), signal, () => {
      pieces += 1;
    });
    await metered.store();
    if (!outcome.ok) return failed(signal.aborted ? { code: 'model_timeout', transient: false } : outcome.error, hasPrice);
    return {
      at: now().toISOString(),
      model: settings.model,
      hasPrice,
      ms: Math.round(elapsed() - begun),
      problem: null,
      ...shownBy(outcome, pieces),
    };
  };

  return (user, found, request, language, signal) =>
    tests.run(
      user.ownerId,
      async () => {
        const own = found.kind === 'own' ? found.row : null;
        const at = found.kind === 'own' ? settingsOfConnection(secrets, found.row) : settingsOfOperator(found.connection);
        const { defaultModel: chosen, provider } = found.kind === 'own' ? found.row : found.connection;
        const model = request.model ?? chosen ?? defaultModel(provider);
        const listed = own && (await connectionRepository(db).models(user.ownerId, own.id)).find(({ id }) => id === model);
        const settings = {
          ...at,
          ...(listed?.price && { toldPrices: { [model]: listed.price } }),
          model,
          temperature: null,
          maxTokens,
          isOwnerVerified: await connectionRepository(db).isVerified(user.ownerId),
        };
        const within = AbortSignal.any([signal, AbortSignal.timeout(testMs)]);
        const tested = await call(settings, user.ownerId, request, within);
        if (own !== null) await connectionRepository(db).storeAnswer(own, { tested });
        return toTest(tested, language, own);
      },
      signal,
    );
}

type TestRequest = z.output<typeof connectionTestRequest>;

const nothing = { text: false, streaming: null, tools: null, thinking: null, cached: null };

function conversationOf({ effort }: TestRequest, idempotencyKey: string): Conversation {
  return {
    messages: [{ role: 'user', content: question }],
    tools: [tool],
    temperature: null,
    maxTokens,
    idempotencyKey,
    ...(effort !== undefined && { effort }),
    speaker: { role: '', agentTitle: '', language: 'en' },
  };
}

/** What one answer shows. What it does not have may exist: it is not known. */
function shownBy({ value }: Extract<ModelOutcome, { ok: true }>, pieces: number) {
  const { text, calls = [], thoughts, usage } = value;
  const hasText = text.trim() !== '';
  return {
    text: hasText || (calls.length > 0 ? null : false),
    streaming: hasText ? pieces > 1 : null,
    tools: calls.some(({ name }) => name === tool.name),
    thinking: thoughts !== null || (usage?.reasoningTokens ?? 0) > 0 ? true : null,
    cached: (usage?.cachedTokens ?? 0) > 0 ? true : null,
  };
}
