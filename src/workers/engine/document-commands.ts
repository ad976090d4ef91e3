import type { CommandResult, DocumentCommand } from '../../model/commands.ts';
import { applyDocumentCommand } from '../../model/document/document-command.ts';
import type { NodeTexts } from '../../model/document/place-item.ts';
import type { UndoStack } from '../../model/document/undo-stack.ts';
import type { DocumentChange } from '../../model/document/working-document.ts';
import { failed, type Outcome, type Problem } from '../../model/problem.ts';
import { isLocked } from '../../model/workspace-state.ts';
import type { UndoEdit } from './environment.ts';
import type { Console } from './store/console.ts';
import type { Store } from './store/store.ts';

type DocumentDependencies = {
  store: Store;
  undo: UndoStack;
  console: Console;
  texts: () => NodeTexts;
  newId: () => string;
  /** Told of every change, undone ones too, and of what it did to the undo; null for a step that changed nothing any more. */
  onEdited: (change: DocumentChange | null, undo: UndoEdit) => void;
};

/** Carries out one command on the document, unless a run has it locked; each is undone as one. */
export function dispatchDocumentCommand(dependencies: DocumentDependencies, command: DocumentCommand): Outcome<CommandResult> {
  const { store, undo, console, texts, newId } = dependencies;
  if (store.state.status !== 'ready') return failed('workspace.opening');
  if (isLocked(store.state.run)) return failed('run.locked');
  if (command.type === 'history.undo' || command.type === 'history.redo') return step(dependencies, command.type);
  const edited = applyDocumentCommand(store.working, command, { agents: store.state.agents, texts: texts(), newId });
  if (!edited.ok) return edited;
  const { change, result, unmatched = [], skipped = [] } = edited.value;
  if (change) {
    undo.push(change, (command.type === 'node.move' || command.type === 'node.update') && command.goesOn === true);
    announce(dependencies, change, { extent: undo.extent, put: undo.newest });
  }
  const warnings = [...agentless(unmatched), ...skipped.map((agent) => ({ code: 'flow.agentSkipped', params: { agent } }))];
  console.add(warnings.map((event) => console.line(event, 'warning')));
  return { ok: true, value: result };
}

/** Cards without an agent are named one by one, many of them only counted. */
const mostNamed = 3;

function agentless(titles: readonly string[]): Problem[] {
  if (titles.length > mostNamed) return [{ code: 'flow.agentsTaken', params: { count: titles.length } }];
  return titles.map((agent) => ({ code: 'flow.agentTaken', params: { agent } }));
}

function step(dependencies: DocumentDependencies, type: 'history.undo' | 'history.redo'): Outcome {
  const { store, undo } = dependencies;
  const taken = type === 'history.undo' ? undo.undo() : undo.redo();
  if (!taken) return failed(type === 'history.undo' ? 'undo.nothing' : 'redo.nothing');
  const change = store.working.apply(type === 'history.undo' ? taken.inverse : taken.patches);
  announce(dependencies, change, { extent: undo.extent, put: null });
  return { ok: true, value: undefined };
}

function announce(dependencies: DocumentDependencies, change: DocumentChange | null, undo: UndoEdit): void {
  if (change) dependencies.store.documentChanged(change);
  showUndo(dependencies);
  dependencies.onEdited(change, undo);
}

export function showUndo({ store, undo }: Pick<DocumentDependencies, 'store' | 'undo'>): void {
  const { canUndo, canRedo } = undo.state;
  if (store.state.undo.canUndo === canUndo && store.state.undo.canRedo === canRedo) return;
  store.update((draft) => {
    draft.undo = { canUndo, canRedo };
  });
}
