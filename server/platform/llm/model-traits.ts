import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Db } from '../database/database.ts';
import { sql } from '../database/drizzle.ts';

const traits = z.object({
  /** Parameters that the model refuses. */
  refused: z.array(z.string()),
  /** The name or the value that it wants in place of a parameter. */
  wants: z.record(z.string(), z.object({ as: z.string().optional(), value: z.union([z.string(), z.number()]).optional() })),
  tools: z.boolean().nullable(),
  /** The most tokens of a prompt with its answer. */
  context: z.number().nullable(),
});

/** Names of what asks a model to think, in the bodies of the protocols. */
export const ofEffort = ['reasoning_effort', 'reasoning', 'thinking', 'output_config', 'generationConfig.thinkingConfig'];

/** What a model at a host was found to refuse or to want, by calls. */
export type Traits = z.infer<typeof traits>;

export type ModelTraits = {
  /** Never rejects: without its database, a server asks its models again. */
  find: (host: string, model: string) => Promise<Traits>;
  /** Returns what is in memory. */
  peek: (host: string, model: string) => Traits;
  learn: (host: string, model: string, change: Partial<Traits>) => Promise<void>;
  /** Learns for ten minutes, on this server alone. */
  learnBriefly: (host: string, model: string, change: Partial<Traits>) => Promise<void>;
  /** Returns the windows and tools of all models of a host that calls have shown, by the models' names. Never rejects. */
  ofHost: (host: string) => Promise<Map<string, Pick<Traits, 'tools' | 'context'>>>;
};

/**
 * What calls have shown, for each account apart. A server can be made to say anything: by its owner, or by fields and tools that a user has it repeat.
 * It then changes calls of that account alone.
 */
export type TraitsOfAccounts = { of: (userId: string) => ModelTraits };

/** Models in memory, and of one account in the database. */
const maxModels = 5_000;
const maxModelsOfAccount = 200;
/** How long memory is trusted where other servers learn too (ms). A mended model server is asked again after thirty days. */
const freshMs = 600_000;

/** `isBrief`: something of it holds until then only. */
type Entry = { traits: Traits; until: number; isBrief: boolean };

/** Remembers what calls have shown, in memory and in the database. `onLearn` gets names only, for the log; `clock` is monotonic (ms). */
export function createModelTraits(
  db: Db | null,
  onLearn: (about: { host: string; model: string; change: Partial<Traits> }) => void = () => {},
  clock: () => number = () => performance.now(),
): TraitsOfAccounts {
  const known = new LRUCache<string, Entry>({ max: maxModels });
  const keep = (name: string, found: Traits, isBrief = false) => known.set(name, { traits: found, until: clock() + freshMs, isBrief });

  return {
    of(userId) {
      const account = accountInRow(userId);
      const nameOf = (host: string, model: string) => JSON.stringify([account, host, model]);
      const peek = (host: string, model: string) => known.get(nameOf(host, model))?.traits ?? knownBefore(model);
      return {
        peek,
        async find(host, model) {
          const entry = known.get(nameOf(host, model));
          if (entry && ((db === null && !entry.isBrief) || clock() < entry.until)) return entry.traits;
          const before = peek(host, model);
          const found = await read(db, { account, host, model }).catch(() => before);
          keep(nameOf(host, model), merged(knownBefore(model), found));
          return peek(host, model);
        },
        async learn(host, model, change) {
          const before = peek(host, model);
          const after = merged(before, change);
          if (JSON.stringify(after) === JSON.stringify(before)) return;
          keep(nameOf(host, model), after);
          onLearn({ host, model, change });
          await write(db, { account, host, model }, merged(nothing, change)).catch(() => {});
        },
        async learnBriefly(host, model, change) {
          onLearn({ host, model, change });
          keep(nameOf(host, model), merged(peek(host, model), change), true);
        },
        ofHost: (host) => readHost(db, { account, host }).catch(() => new Map()),
      };
    },
  };
}

/** The name of an account in a row, which names no person: the row may stay for its thirty days after the account. */
export function accountInRow(userId: string): string {
  return createHash('sha256').update(`model traits ${userId}`).digest('base64url').slice(0, 16);
}

const nothing: Traits = { refused: [], wants: {}, tools: null, context: null };

/** Thinking models of OpenAI and Anthropic, under whichever address: they refuse a temperature, OpenAI's also the old name of the length. */
function knownBefore(model: string): Traits {
  const isOpenAi = /(?:^|\/)(?:o[1-9]|gpt-[5-9])/.test(model) && !model.includes('-chat');
  const isClaude = /(?:^|\/)claude-(?:opus-4[-.][7-9]|[a-z]+-[5-9])/.test(model);
  const wants: Traits['wants'] = isOpenAi ? { max_tokens: { as: 'max_completion_tokens' } } : {};
  return { refused: isOpenAi || isClaude ? ['temperature'] : [], wants, tools: null, context: null };
}

function merged(before: Traits, { refused = [], wants = {}, ...change }: Partial<Traits>): Traits {
  return { ...before, ...change, refused: [...new Set([...before.refused, ...refused])], wants: { ...before.wants, ...wants } };
}

type ModelKey = { account: string; host: string; model: string };

/** Returns what was learnt of the models of a host, by their names. */
async function readHost(
  db: Db | null,
  { account, host }: Omit<ModelKey, 'model'>,
): Promise<Map<string, Pick<Traits, 'tools' | 'context'>>> {
  const found = await db?.execute<Pick<Traits, 'tools' | 'context'> & { model: string }>(sql`SELECT model, tools, context FROM model_traits
    WHERE account = ${account} AND host = ${host} AND seen_at > now() - interval '30 days'`);
  return new Map(found?.rows.map(({ model, tools, context }) => [model, { tools, context }]));
}

/** Returns nothing for a model without a row, or with an unusable one. */
async function read(db: Db | null, { account, host, model }: ModelKey): Promise<Traits> {
  const found = await db?.execute(sql`SELECT refused, wants, tools, context FROM model_traits
    WHERE account = ${account} AND host = ${host} AND model = ${model} AND seen_at > now() - interval '30 days'`);
  const known = traits.safeParse(found?.rows[0]).data ?? nothing;
  // Earlier releases have stored a refused effort, which is believed for ten minutes only.
  return { ...known, refused: known.refused.filter((name) => !ofEffort.includes(name)) };
}

/** Adds to what other servers have learnt of the model meanwhile. */
async function write(db: Db | null, { account, host, model }: ModelKey, learnt: Traits): Promise<void> {
  const [refused, wants] = [JSON.stringify(learnt.refused), JSON.stringify(learnt.wants)];
  await db?.execute(sql`DELETE FROM model_traits WHERE seen_at <= now() - interval '30 days' OR (account, host, model) IN
    (SELECT account, host, model FROM model_traits WHERE account = ${account} ORDER BY seen_at DESC OFFSET ${maxModelsOfAccount - 1})`);
  await db?.execute(sql`INSERT INTO model_traits (account, host, model, refused, wants, tools, context)
    VALUES (${account}, ${host}, ${model}, ${refused}::jsonb, ${wants}::jsonb, ${learnt.tools}, ${learnt.context})
    ON CONFLICT (account, host, model) DO UPDATE SET
      refused = (SELECT coalesce(jsonb_agg(DISTINCT name), '[]') FROM jsonb_array_elements(model_traits.refused || excluded.refused) AS name),
      wants = model_traits.wants || excluded.wants, tools = coalesce(excluded.tools, model_traits.tools),
      context = coalesce(excluded.context, model_traits.context), seen_at = now()`);
}
