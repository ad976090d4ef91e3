import { expect, test } from 'vitest';
import { checkVersionOnReturn } from '../../../src/app/routes/check-version-on-return.ts';
import { type ConnectionState, emptyWorkspace, type WorkspaceState } from '../../../src/model/workspace-state.ts';
import type { WorkspaceStore } from '../../../src/model/workspace-store.ts';
import { Observable } from '../../../src/state/observable.ts';

test('G8.32 the page asks for a newer client when its socket or its server comes back, and not at its first connection', () => {
  let state: WorkspaceState = emptyWorkspace;
  const changes = new Observable<Parameters<Parameters<WorkspaceStore['subscribe']>[0]>>();
  let checks = 0;
  const end = checkVersionOnReturn({ getState: () => state, subscribe: changes.subscribe }, async () => {
    checks += 1;
  });
  const show = (change: Partial<ConnectionState>) => {
    state = { ...state, connection: { ...state.connection, ...change } };
    changes.notify(state, null, { nodes: new Map(), connections: new Map() });
    return checks;
  };
  expect([show({ realtime: 'connecting' }), show({ realtime: 'connected' })]).toEqual([0, 0]);
  expect([show({ realtime: 'disconnected' }), show({ realtime: 'connecting' }), show({ realtime: 'connected' })]).toEqual([0, 0, 1]);
  expect([show({ realtime: 'disconnected' }), show({ online: false }), show({ online: true })]).toEqual([1, 1, 2]);
  end();
  expect(show({ realtime: 'connected' })).toBe(2);
});
