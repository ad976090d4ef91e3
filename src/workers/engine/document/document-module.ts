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
import { Foresight } from './foresight.ts';

export type DocumentModule = EngineModule<DocumentCommand['type'] | ForeseeCommand['type']> & {
  undo: UndoStack;
  check: DocumentCheck;
  /** Updates in the state whether undo and redo are possible. */
  showUndo(): void;
};

/** Edits the document, with undo and validation. Commands are refused while a run locks the document. Each command is one undo step. */
export function createDocumentModule(context: EngineContext): DocumentModule {
  const { source, store, console, notices, environment, language, notify } = context;
  const undo = new UndoStack();
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

  /** Returns whether the project that is open now is open still. */
  const openProject = () => {
    const id = store.state.project?.id;
    return () => store.state.project?.id === id;
  };

  /** The rules of selected cards are loaded first. */
  const editSelection: Handler<SelectionCommand['type']> = async (command) => {
    const isOpen = openProject();
    const part = await loadPart(context, () => import('../../../model/document/selection-commands.ts'));
    if (!part) return failed('network');
    if (!isOpen()) return failed('workspace.opening');
    const apply: Handler<SelectionCommand['type']> = (now) => {
      const edited = part.applySelectionCommand(store.working, now, placing());
      if (edited.ok) put(edited.value.change);
      return edited.ok ? { ok: true, value: edited.value.result } : edited;
    };
    // A run may have started meanwhile.
    return unlocked(apply)(command);
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

  /** A flow's cards without a free agent get copies first. */
  const place: Handler<'node.place'> = async (command) => {
    if (command.item.kind !== 'flow') return edit(command);
    await copy(command);
    return unlocked(edit)(command);
  };

  const placePattern: Handler<'pattern.place'> = async (command) => {
    const isOpen = openProject();
    const part = await loadPart(context, () => import('../../../model/patterns/place-pattern.ts'));
    if (!part) return failed('pattern.notLoaded');
    if (!isOpen()) return failed('workspace.opening');
    await copy(command);
    if (!isOpen()) return failed('workspace.opening');
    const put: Handler<'pattern.place'> = () => finish(command, part.placePattern(store.working, command, placing()));
    return unlocked(put)(command);
  };

  async function copy(command: CommandOf<'node.place' | 'pattern.place'>): Promise<void> {
    const part = await loadPart(context, () => import('../agents/flow-copies.ts'));
    copies ??= part && new part.FlowCopies(context);
    await copies?.make(copies.wanted(command, nodeTexts(language())));
  }

  const redo: Handler<'history.redo'> = (command) => {
    const { next } = undo;
    if (!next || !copies?.isMissing(next)) return step(command);
    const again: Handler<'history.redo'> = () => (undo.next === next ? walk(false, true) : failed('redo.nothing'));
    return copies.restore(next).then(() => unlocked(again)(command));
  };

  /** A redo that makes agents, or a step that waits for one: steps are taken in the order in which they are asked for. */
  let turn: Promise<Outcome<CommandResult>> | null = null;
  const inTurn =
    <T extends 'history.undo' | 'history.redo'>(handler: Handler<T>): Handler<T> =>
    (command) => {
      const outcome = turn ? turn.then(() => unlocked(handler)(command)) : handler(command);
      if (!(outcome instanceof Promise)) return outcome;
      const own = outcome.finally(() => {
        if (turn === own) turn = null;
      });
      turn = own;
      return own;
    };

  function announce(change: DocumentChange | null, undoEdit: UndoEdit): void {
    if (change) store.documentChanged(change);
    showUndo();
    notify('onEdited', change, undoEdit);
    if (change) check.soon(change);
  }

  function showUndo(): void {
    const { canUndo, canRedo } = undo.state;
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

  return {
    handlers: {
      'node.add': unlocked(edit),
      'node.place': unlocked(place),
      'pattern.place': unlocked(placePattern),
      'node.move': unlocked(edit),
      'node.update': unlocked(edit),
      'nodes.paste': unlocked(edit),
      'nodes.duplicate': unlocked(edit),
      'nodes.layout': unlocked(editSelection),
      'nodes.group': unlocked(edit),
      'nodes.join': unlocked(edit),
      'nodes.set': unlocked(editSelection),
      'nodes.disable': unlocked(editSelection),
      'nodes.align': unlocked(editSelection),
      'nodes.distribute': unlocked(editSelection),
      'canvas.replace': unlocked(edit),
      'canvas.restore': unlocked(edit),
      'selection.remove': unlocked(edit),
      'link.add': unlocked(edit),
      'link.end': unlocked(editSelection),
      'node.insert': unlocked(editSelection),
      'link.loop': unlocked(edit),
      'node.ask': unlocked(edit),
      'link.update': unlocked(edit),
      'links.hold': opened(edit),
      'run.foresee': ({ dialogNodeId, startNodeId }) => {
        check.foresee({ ...(dialogNodeId !== undefined && { dialogNodeId }), ...(startNodeId !== undefined && { startNodeId }) });
        return done;
      },
      'history.undo': unlocked(inTurn(step)),
      'history.redo': unlocked(inTurn(redo)),
    },
    undo,
    check,
    showUndo,
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
