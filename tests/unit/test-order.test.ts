import { expect, test } from 'vitest';
import { inTurn } from '../../scripts/test-run/in-turn.ts';

type Task = { name: string; alone?: boolean };

/** Tasks that end when the test says so, and what is running. */
function control() {
  const ends = new Map<string, (result: string) => void>();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    carryOut: ({ name }: Task) =>
      new Promise<string>((resolve) => {
        ends.set(name, resolve);
      }),
    running: async () => {
      await settle();
      return [...ends.keys()];
    },
    end: (name: string) => {
      ends.get(name)?.(`${name} ended`);
      ends.delete(name);
    },
  };
}

test('R10.01 suites begin in their order, two at the same time, and those that measure time run alone', async () => {
  const { carryOut, running, end } = control();
  const tasks: Task[] = [
    { name: 'build', alone: true },
    { name: 'types' },
    { name: 'integration' },
    { name: 'e2e' },
    { name: 'waits', alone: true },
  ];
  const done = inTurn(tasks, 2, carryOut);
  expect(await running()).toEqual(['build']);
  end('build');
  expect(await running()).toEqual(['types', 'integration']);
  end('integration');
  expect(await running()).toEqual(['types', 'e2e']);
  end('types');
  expect(await running()).toEqual(['e2e']);
  end('e2e');
  expect(await running()).toEqual(['waits']);
  end('waits');
  expect(await done).toEqual(['build ended', 'types ended', 'integration ended', 'e2e ended', 'waits ended']);
});

test('R10.01 an error of one suite reaches the caller after the others have had their turn', async () => {
  const begun: string[] = [];
  const tasks: Task[] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  const done = inTurn(tasks, 1, async ({ name }) => {
    begun.push(name);
    if (name === 'a') throw new Error('broken');
  });
  await expect(done).rejects.toThrow('broken');
  expect(begun).toEqual(['a', 'b', 'c']);
});
