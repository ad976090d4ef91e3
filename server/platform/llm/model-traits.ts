import { createHash } from 'node:crypto';
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

/** What a model at a host was found to refuse or to want, by calls. */
export type Traits = z.infer<typeof traits>;

export type ModelTraits = {
  /** Never rejects: without its database, a server asks its models again. */
  find: (host: string, model: string) => Promise<Traits>;
  /** Returns what is in memory. */
  peek: (host: string, model: string) => Traits;
  learn: (host: string, model: string, change: Partial<Traits>) => Promise<void>;
};

/** Models in memory, and of one host in the database. */
const maxModels = 1_000;
const maxModelsOfHost = 200;
/** How long memory is trusted where other servers learn too (ms). A mended model server is asked again after thirty days. */
const freshMs = 600_000;

type Entry = { traits: Traits; until: number };

/** Remembers what calls have shown, in memory and in the database. `onLearn` gets names only, for the log; `clock` is monotonic (ms). */
export function createModelTraits(
  db: Db | null,
  onLearn: (about: { host: string; model: string; change: Partial<Traits> }) => void = () => {},
  clock: () => number = () => performance.now(),
): ModelTraits {
  const known = new Map<string, Entry>();
  const nameOf = (host: string, model: string) => JSON.stringify([host, model]);
  const keep = (name: string, found: Traits) => {
    known.delete(name);
    known.set(name, { traits: found, until: clock() + freshMs });
    const [oldest] = known.keys();
    if (known.size > maxModels && oldest !== undefined) known.delete(oldest);
  };
  const peek = (host: string, model: string) => known.get(nameOf(host, model))?.traits ?? knownBefore(model);

  return {
    peek,
    async find(host, model) {
      const entry = known.get(nameOf(host, model));
      if (entry && (db === null || clock() < entry.until)) return entry.traits;
      const found = await read(db, host, model).catch(() => null);
      keep(nameOf(host, model), found ? merged(knownBefore(model), found) : peek(host, model));
      return peek(host, model);
    },
    async learn(host, model, change) {
      const before = peek(host, model);
      const after = merged(before, change);
      if (JSON.stringify(after) === JSON.stringify(before)) return;
      keep(nameOf(host, model), after);
      onLearn({ host, model, change });
      await write(db, { host, model }, after).catch(() => {});
    },
  };
}

/**
 * Returns traits for calls that have fields or headers of their owner's: these may make a server refuse, or answer as, something else. Such calls know
 * what all calls have shown; what they show themselves is known to calls of this owner only.
 */
export function traitsOfOwner(traits: ModelTraits, owner: string): ModelTraits {
  const digest = createHash('sha256').update(owner).digest('base64url');
  const own = (host: string) => `${host} ${digest}`;
  const joined = (shared: Traits, { tools, context, ...known }: Traits) =>
    merged(shared, { ...known, tools: tools ?? shared.tools, context: context ?? shared.context });
  return {
    peek: (host, model) => joined(traits.peek(host, model), traits.peek(own(host), model)),
    find: async (host, model) => joined(await traits.find(host, model), await traits.find(own(host), model)),
    learn: (host, model, change) => traits.learn(own(host), model, change),
  };
}

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

async function read(db: Db | null, host: string, model: string): Promise<Traits | null> {
  const found = await db?.execute(sql`SELECT refused, wants, tools, context FROM model_traits
    WHERE host = ${host} AND model = ${model} AND seen_at > now() - interval '30 days'`);
  return traits.safeParse(found?.rows[0]).data ?? null;
}

async function write(db: Db | null, { host, model }: { host: string; model: string }, found: Traits): Promise<void> {
  const [refused, wants] = [JSON.stringify(found.refused), JSON.stringify(found.wants)];
  await db?.execute(sql`INSERT INTO model_traits (host, model, refused, wants, tools, context)
    VALUES (${host}, ${model}, ${refused}::jsonb, ${wants}::jsonb, ${found.tools}, ${found.context})
    ON CONFLICT (host, model) DO UPDATE SET refused = excluded.refused, wants = excluded.wants,
      tools = excluded.tools, context = excluded.context, seen_at = now()`);
  await db?.execute(sql`DELETE FROM model_traits WHERE host = ${host} AND model NOT IN
    (SELECT model FROM model_traits WHERE host = ${host} ORDER BY seen_at DESC LIMIT ${maxModelsOfHost})`);
}
