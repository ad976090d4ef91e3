import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Connection } from '../../../../contract/canvas.ts';
import { findLinksWithSettings, updateLinksWithSettings } from '../../../../src/canvas/overlay/links/links-with-settings.ts';

test('G1.03 the links with settings that are followed by edits are those of the whole canvas', () => {
  const links = fc
    .dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom(undefined, {}, { label: 'yes' }, { hold: 'once' as const }))
    .map((runs) =>
      Object.fromEntries(
        Object.entries(runs).map(([id, run]): [string, Connection] => [
          id,
          { id, from: { agentId: 'x', port: 'out' }, to: { agentId: 'y', port: 'in' }, ...(run && { run }) },
        ]),
      ),
    );
  fc.assert(
    fc.property(links, links, (before, after) => {
      const ids = findLinksWithSettings({ connections: before });
      const earlier = new Map([...Object.keys(before), ...Object.keys(after)].map((id) => [id, before[id]]));
      const now = updateLinksWithSettings(ids, { connections: after }, earlier);
      const whole = findLinksWithSettings({ connections: after });
      expect([...now].sort()).toEqual(whole.sort());
      if ([...ids].sort().join() === whole.join()) expect(now).toBe(ids);
    }),
  );
});
