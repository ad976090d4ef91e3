import { v4 } from 'uuid';
import { providerModels, providerTypes } from '../../../contract/agent.ts';
import type { KnownModels } from '../../../contract/model-connection.ts';
import { elapsed } from '../../platform/clock.ts';
import { createEgress } from '../../platform/egress/egress.ts';
import type { PrivateHosts } from '../../platform/egress/private-hosts.ts';
import type { Proxies } from '../../platform/egress/proxies.ts';
import type { Models } from '../../platform/llm/choose-model.ts';
import { createAccessTokens } from '../../platform/llm/gigachat/access-tokens.ts';
import { exchangeKey } from '../../platform/llm/gigachat/exchange-key.ts';
import { createDescribeModel, type DescribeModel } from '../../platform/model-lists/describe-model.ts';
import { localOrigins } from '../../platform/model-lists/local-servers.ts';
import type { PriceList } from '../../platform/prices/price-list.ts';
import { createFindLocal } from './find-local.ts';
import { createLearnListed, type LearnListedDeps } from './learn-listed.ts';
import { ModelListCache, type ModelListDeps } from './model-list-cache.ts';
import { ModelConnectionService, type ModelConnectionsDeps } from './service.ts';
import { createTestConnection, type TestConnectionDeps } from './test-connection.ts';

type ConnectionsDeps = Pick<
  ModelConnectionsDeps,
  'db' | 'secrets' | 'operator' | 'resolveProject' | 'switchConnection' | 'isHostAllowed' | 'now'
> & {
  models: Models;
  traits: LearnListedDeps['traits'] & ModelListDeps['traits'];
  prices: PriceList;
  meter: TestConnectionDeps['meter'];
  gigaChat: { authUrl: string; scope: string };
  /** Origins on this machine that users may call; none on a server that others can reach. */
  openOrigins: readonly string[];
  allowPrivateHosts: PrivateHosts;
  proxies: Proxies;
  newId: () => string;
};

/** A list is answered at once, or not at all (ms). */
const listTimes = { idleTimeoutMs: 10_000, totalTimeoutMs: 20_000 };

/** Makes the service of connections with its lists and tests. */
export function createConnections(deps: ConnectionsDeps): ModelConnectionService {
  const { db, secrets, operator, models, traits, prices, openOrigins, allowPrivateHosts, proxies, newId, now } = deps;
  const learnListed = createLearnListed({ db, traits });
  const describe = createDescribeModel(prices, now);
  const lists = new ModelListCache({
    db,
    secrets,
    learnListed,
    traits,
    now,
    egress: {
      users: createEgress({ allowPrivate: allowPrivateHosts, openOrigins, proxies, ...listTimes }),
      operators: createEgress({ allowPrivate: true, proxies, ...listTimes }),
    },
    tokenFor: gigaChatTokens(deps),
    describe,
  });
  const test = createTestConnection({
    db,
    secrets,
    models,
    prices,
    newId,
    now,
    meter: deps.meter,
    defaultModel: (provider) => providerModels[provider][0].name,
  });
  const isForThisMachine = openOrigins.length > 0;
  const localEgress = createEgress({ allowPrivate: false, proxies: null, openOrigins: localOrigins, ...listTimes });
  return new ModelConnectionService({
    db,
    secrets,
    operator,
    lists,
    test,
    now,
    learnListed,
    resolveProject: deps.resolveProject,
    switchConnection: deps.switchConnection,
    isHostAllowed: deps.isHostAllowed,
    findLocal: isForThisMachine ? createFindLocal(localEgress) : async () => [],
    known: () => offeredModels(describe),
  });
}

/** The names that are offered for agents without a connection. */
function offeredModels(describe: DescribeModel): KnownModels {
  return providerTypes.flatMap((provider) =>
    provider === 'simulated'
      ? []
      : [{ provider, models: providerModels[provider].map(({ name: id }) => describe(provider, { id }, null)) }],
  );
}

function gigaChatTokens({ gigaChat, proxies }: Pick<ConnectionsDeps, 'gigaChat' | 'proxies'>) {
  const call = createEgress({ allowPrivate: true, proxies, ...listTimes });
  const tokens = createAccessTokens((key) => exchangeKey({ ...gigaChat, call, newId: v4 }, key), elapsed);
  return (key: string, signal: AbortSignal) => tokens.tokenFor(key, signal);
}
