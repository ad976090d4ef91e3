import { v7 } from 'uuid';
import type {
  ConnectionCreation,
  ConnectionModels,
  ConnectionUpdate,
  KnownModels,
  LocalServer,
  ModelConnection,
} from '../../../contract/model-connection.ts';
import { connectionLimits } from '../../../contract/model-connection.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Language, Member, StoreIdempotentResponse } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import { holdsSecret } from '../../platform/egress/address-secrets.ts';
import { localOrigins } from '../../platform/model-lists/local-servers.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { checkExtraBody, checkHeaders, checkKey, checkNeeds, type FieldProblem } from './check-connection.ts';
import { connectionHost, openSecrets, sealSecrets } from './connection-secrets.ts';
import type { LearnListed } from './learn-listed.ts';
import type { ModelListCache } from './model-list-cache.ts';
import type { OperatorConnection } from './operator-connections.ts';
import { type ConnectionRow, connectionRepository } from './repository.ts';
import type { TestConnection } from './test-connection.ts';
import { toConnection, toOperatorConnection } from './to-api.ts';

/** A change of connections that is not made, with the reason. */
class ConnectionRefused extends ApiError {
  constructor(reason: 'limit' | 'operator', params: Record<string, string | number> = {}) {
    super('connection_refused', { details: { reason }, params });
  }
}

/** Throws `bad_request` with a sentence for each field that is wrong. */
function refuseProblems(problems: readonly FieldProblem[], language: Language): void {
  if (problems.length === 0) return;
  throw new ApiError('bad_request', {
    errors: problems.map(({ path, text, params }) => ({ path, message: translate(language, text, params) })),
  });
}

/**
 * Returns an address as it was pasted, with a scheme and without a fragment. A name for this machine becomes its number where a server of models
 * has its usual port there. Returns null for what is no address of HTTP.
 */
function connectionAddress(given: string): string | null {
  const text = given.trim();
  const isFull = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const url = URL.parse(isFull ? text : `https://${text}`);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') return null;
  url.hash = '';
  const isLocal = url.hostname === 'localhost' && localOrigins.some((origin) => new URL(origin).port === url.port);
  if (isLocal) url.hostname = '127.0.0.1';
  if (isLocal && !isFull) url.protocol = 'http:';
  return url.href;
}

/** Whether an address has a name, a password or a key in it. */
function hasSecret(address: string): boolean {
  return holdsSecret(new URL(address));
}

export type ModelConnectionsDeps = {
  db: Db;
  secrets: SecretBox;
  operator: ReadonlyMap<string, OperatorConnection>;
  /** Throws `not_found` for a project that the user does not have. */
  resolveProject: (userId: OwnerId, projectId: string) => Promise<string>;
  /** Has agents of the user use a connection; with `isPreview` only says what would change. */
  switchConnection: SwitchConnection;
  lists: ModelListCache;
  learnListed: LearnListed;
  test: TestConnection;
  findLocal: () => Promise<LocalServer[]>;
  /** What is known of the offered models. */
  known: () => KnownModels;
  isHostAllowed: (address: string) => Promise<boolean>;
  now: () => Date;
};

type SwitchConnection = (
  userId: OwnerId,
  connection: { id: string; model: string; nameOf: (id: string) => string | null },
  agents: { ids: readonly string[]; isPreview: boolean },
) => Promise<{ agentId: string; title: string; before: string; after: string }[]>;

type Found = { kind: 'own'; row: ConnectionRow } | { kind: 'operator'; connection: OperatorConnection };

/** The connections of each account. A foreign connection is answered like a missing one. */
export class ModelConnectionService {
  private readonly deps: ModelConnectionsDeps;
  private readonly since: Date;

  constructor(deps: ModelConnectionsDeps) {
    this.deps = deps;
    this.since = deps.now();
  }

  async list(userId: OwnerId, project: string | null, language: Language): Promise<ModelConnection[]> {
    const { db, operator, resolveProject } = this.deps;
    const projectId = project === null ? null : await resolveProject(userId, project);
    const repository = connectionRepository(db);
    const [rows, uses] = await Promise.all([repository.list(userId, projectId), repository.uses(userId)]);
    return [
      ...[...operator.values()].map((one) => this.operatorsOwn(one, uses.get(one.id) ?? 0, language)),
      ...rows.map((row) => toConnection(row, uses.get(row.id) ?? 0, language)),
    ];
  }

