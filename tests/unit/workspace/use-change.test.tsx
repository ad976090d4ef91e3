import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Call } from '../../../src/model/call.ts';
import { emptyWorkspace, type WorkspaceState } from '../../../src/model/workspace-state.ts';
import { useCall, useChange, WorkspaceProvider } from '../../../src/workers/bridge/use-workspace.ts';

/** The calls that a component of a workspace has, and the routes that they reached. */
function callsIn(status: WorkspaceState['status']) {
  const reached: string[] = [];
  const call: Call = async (route, ..._sent) => {
    reached.push(route);
    return { ok: true, value: undefined as never };
  };
  const store = { getState: () => ({ ...emptyWorkspace, status }), subscribe: () => () => {} };
  const got: { call?: Call; change?: Call } = {};
  function Part() {
    got.call = useCall();
    got.change = useChange();
    return null;
  }
  renderToStaticMarkup(
    <WorkspaceProvider bridge={{ store, call, dispatch: async () => ({ ok: true, value: undefined }) }}>
      <Part />
    </WorkspaceProvider>,
  );
  return { ...got, reached };
}

test.each(['opening', 'reloading', 'failed'] as const)('W2.02 a workspace that is %s is read, and changes nothing', async (status) => {
  const { call, change, reached } = callsIn(status);
  expect(await change?.('budget.remove', { params: { id: 'b' } })).toEqual({ ok: false, error: { code: 'workspace.opening' } });
  expect(await call?.('storage.get')).toMatchObject({ ok: true });
  expect(reached).toEqual(['storage.get']);
});

test('W2.02 an open workspace makes a call that changes something once', async () => {
  const { change, reached } = callsIn('ready');
  expect(await change?.('budget.remove', { params: { id: 'b' } })).toMatchObject({ ok: true });
  expect(reached).toEqual(['budget.remove']);
});
