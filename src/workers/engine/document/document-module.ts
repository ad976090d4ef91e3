import { loopRounds } from '../../../../contract/executions/run-graph.ts';
import en from '../../../../locales/en/content/nodes.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/nodes.json' with { type: 'json' };
import type { CommandResult, DocumentCommand, ForeseeCommand } from '../../../model/commands.ts';
import { applyDocumentCommand } from '../../../model/document/document-command.ts';
import type { EditCommand, Edited } from '../../../model/document/edit-command.ts';
import type { NodeTexts } from '../../../model/document/place-item.ts';
import type { SelectionCommand } from '../../../model/document/selection-commands.ts';
import { UndoStack } from '../../../model/document/undo-stack.ts';
import type { DocumentChange } from '../../../model/document/working-document.ts';
import { done, failed, type Outcome, type Problem } from '../../../model/problem.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import type { FlowCopies } from '../agents/flow-copies.ts';
import type { EngineContext } from '../engine-context.ts';
import type { CommandOf, EngineModule } from '../engine-module.ts';
import type { UndoEdit } from '../environment/environment.ts';
import { loadPart } from '../load-part.ts';
import { DocumentCheck } from './document-check.ts';
import { EditQueue } from './edit-queue.ts';
import { Foresight } from './foresight.ts';

export type DocumentModule = EngineModule<DocumentCommand['type'] | ForeseeCommand['type']> & {
  undo: UndoStack;
  check: DocumentCheck;
  /** Updates in the state whether undo and redo are possible. */
  showUndo(): void;
  /** Resolves when the edits that wait are made; null if none waits. */
  waiting(): Promise<unknown> | null;
};