  local(): Promise<LocalServer[]> {
    return this.deps.findLocal();
  }

  known(): KnownModels {
    return this.deps.known();
  }

  async create(
    userId: OwnerId,
    given: ConnectionCreation,
    language: Language,
    storeIdempotentResponse: StoreIdempotentResponse,
  ): Promise<ModelConnection> {
    const { db, secrets, resolveProject, now } = this.deps;
    const { provider, folderId = null, extraBody = null, defaultModel = null, apiKey = null } = given;
    const projectId = given.projectId === undefined ? null : await resolveProject(userId, given.projectId);
    const address = await this.checkedAddress(given.address ?? null, language);
    refuseProblems(
      [
        ...checkKey(provider, address, apiKey),
        ...checkNeeds(provider, address, apiKey !== null),
        ...checkHeaders(given.headers, []),
        ...checkExtraBody(extraBody),
      ],
      language,
    );
    const id = v7();
    const sealed = sealSecrets(secrets, { id, provider, address }, { apiKey, headers: headersOf(given.headers, null) });
    const name = given.name ?? nameFor(provider, address);
    const moment = now();
    const row = { id, userId, projectId, name, provider, address, folderId, extraBody, defaultModel, createdAt: moment, updatedAt: moment };
    return db.transaction(async (tx) => {
      const repository = connectionRepository(tx);
      const limit = connectionLimits.connections;
      if ((await repository.countAlone(userId)) >= limit) throw new ConnectionRefused('limit', { limit });
      const connection = toConnection(await repository.add({ ...row, ...sealed }), 0, language);
      await storeIdempotentResponse(tx, connection);
      return connection;
    });
  }

  /** A key and headers belong to their host: they go when it changes without new ones. */
  async update(userId: OwnerId, id: string, given: ConnectionUpdate, language: Language): Promise<ModelConnection> {
    const { db, secrets, operator } = this.deps;
    if (operator.has(id)) throw new ConnectionRefused('operator');
    const own = await this.own(userId, id);
    const address = given.address === undefined ? own.address : await this.checkedAddress(given.address, language);
    const row = await db.transaction(async (tx) => {
      const repository = connectionRepository(tx);
      const before = orNotFound(await repository.lock(userId, id));
      const to = { id, provider: before.provider, address: given.address === undefined ? before.address : address };
      const isSameHost = connectionHost(to) === connectionHost(before);
      const stored = isSameHost ? openSecrets(secrets, before) : { apiKey: null, headers: null, isUnreadable: false };
      const knownNames = isSameHost ? before.headerNames : [];
      const problems: FieldProblem[] = [
        ...checkKey(before.provider, to.address, given.apiKey),
        ...checkNeeds(
          to.provider,
          to.address,
          given.apiKey === undefined ? isSameHost && before.keySealed !== null : given.apiKey !== null,
        ),
        ...checkHeaders(given.headers, knownNames),
        ...checkExtraBody(given.extraBody),
        ...unreadable(stored.isUnreadable, given),
      ];
      refuseProblems(problems, language);
      const { name, folderId, extraBody, defaultModel } = given;
      const changesSecrets = !isSameHost || given.apiKey !== undefined || given.headers !== undefined;
      const apiKey = given.apiKey === undefined ? stored.apiKey : given.apiKey;
      const headers = given.headers === undefined ? stored.headers : headersOf(given.headers, stored.headers);
      const sealed = changesSecrets ? sealSecrets(secrets, to, { apiKey, headers }) : {};
      const isSameServer = to.address === before.address && !changesSecrets;
      const unknown = isSameServer
        ? {}
        : { models: null, toldPrices: null, modelsLeftOut: 0, modelsAt: null, modelsProblem: null, tested: null, checkedAt: null };
      return repository.update(userId, id, { name, folderId, extraBody, defaultModel, address: to.address, ...sealed, ...unknown });
    });
    return toConnection(orNotFound(row), (await connectionRepository(db).uses(userId)).get(id) ?? 0, language);
  }

  /** Throws `connection_used` while agents use the connection, unless they are to have none. */
  async remove(userId: OwnerId, id: string, evenIfUsed: boolean): Promise<void> {
    if (this.deps.operator.has(id)) throw new ConnectionRefused('operator');
    await this.deps.db.transaction(async (tx) => {
      const repository = connectionRepository(tx);
      orNotFound(await repository.lock(userId, id));
      const agents = (await repository.uses(userId)).get(id) ?? 0;
      if (agents > 0 && !evenIfUsed) throw new ApiError('connection_used', { details: { agents }, params: { count: agents } });
      await repository.remove(userId, id);
    });
  }

