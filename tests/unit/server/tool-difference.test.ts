import { expect, test } from 'vitest';
import type { ServerToolRow } from '../../../server/modules/tool-servers/repository.ts';
import { toServerTool } from '../../../server/modules/tool-servers/to-api.ts';

const definition = (lines: number, word: string) =>
  JSON.stringify({
    ...{ title: null, description: Array.from({ length: lines }, (_, at) => (at % 2 === 0 ? `line ${at}` : `${word} ${at}`)).join('\n') },
    ...{ schema: { type: 'object' }, readOnly: false, idempotent: false, destructive: true, openWorld: true },
  });
const differenceOf = (lines: number) =>
  toServerTool({
    ...{ id: 'a', serverId: 'b', name: 'find', callName: 'find', policy: 'ask', isMissing: false, pinnedAt: new Date(0) },
    ...{ pinned: definition(lines, 'old'), current: definition(lines, 'new') },
  } as ServerToolRow).change?.diff ?? '';

test('G3.29 a changed definition is compared line by line; one with very many differing lines is shown as rewritten', () => {
  expect(differenceOf(20)).toContain('     "line 2",');
  const rewritten = differenceOf(1_000);
  expect(rewritten).not.toContain('     "line 2",');
  expect(rewritten).toContain('-    "line 2",');
  expect(rewritten).toContain('+    "new 999"');
});
