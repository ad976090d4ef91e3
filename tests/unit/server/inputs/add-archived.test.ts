import { expect, test } from 'vitest';
import { addArchived } from '../../../../server/modules/inputs/add-archived.ts';
import type { InputRepository, InputSetRow } from '../../../../server/modules/inputs/repository.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';

test('G3.12 the files of a ZIP are stored a few at a time, however small they are: other accounts wait for none of the statements', async () => {
  const stored: number[] = [];
  const inside = {
    ownFiles: async () => [],
    basePaths: async () => [],
    unsent: async () => ({ sets: 1, bytes: 0 }),
    put: async (_id: string, _from: string, files: readonly unknown[]) => void stored.push(files.length),
    putLeftOut: async () => {},
  } as unknown as InputRepository;
  const found = Array.from({ length: 1_001 }, (_, at) => ({ path: `${at}.txt`, content: Buffer.from('x'), isExecutable: false }));
  const adding = { userId: asOwner('ann'), inside, storing: (_files: unknown, write: () => Promise<void>) => write() };
  await addArchived(adding, { id: 'set' } as InputSetRow, { found, texts: new Map() });
  expect(Math.max(...stored)).toBeLessThanOrEqual(200);
  expect(stored.reduce((sum, files) => sum + files, 0)).toBe(1_001);
});