  async models(userId: OwnerId, id: string, query: string, language: Language): Promise<ConnectionModels> {
    const found = await this.find(userId, id);
    const { lists } = this.deps;
    return found.kind === 'operator'
      ? lists.ofOperator(found.connection, { userId, query, language, isForced: false })
      : lists.ofConnection(found.row, { userId, query, language, isForced: false });
  }

  async readModels(userId: OwnerId, id: string, language: Language): Promise<ConnectionModels> {
    const found = await this.find(userId, id);
    const { lists } = this.deps;
    return found.kind === 'operator'
      ? lists.ofOperator(found.connection, { userId, query: '', language, isForced: true })
      : lists.ofConnection(found.row, { userId, query: '', language, isForced: true });
  }

  async test(...[user, id, request, language, signal]: Parameters<TestOfUser>): ReturnType<TestOfUser> {
    return this.deps.test(user, await this.find(user.ownerId, id), request, language, signal);
  }

  async use(userId: OwnerId, id: string, { agentIds, model, isPreview }: { agentIds: string[]; model: string; isPreview: boolean }) {
    const { db, operator, switchConnection } = this.deps;
    await this.find(userId, id);
    const rows = await connectionRepository(db).list(userId, null);
    const names = new Map([...operator.values(), ...rows].map((one) => [one.id, one.name]));
    const nameOf = (one: string) => names.get(one) ?? null;
    const agents = await switchConnection(userId, { id, model, nameOf }, { ids: agentIds, isPreview });
    if (!isPreview) await this.deps.learnListed(userId, id);
    return { agents };
  }

  /** Remembers what lists tell of the models that an agent has just chosen. */
  async learnChosen(userId: OwnerId, ids: readonly (string | undefined)[]): Promise<void> {
    for (const id of new Set(ids)) if (id !== undefined) await this.deps.learnListed(userId, id);
  }

  private async find(userId: OwnerId, id: string): Promise<Found> {
    const connection = this.deps.operator.get(id);
    return connection ? { kind: 'operator', connection } : { kind: 'own', row: await this.own(userId, id) };
  }

  private async own(userId: OwnerId, id: string): Promise<ConnectionRow> {
    return orNotFound(await connectionRepository(this.deps.db).find(userId, id));
  }

  private operatorsOwn(connection: OperatorConnection, agents: number, language: Language): ModelConnection {
    const known = this.deps.lists.knownOfOperator(connection.id);
    return toOperatorConnection(connection, { ...known, since: this.since }, agents, language);
  }

  private async checkedAddress(given: string | null, language: Language): Promise<string | null> {
    if (given === null) return null;
    const refuse = (text: FieldProblem['text']) => refuseProblems([{ path: 'address', text }], language);
    const address = connectionAddress(given);
    if (address === null) refuse('field.address_form');
    else if (hasSecret(address)) refuse('field.host_with_login');
    else if (!(await this.deps.isHostAllowed(address))) refuse('field.closed_host');
    return address;
  }
}

type TestOfUser = (
  user: Pick<Member, 'ownerId'>,
  id: string,
  request: Parameters<TestConnection>[2],
  language: Language,
  signal: AbortSignal,
) => ReturnType<TestConnection>;

export type ModelConnections = ModelConnectionService;

/** What cannot be decrypted must be entered again with the next change of key or headers: it would be lost without a word. */
function unreadable(isUnreadable: boolean, { apiKey, headers }: ConnectionUpdate): FieldProblem[] {
  const isChanged = apiKey !== undefined || headers !== undefined;
  return isUnreadable && isChanged && apiKey === undefined ? [{ path: 'apiKey', text: 'problem.key_unreadable' }] : [];
}

/** The headers of a call by name; a header without a value keeps its stored one. */
function headersOf(given: ConnectionUpdate['headers'], stored: Record<string, string> | null): Record<string, string> | null {
  if (given === undefined) return null;
  return Object.fromEntries(given.map(({ name, value }) => [name, value ?? stored?.[name] ?? '']));
}

function nameFor(provider: ModelConnection['provider'], address: string | null): string {
  return address === null ? provider : new URL(address).host.slice(0, 60);
}
