import type { Db } from '../../platform/database/database.ts';
import type { TraitsOfAccounts } from '../../platform/llm/model-traits.ts';
import { providerAddresses } from '../../platform/llm/provider-addresses.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { connectionRepository } from './repository.ts';

export type LearnListedDeps = { db: Db; traits: TraitsOfAccounts };

/** Remembers for calls what the list of a connection tells of the models that agents of the account use there: their windows and tools, and their prices. */
export type LearnListed = (userId: OwnerId, connectionId: string) => Promise<void>;

export function createLearnListed({ db, traits }: LearnListedDeps): LearnListed {
  return async (userId, connectionId) => {
    await connectionRepository(db).keepToldPrices(userId, connectionId);
    for (const { provider, address, listed } of await connectionRepository(db).usedModels(userId, connectionId)) {
      const home = address ?? providerAddresses[provider];
      const { context, tools } = listed;
      if (home === null || (context === undefined && tools === undefined)) continue;
      const change = { ...(context !== undefined && { context }), ...(tools !== undefined && { tools }) };
      await traits.of(userId).learn(new URL(home).host, listed.id, change);
    }
  };
}
