import { expect, test, vi } from 'vitest';
import { chooseOperator } from '../../../../server/platform/database/embedded/operator.ts';

vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  readFile: async () => 'root:x:0:0:root:/root:/bin/sh\n',
}));

test('R10.01 root is told which accounts PostgreSQL may run as where the machine has none of them', async () => {
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(0);
  try {
    await expect(chooseOperator('/nowhere')).rejects.toThrow(/does not run as root, .* neither a "postgres" nor a "nobody" account/);
  } finally {
    getuid.mockRestore();
  }
});
