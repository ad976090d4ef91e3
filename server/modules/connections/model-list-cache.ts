import type { ConnectionModel, ConnectionModels, ModelConnection } from '../../../contract/model-connection.ts';
import type { Language } from '../../http/call.ts';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import { elapsedBetween } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import type { TokenOutcome } from '../../platform/llm/gigachat/access-tokens.ts';
import type { Traits, TraitsOfAccounts } from '../../platform/llm/model-traits.ts';
import { providerAddresses } from '../../platform/llm/provider-addresses.ts';
import type { ListedModel, ModelList } from '../../platform/model-lists/listed-model.ts';
import { type ListedServer, readModelList } from '../../platform/model-lists/read-model-list.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { settingsOfConnection } from './connection-settings.ts';
import type { LearnListed } from './learn-listed.ts';
import type { OperatorConnection } from './operator-connections.ts';
import { problemOfFailure, problemOfReading } from './problem-of.ts';
import { type ConnectionRow, connectionRepository } from './repository.ts';
import type { StoredProblem } from './tables.ts';
import { problemIn, storedProblem, toProblem } from './to-api.ts';

export type ModelListDeps = {
  db: Db;
  secrets: SecretBox;
  /** For addresses of users, and for those of the operator. */
  egress: { users: Egress; operators: Egress };
  /** Exchanges GigaChat's key for the token that its calls have. */
  tokenFor: (key: string, signal: AbortSignal) => Promise<TokenOutcome>;
  /** What is known of a model beside its list. */
  describe: (provider: ModelConnection['provider'], model: ListedModel, host: string | null) => ConnectionModel;
  learnListed: LearnListed;
  traits: TraitsOfAccounts;
  now: () => Date;
};

/** `userId`: who asks. */
type ListRequest = { userId: OwnerId; query: string; language: Language; isForced: boolean };

/** The time that a list is used before it is read again (ms). */
const maxAgeMs = 24 * 3_600_000;
/** The time after a failed reading before the server is asked again (ms). */
const pauseMs = 30_000;
/** The longest time of one reading (ms). */
const readingMs = 20_000;
/** A list may have megabytes: few are read at once, and fewer of one account. Servers that hang take no account's last place. */
const readingLimits = { atOnce: 8, atOncePerAccount: 2, atOnceOfEach: 1, maxWaiting: 200, maxPerAccount: 60 };
/** The most models of an answer: a person searches in longer lists. */
const maxItems = 500;

type Known = { list: ModelList; at: Date | null; triedAt: Date | null; problem: StoredProblem | null };
const unread: Known = { list: { models: [], leftOut: 0 }, at: null, triedAt: null, problem: null };

/** The lists of models of connections: read once at a time, kept for a day. */
export class ModelListCache {
  private readonly deps: ModelListDeps;
  /** Readings under way, by their connection as it is now: another request waits for the same one. */
  private readonly readings = new Map<string, Promise<Known>>();
  private readonly queue = new AdmissionQueue(readingLimits);
  /** Lists of the operator's connections, which have no row. */
  private readonly ofOperators = new Map<string, Known>();

  constructor(deps: ModelListDeps) {
    this.deps = deps;
  }

  knownOfOperator(id: string): { modelCount: number | null; modelsAt: Date | null; problem: StoredProblem | null } {
    const { list, at, problem } = this.ofOperators.get(id) ?? unread;
    return { modelCount: at === null ? null : list.models.length, modelsAt: at, problem };
  }

  async ofOperator({ id, provider, account }: OperatorConnection, request: ListRequest): Promise<ConnectionModels> {
    const before = this.ofOperators.get(id) ?? unread;
    const server = { provider, address: account.baseUrl, apiKey: account.apiKey, headers: null };
    // Its server is asked for all accounts together.
    const isForced = request.isForced && this.passed(before.triedAt) > pauseMs;
    const known = this.isDue(before, { ...request, isForced })
      ? await this.readOnce(id, id, () => this.read(server, this.deps.egress.operators, before))
      : before;
    this.ofOperators.set(id, known);
    return this.answer(known, request, { provider, address: account.baseUrl, tested: null });
  }

