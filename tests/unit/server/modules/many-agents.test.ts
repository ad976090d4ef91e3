import { expect, test } from 'vitest';
import { ApiError } from '../../../../server/http/api-error.ts';
import { createMany } from '../../../../server/modules/agents/many-agents.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';

type Parts = Parameters<typeof createMany>;

/** Asks for agents with prompts of these lengths in an account with `free` bytes. Returns how many would fit. */
async function roomFor(lengths: readonly number[], free: number): Promise<unknown> {
  const newRow = (_userId: string, { systemPrompt }: { systemPrompt: string }) => ({ id: 'a', title: 't', systemPrompt });
  const agents = { newRow, copiesOf: async () => [] } as unknown as Parts[0]['agents'];
  const storing = async () => {
    throw new ApiError('quota_reached', { details: { usedBytes: 1_000, limitBytes: 1_000 + free } });
  };
  const given = lengths.map((length) => ({ systemPrompt: 'x'.repeat(length) })) as unknown as Parts[2]['given'];
  const refused = createMany({ db: {} as Parts[0]['db'], agents, storage: { storing } as never }, asOwner('user'), {
    given,
    storeIdempotentResponse: async () => undefined,
  });
  const error = await refused.catch((reason: unknown) => reason);
  return error instanceof ApiError ? error.options.details : error;
}

test('R37.02 the refusal of too many agents says how many of the first ones fit, and leaves a tenth of the room for their cards', async () => {
  const small = 100;
  // A large one in front leaves less room, and one behind does not count against those before it.
  expect(await roomFor([small, small, 100_000, small], 10_000)).toMatchObject({ room: 2 });
  expect(await roomFor([100_000, small, small], 10_000)).toMatchObject({ room: 0 });
  expect(await roomFor([9_100], 10_000)).toMatchObject({ room: 0 });
  expect(await roomFor([8_500], 10_000)).toMatchObject({ room: 1 });
  expect(await roomFor([small], -500)).toMatchObject({ room: 0, usedBytes: 1_000 });
});
