import { emptyConsole } from '../../../model/console/console-pages.ts';
import { isRunActive } from '../../../model/workspace-state.ts';
import { loadAgents } from '../agents/agent-list.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';
import { loadHistory } from '../history/history-list.ts';
import type { RunModule } from '../run/run-module.ts';

/** The pause before the demonstration's run starts (ms). */
const startAfterMs = 2_000;

/** The demonstration: shows its project, starts its run without a command, and offers the product at the end. W4.16 */
export function createDemoModule(context: EngineContext, run: RunModule): EngineModule & { open(projectId: string): Promise<void> } {
  const { source, store, backend, console, environment } = context;
  let cancelStart = () => {};
  return {
    handlers: {},
    /** Resets the demonstration, in the current language. */
    async open(projectId) {
      cancelStart();
      run.clear();
      const [project, canvas] = await Promise.all([
        backend.call('project.get', { params: { id: projectId } }),
        backend.call('project.canvas', { params: { id: projectId } }),
      ]);
      if (!project.ok || !canvas.ok) throw new Error('A demonstration has all that it shows');
      const { nodes, connections } = canvas.value;
      store.update((draft) => {
        draft.project = project.value;
        draft.console = structuredClone(emptyConsole);
      });
      await Promise.all([loadAgents(context), loadHistory(context)]);
      store.replaceDocument({ nodes, connections });
      store.update((draft) => {
        draft.status = 'ready';
        draft.connection.realtime = 'demo';
      });
      cancelStart = environment.later(startAfterMs, () => {
        // A run that the visitor has started meanwhile is not repeated.
        if (!isRunActive(store.state.run) && store.state.run.outcome === null) void run.handlers['run.start']({ type: 'run.start' });
      });
    },
    onRunEnded() {
      // A stopped run shows no closing message.
      if (source.kind === 'demo' && store.state.run.outcome === 'completed') console.addEvent({ code: 'demo.finished' });
    },
    close: () => cancelStart(),
  };
}