/** Edits the document, with undo and validation. Commands are refused while a run locks the document. Each command is one undo step. */
export function createDocumentModule(context: EngineContext): DocumentModule {
  const { source, store, console, notices, environment, language, notify } = context;
  const undo = new UndoStack();
  const queue = new EditQueue(() => store.state.project?.id, showUndo);
  const check = new DocumentCheck(store, environment, {
    knowsAgents: source.kind !== 'local',
    foresight: new Foresight(context, { beginsAtOnce: source.kind !== 'demo' }),
  });
  /** Loaded when a flow or a pattern is placed first. */
  let copies: FlowCopies | null = null;

  const placing = () => ({ agents: store.state.agents, texts: nodeTexts(language()), newId: environment.newId });

  const edit: Handler<EditCommand['type']> = (command) => finish(command, applyDocumentCommand(store.working, command, placing()));

  function finish(command: EditCommand | CommandOf<'pattern.place'>, edited: Outcome<Edited>): Outcome<CommandResult> {
    if (!edited.ok) return edited;
    const { change, result, unmatched = [], skipped = [] } = edited.value;
    const [loopId] = command.type === 'link.add' ? (result?.loopIds ?? []) : [];
    if (loopId !== undefined) notices.show({ code: 'link.becameLoop', params: { rounds: loopRounds, loopId } }, 'info');
    put(change, 'goesOn' in command && command.goesOn === true);
    const warnings = [...agentless(unmatched), ...skipped.map((agent) => ({ code: 'flow.agentSkipped', params: { agent } }))];
    console.add(warnings.map((event) => console.line(event, 'warning')));
    return { ok: true, value: result };
  }

  function put(change: DocumentChange | null, goesOn = false): void {
    if (!change) return;
    undo.push(change, goesOn);
    announce(change, { extent: undo.extent, put: undo.newest });
  }

  /** Carries an edit out that has waited. A run may have started meanwhile, and another project may be open. */
  function afterWait<T extends DocumentCommand['type']>(projectId: string | undefined, put: Handler<T>): Handler<T> {
    return (command) => (store.state.project?.id === projectId ? unlocked(put)(command) : failed('workspace.opening'));
  }

  /** The rules of selected cards are loaded first. */
  const editSelection: Handler<SelectionCommand['type']> = async (command) => {
    const projectId = store.state.project?.id;
    const part = await loadPart(context, () => import('../../../model/document/selection-commands.ts'));
    if (!part) return failed('network');
    const apply: Handler<SelectionCommand['type']> = (now) => {
      const edited = part.applySelectionCommand(store.working, now, placing());
      if (edited.ok) put(edited.value.change);
      return edited.ok ? { ok: true, value: edited.value.result } : edited;
    };
    return afterWait(projectId, apply)(command);
  };

  const step: Handler<'history.undo' | 'history.redo'> = ({ type }) => walk(type === 'history.undo', false);

  /** Undoes or redoes a step. `isChanged`: the step is not as it is stored. */
  const walk = (isUndo: boolean, isChanged: boolean): Outcome<CommandResult> => {
    const taken = isUndo ? undo.undo() : undo.redo();
    if (!taken) return failed(isUndo ? 'undo.nothing' : 'redo.nothing');
    const put = isChanged ? undo.newest : null;
    announce(store.working.apply(isUndo ? taken.inverse : taken.patches), { extent: undo.extent, put });
    if (isUndo) copies?.takenBack(taken, () => check.soon());
    return done;
  };

  const place: Handler<'node.place'> = (command) =>
    command.item.kind === 'flow' ? withCopies(command, store.state.project?.id, () => edit(command)) : edit(command);

  const placePattern: Handler<'pattern.place'> = async (command) => {
    const projectId = store.state.project?.id;
    const part = await loadPart(context, () => import('../../../model/patterns/place-pattern.ts'));
    if (!part) return failed('pattern.notLoaded');
    return withCopies(command, projectId, () => finish(command, part.placePattern(store.working, command, placing())));
  };

  /** Cards of a flow or a pattern without a free agent get copies first. Copies that no card has got are removed again. */
  async function withCopies(
    command: CommandOf<'node.place' | 'pattern.place'>,
    projectId: string | undefined,
    put: () => ReturnType<Handler<'node.place'>>,
  ): Promise<Outcome<CommandResult>> {
    const part = await loadPart(context, () => import('../agents/flow-copies.ts'));
    copies ??= part && new part.FlowCopies(context);
    const goesOn = () => !isLocked(store.state.run) && store.state.project?.id === projectId;
    const made = (await copies?.make(copies.wanted(command, nodeTexts(language())), goesOn)) ?? [];
    const outcome = await afterWait(projectId, put)(command);
    await copies?.keepUsed(made);
    return outcome;
  }

  const redo: Handler<'history.redo'> = (command) => {
    const { next } = undo;
    if (!next || !copies?.isMissing(next)) return step(command);
    return redoWithCopies(copies, next, command);
  };

  /** The cards of a redo get their copies again first. */
  async function redoWithCopies(
    own: FlowCopies,
    next: DocumentChange,
    command: CommandOf<'history.redo'>,
  ): Promise<Outcome<CommandResult>> {
    const projectId = store.state.project?.id;
    const made = await own.restore(next);
    const again: Handler<'history.redo'> = () => (undo.next === next ? walk(false, true) : failed('redo.nothing'));
    const outcome = await afterWait(projectId, again)(command);
    if (!outcome.ok) await own.remove(made);
    return outcome;
  }

  function announce(change: DocumentChange | null, undoEdit: UndoEdit): void {
    if (change) store.documentChanged(change);
    showUndo();
    notify('onEdited', change, undoEdit);
    if (change) check.soon(change);
  }

  function showUndo(): void {
    const { canRedo } = undo.state;
    const canUndo = undo.state.canUndo || queue.hasEdits;
    if (store.state.undo.canUndo === canUndo && store.state.undo.canRedo === canRedo) return;
    store.update((draft) => {
      draft.undo = { canUndo, canRedo };
    });
  }

  const opened =
    <T extends DocumentCommand['type']>(handler: Handler<T>): Handler<T> =>
    (command) =>
      store.state.status === 'ready' ? handler(command) : failed('workspace.opening');
  const unlocked = <T extends DocumentCommand['type']>(handler: Handler<T>): Handler<T> =>
    opened((command) => (isLocked(store.state.run) ? failed('run.locked') : handler(command)));
  const inTurn = <T extends DocumentCommand['type']>(handler: Handler<T>): Handler<T> => queue.inTurn(unlocked(handler));

  return {
    handlers: {
      'node.add': inTurn(edit),
      'node.place': inTurn(place),
      'pattern.place': inTurn(placePattern),
      'node.move': inTurn(edit),
      'node.update': inTurn(edit),
      'nodes.paste': inTurn(edit),
      'nodes.duplicate': inTurn(edit),
      'nodes.layout': inTurn(editSelection),
      'nodes.group': inTurn(edit),
      'nodes.join': inTurn(edit),
      'nodes.set': inTurn(editSelection),
      'nodes.disable': inTurn(editSelection),
      'nodes.align': inTurn(editSelection),
      'nodes.distribute': inTurn(editSelection),
      'canvas.replace': inTurn(edit),
      'canvas.restore': inTurn(edit),
      'selection.remove': inTurn(edit),
      'link.add': inTurn(edit),
      'link.end': inTurn(editSelection),
      'node.insert': inTurn(editSelection),
      'link.loop': inTurn(edit),
      'node.ask': inTurn(edit),
      'link.update': inTurn(edit),
      'links.hold': queue.inTurn(opened(edit)),
      'run.foresee': ({ dialogNodeId, startNodeId }) => {
        check.foresee({ ...(dialogNodeId !== undefined && { dialogNodeId }), ...(startNodeId !== undefined && { startNodeId }) });
        return done;
      },
      'history.undo': inTurn(step),
      'history.redo': inTurn(redo),
    },
    undo,
    check,
    showUndo,
    waiting: () => queue.settled,
    onProjectOpened: () => check.now(),
    close: () => check.close(),
  };
}

type Handler<T extends DocumentCommand['type']> = (command: CommandOf<T>) => Outcome<CommandResult> | Promise<Outcome<CommandResult>>;

/** Cards without an agent are named one by one, more of them are only counted. */
const maxNamed = 3;

function agentless(titles: readonly string[]): Problem[] {
  if (titles.length > maxNamed) return [{ code: 'flow.agentsTaken', params: { count: titles.length } }];
  return titles.map((agent) => ({ code: 'flow.agentTaken', params: { agent } }));
}

/** The texts of new nodes in a language: English, else Russian. */
function nodeTexts(language: string): NodeTexts {
  return language.toLowerCase().startsWith('en') ? en : ru;
}