  async ofConnection(row: ConnectionRow, request: ListRequest): Promise<ConnectionModels> {
    const before = { at: row.modelsAt, triedAt: row.checkedAt, problem: problemIn(row.modelsProblem) };
    const repository = connectionRepository(this.deps.db);
    const readStored = async (): Promise<Known> => ({
      ...before,
      list: { models: await repository.models(row.userId, row.id), leftOut: row.modelsLeftOut },
    });
    const place = { provider: row.provider, address: row.address, tested: row.tested };
    if (!this.isDue(before, request)) return this.answer(await readStored(), request, place);
    const known = await this.readOnce(`${row.id} ${row.updatedAt.toISOString()}`, row.userId, async () => {
      const read = await this.readConnection(row, await readStored());
      const list = read.problem === null ? { models: read.list.models, modelsLeftOut: read.list.leftOut, modelsAt: read.at } : {};
      await repository.storeAnswer(row, { ...list, modelsProblem: storedProblem(read.problem), checkedAt: read.triedAt });
      if (read.problem === null) await this.deps.learnListed(row.userId, row.id);
      return read;
    });
    return this.answer(known, request, place);
  }

  private isDue({ at, triedAt, problem }: Omit<Known, 'list'>, { isForced }: ListRequest): boolean {
    if (problem !== null && !isForced) return this.passed(triedAt) > pauseMs;
    return isForced || this.passed(at) > maxAgeMs;
  }

  /** The time since a moment (ms). */
  private passed(since: Date | null): number {
    return since === null ? Number.POSITIVE_INFINITY : elapsedBetween(since, this.deps.now());
  }

  /** `turn`: the account whose readings wait for each other. */
  private readOnce(id: string, turn: string, read: () => Promise<Known>): Promise<Known> {
    const current = this.readings.get(id);
    if (current) return current;
    const reading = this.queue.run(turn, read).finally(() => this.readings.delete(id));
    this.readings.set(id, reading);
    return reading;
  }

  private async readConnection(row: ConnectionRow, before: Known): Promise<Known> {
    const { providerType, baseUrl, apiKey, connection, keyUndecryptable } = settingsOfConnection(this.deps.secrets, row);
    const failed = (reason: StoredProblem['reason']): Known => ({ ...before, triedAt: this.deps.now(), problem: { reason, detail: '' } });
    if (keyUndecryptable) return failed('key_unreadable');
    if (baseUrl === null || providerType === 'simulated') return failed('no_list');
    return this.read(
      { provider: row.provider, address: baseUrl, apiKey, headers: connection?.headers ?? null },
      this.deps.egress.users,
      before,
    );
  }

  /** A failed reading keeps the list that was read before. */
  private async read(server: ListedServer, egress: Egress, before: Known): Promise<Known> {
    const { tokenFor, now } = this.deps;
    const signal = AbortSignal.timeout(readingMs);
    try {
      const token = server.provider === 'gigachat' && server.apiKey !== null ? await tokenFor(server.apiKey, signal) : null;
      if (token?.ok === false) return { ...before, triedAt: now(), problem: problemOfFailure(token.error) };
      const apiKey = token?.value.value ?? server.apiKey;
      const list = await readModelList({ ...server, apiKey }, egress, signal);
      return { list, at: now(), triedAt: now(), problem: null };
    } catch (error) {
      return { ...before, triedAt: now(), problem: problemOfReading(error, signal, server.apiKey) };
    }
  }

  /** What a list does not tell of a model's window and tools, calls may have shown. */
  private async answer(
    { list, at, problem }: Known,
    { userId, query, language }: ListRequest,
    { provider, address, tested }: Pick<ConnectionRow, 'provider' | 'address' | 'tested'>,
  ): Promise<ConnectionModels> {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const found = list.models.filter(({ id }) => words.every((word) => id.toLowerCase().includes(word)));
    const host = address === null ? null : new URL(address).host;
    const called = address ?? providerAddresses[provider];
    const shown = called === null ? new Map<string, never>() : await this.deps.traits.of(userId).ofHost(new URL(called).host);
    return {
      items: found.slice(0, maxItems).map((model) => this.deps.describe(provider, { ...shownOf(model.id, shown, tested), ...model }, host)),
      total: found.length,
      leftOut: list.leftOut,
      at: at?.toISOString() ?? null,
      problem: toProblem(problem, language, { provider, address }),
    };
  }
}

/** That a server has taken tools does not say that its model calls them: only a test has seen that. */
function shownOf(
  model: string,
  shown: ReadonlyMap<string, Pick<Traits, 'tools' | 'context'>>,
  tested: ConnectionRow['tested'],
): Pick<ListedModel, 'tools' | 'context'> {
  const { tools, context } = shown.get(model) ?? { tools: null, context: null };
  const calls = tools === false ? false : tested?.model === model && tested.tools === true ? true : null;
  return { ...(context !== null && { context }), ...(calls !== null && { tools: calls }) };
}
