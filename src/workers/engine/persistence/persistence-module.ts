import { done, outcomeOf } from '../../../model/problem.ts';
import type { DocumentModule } from '../document/document-module.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';
import { CanvasPersistence } from './canvas-persistence.ts';
import type { JournalOwner } from './journal-owner.ts';
import { pollCanvasVersion } from './poll-canvas-version.ts';

export type PersistenceModule = EngineModule<'conflict.resolve'> & {
  canvas: CanvasPersistence;
};

/** Saves the document to the server and to this tab's journal as it is edited. R31 */
export function createPersistenceModule(context: EngineContext, document: DocumentModule, journalOwner: JournalOwner): PersistenceModule {
  const { store, source, tabId } = context;
  const canvas = new CanvasPersistence(context, document, journalOwner);
  const stopPolling = source.kind === 'server' ? pollCanvasVersion(context, (version) => void canvas.autosave?.noteVersion(version)) : null;
  return {
    handlers: {
      'conflict.resolve': async ({ keep }) => {
        if (!canvas.autosave) return done;
        const problem = await canvas.autosave.resolve(keep);
        if (!problem) document.check.soon();
        return outcomeOf(problem);
      },
    },
    canvas,
    onMessage(message) {
      if (message.type !== 'canvas_updated' || message.projectId !== store.state.project?.id || message.origin === tabId()) return;
      void canvas.autosave?.noteVersion(message.version);
    },
    onOnline: () => canvas.autosave?.retry(),
    onEdited: (change, undo) => canvas.autosave?.edited(change?.patches ?? [], undo),
    onProjectGone: () => canvas.autosave?.close(),
    async close() {
      stopPolling?.();
      // What fails here is left to the journal's next reader.
      await canvas.flush().catch(() => {});
      canvas.autosave?.close();
      journalOwner.close();
    },
  };
}
