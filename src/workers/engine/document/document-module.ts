import type { Agent } from '../../../../contract/agent.ts';
import { loopRounds } from '../../../../contract/executions/link-values.ts';
import en from '../../../../locales/en/content/nodes.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/nodes.json' with { type: 'json' };
import type { CommandResult, DocumentCommand, ForeseeCommand } from '../../../model/commands.ts';
import { isCopying } from '../../../model/document/copy-commands.ts';
import { applyDocumentCommand } from '../../../model/document/document-command.ts';
import type { EditCommand, Edited, SelectionCommand } from '../../../model/document/edit-command.ts';
import { linksFrom } from '../../../model/document/links/loop-commands.ts';
import type { NodeTexts } from '../../../model/document/place-item.ts';
import { UndoStack } from '../../../model/document/undo-stack.ts';
import type { DocumentChange } from '../../../model/document/working-document.ts';
import { done, failed, type Outcome, type Problem } from '../../../model/problem.ts';
import { linkMeaning } from '../../../model/run/link-meaning.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import type { AgentCopies, PlacingCommand } from '../agents/agent-copies.ts';
import { loadAgents } from '../agents/agent-list.ts';
import type { Made } from '../agents/many-agents.ts';
import type { EngineContext } from '../engine-context.ts';
import type { CommandOf, EngineModule } from '../engine-module.ts';
import type { UndoEdit } from '../environment/environment.ts';
import { loadPart } from '../load-part.ts';
import { refusalNotice } from '../refusal-notice.ts';
import { DocumentCheck } from './document-check.ts';
import { EditQueue } from './edit-queue.ts';
import { Foresight } from './foresight.ts';

type CopyType = 'nodes.paste' | 'nodes.duplicate' | 'canvas.replace';

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
  const editor = new DocumentEditor(context);
  const { undo, check, queue } = editor;
  const edit = editor.inTurn((command: CommandOf<EditCommand['type']>) => editor.edit(command));
  const copy = editor.inTurn((command: CommandOf<CopyType>) => editor.copy(command));
  const editSelection = editor.inTurn((command: CommandOf<SelectionCommand['type']>) => editor.editSelection(command));
  return {
    handlers: {
      'node.add': edit,
      'node.place': editor.inTurn((command) => editor.place(command)),
      'pattern.place': editor.inTurn((command) => editor.placePattern(command)),
      'node.move': edit,
      'node.update': edit,
      'nodes.paste': copy,
      'nodes.duplicate': copy,
      'nodes.layout': editSelection,
      'nodes.group': edit,
      'nodes.join': edit,
      'nodes.set': editSelection,
      'nodes.disable': editSelection,
      'nodes.align': editSelection,
      'nodes.distribute': editSelection,
      'canvas.replace': copy,
      'canvas.restore': edit,
      'selection.remove': edit,
      'link.add': edit,
      'link.end': editSelection,
      'node.insert': editSelection,
      'link.loop': edit,
      'node.choose': edit,
      'node.ask': edit,
      'link.update': edit,
      'links.hold': queue.inTurn(editor.opened((command) => editor.edit(command))),
      'run.foresee': ({ dialogNodeId, startNodeId }) => {
        check.foresee({ ...(dialogNodeId !== undefined && { dialogNodeId }), ...(startNodeId !== undefined && { startNodeId }) });
        return done;
      },
      'history.undo': editor.inTurn((command) => editor.takeBack(command)),
      'history.redo': editor.inTurn((command) => editor.redo(command)),
    },
    undo,
    check,
    showUndo: () => editor.showUndo(),
    waiting: () => queue.settled,
    onProjectOpened: () => {
      editor.forgetProject();
      check.now();
    },
    close: () => check.close(),
  };
}

type Handler<T extends DocumentCommand['type']> = (command: CommandOf<T>) => Outcome<CommandResult> | Promise<Outcome<CommandResult>>;

/** Carries the commands out. Each change is an undo step and is checked, and the other modules hear of it. */
class DocumentEditor {
  readonly undo = new UndoStack();
  readonly queue: EditQueue;
  readonly check: DocumentCheck;
  readonly #context: EngineContext;
  /** Loaded when a flow or a pattern is placed first, or cards are copied. */
  #copies: AgentCopies | null = null;
  /** Whether what the stored steps of the open project say of their agents is known. */
  #knowsSteps = false;

  constructor(context: EngineContext) {
    const { source, store, environment } = context;
    this.#context = context;
    this.queue = new EditQueue(
      () => this.#projectId,
      () => this.showUndo(),
    );
    this.check = new DocumentCheck(store, environment, {
      knowsAgents: source.kind !== 'local',
      foresight: new Foresight(context, { beginsAtOnce: source.kind !== 'demo' }),
    });
  }

  inTurn<T extends DocumentCommand['type']>(handler: Handler<T>): Handler<T> {
    return this.queue.inTurn(this.#unlocked(handler));
  }

  opened<T extends DocumentCommand['type']>(handler: Handler<T>): Handler<T> {
    const { store } = this.#context;
    return (command) => (store.state.status === 'ready' ? handler(command) : failed('workspace.opening'));
  }

  edit(command: CommandOf<EditCommand['type']>, made?: ReadonlyMap<string, Agent>): Outcome<CommandResult> {
    const context = { ...this.#placing(), ...(made && { made }) };
    return this.#finish(command, applyDocumentCommand(this.#context.store.working, command, context));
  }

  /** The rules of selected cards are loaded first. */
  async editSelection(command: CommandOf<SelectionCommand['type']>): Promise<Outcome<CommandResult>> {
    const projectId = this.#projectId;
    const part = await loadPart(this.#context, () => import('../../../model/document/selection-commands.ts'));
    if (!part) return failed('network');
    const apply: Handler<SelectionCommand['type']> = (now) => {
      const edited = part.applySelectionCommand(this.#context.store.working, now, this.#placing());
      if (edited.ok) this.#put(edited.value.change);
      return edited.ok ? { ok: true, value: edited.value.result } : edited;
    };
    return this.#afterWait(projectId, apply)(command);
  }

  place(command: CommandOf<'node.place'>): ReturnType<Handler<'node.place'>> {
    if (command.into !== undefined) return this.#placeInto({ ...command, into: command.into });
    const edit = () => this.edit(command);
    return command.item.kind === 'flow' ? this.#withCopies(command, this.#projectId, edit) : edit();
  }

  async #placeInto(command: CommandOf<'node.place'> & { into: string }): Promise<Outcome<CommandResult>> {
    const projectId = this.#projectId;
    const part = await loadPart(this.#context, () => import('../../../model/document/links/place-into.ts'));
    if (!part) return failed('network');
    const put = () => this.#finish(command, part.placeInto(this.#context.store.working, command, this.#placing()));
    return this.#afterWait(projectId, put)(command);
  }

  /** Copied cards bring their agents. Only a server makes agents. */
  copy(command: CommandOf<CopyType>): ReturnType<Handler<CopyType>> {
    const { source } = this.#context;
    return source.kind === 'server'
      ? this.#withCopies(command, this.#projectId, (made) => this.edit(command, agentsByCard(made)))
      : this.edit(command);
  }

  async placePattern(command: CommandOf<'pattern.place'>): Promise<Outcome<CommandResult>> {
    const projectId = this.#projectId;
    const part = await loadPart(this.#context, () => import('../../../model/patterns/place-pattern.ts'));
    if (!part) return failed('pattern.notLoaded');
    const { working } = this.#context.store;
    return this.#withCopies(command, projectId, () => this.#finish(command, part.placePattern(working, command, this.#placing())));
  }

  forgetProject(): void {
    this.#knowsSteps = false;
  }

  takeBack(command: CommandOf<'history.undo'>): ReturnType<Handler<'history.undo'>> {
    return this.#needsSteps ? this.#withSteps(command, () => this.walk(true)) : this.walk(true);
  }

  /** Undoes or redoes a step. `isChanged`: the step is not as it is stored. */
  walk(isUndo: boolean, isChanged = false): Outcome<CommandResult> {
    const { undo } = this;
    const taken = isUndo ? undo.undo() : undo.redo();
    if (!taken) return failed(isUndo ? 'undo.nothing' : 'redo.nothing');
    const isRenewed = this.#copies?.renew(taken) ?? false;
    const put = isChanged || (isRenewed && !isUndo) ? undo.newest : null;
    this.#announce(this.#context.store.working.apply(isUndo ? taken.inverse : taken.patches), { extent: undo.extent, put });
    if (isUndo) this.#copies?.takenBack(taken, () => this.check.soon());
    return done;
  }

  redo(command: CommandOf<'history.redo'>): ReturnType<Handler<'history.redo'>> {
    if (this.#needsSteps) return this.#withSteps(command, (again) => this.redo(again));
    const { next } = this.undo;
    return next && this.#copies?.isMissing(next) ? this.#redoWithCopies(this.#copies, next, command) : this.walk(false);
  }

  showUndo(): void {
    const { store } = this.#context;
    const { canRedo } = this.undo.state;
    const canUndo = this.undo.state.canUndo || this.queue.hasEdits;
    if (store.state.undo.canUndo === canUndo && store.state.undo.canRedo === canRedo) return;
    store.update((draft) => {
      draft.undo = { canUndo, canRedo };
    });
  }

  get #needsSteps(): boolean {
    return !this.#knowsSteps && this.undo.kept.steps.some(({ made }) => made !== undefined);
  }

  /** Walks once it is known which agents were made for the steps of an earlier page. Without that they stay. */
  async #withSteps<T extends 'history.undo' | 'history.redo'>(command: CommandOf<T>, walk: Handler<T>): Promise<Outcome<CommandResult>> {
    const projectId = this.#projectId;
    (await this.#loadCopies())?.remember(this.undo.kept.steps);
    this.#knowsSteps = true;
    return this.#afterWait(projectId, walk)(command);
  }

  async #loadCopies(): Promise<AgentCopies | null> {
    const part = await loadPart(this.#context, () => import('../agents/agent-copies.ts'));
    this.#copies ??= part && new part.AgentCopies(this.#context);
    return this.#copies;
  }

  get #projectId(): string | undefined {
    return this.#context.store.state.project?.id;
  }

  #placing() {
    const { store, environment, language } = this.#context;
    return { agents: store.state.agents, texts: nodeTexts(language()), newId: environment.newId };
  }

  #unlocked<T extends DocumentCommand['type']>(handler: Handler<T>): Handler<T> {
    return this.opened((command) => (isLocked(this.#context.store.state.run) ? failed('run.locked') : handler(command)));
  }

  /** Carries an edit out that has waited. A run may have started meanwhile, and another project may be open. */
  #afterWait<T extends DocumentCommand['type']>(projectId: string | undefined, put: Handler<T>): Handler<T> {
    return (command) => (this.#projectId === projectId ? this.#unlocked(put)(command) : failed('workspace.opening'));
  }

  #finish(command: EditCommand | CommandOf<'pattern.place'>, edited: Outcome<Edited>): Outcome<CommandResult> {
    if (!edited.ok) return edited;
    const { notices, console } = this.#context;
    const { change, result, unmatched = [], skipped = [] } = edited.value;
    const [loopId] = command.type === 'link.add' ? (result?.loopIds ?? []) : [];
    if (loopId !== undefined) notices.show({ code: this.#loopNotice(loopId), params: { rounds: loopRounds, loopId } }, 'info');
    this.#put(change, 'goesOn' in command && command.goesOn === true);
    const warnings = [...agentless(unmatched), ...skipped.map((agent) => ({ code: 'flow.agentSkipped', params: { agent } }))];
    console.add(warnings.map((event) => console.line(event, 'warning')));
    return { ok: true, value: result };
  }

  /** A loop that nothing ends costs all its rounds: that is said at once. */
  #loopNotice(loopId: string): string {
    const { working } = this.#context.store;
    const loop = working.link(loopId);
    const isAlways = loop && linkMeaning(loop, linksFrom(working), working.document.nodes) === 'always';
    return isAlways ? 'link.becameLoopAlways' : 'link.becameLoop';
  }

  #put(change: DocumentChange | null, goesOn = false): void {
    if (!change) return;
    this.#copies?.bind(change);
    this.undo.push(change, goesOn);
    this.#announce(change, { extent: this.undo.extent, put: this.undo.newest });
  }

  /** Cards without a free agent get one first. Those that no card has got are removed again. */
  async #withCopies(
    command: PlacingCommand,
    projectId: string | undefined,
    put: (made: readonly Made[]) => Outcome<CommandResult>,
  ): Promise<Outcome<CommandResult>> {
    const { store, language } = this.#context;
    const copies = await this.#loadCopies();
    const goesOn = () => !isLocked(store.state.run) && this.#projectId === projectId;
    const choice = 'agents' in command ? command.agents : isCopying(command) ? undefined : 'some';
    const wanted = choice === 'none' ? [] : (copies?.wanted(command, nodeTexts(language())) ?? []);
    const { made, problem } = (await copies?.make(wanted, { goesOn, fits: choice === 'some' })) ?? { made: [], problem: null };
    if (choice === undefined && problem?.code === 'quota_reached') {
      await copies?.remove(made.map(({ agent }) => agent.id));
      return failed('agent.noRoom', { wanted: wanted.length, room: made.length + Number(problem.params?.room ?? 0) });
    }
    const outcome = await this.#afterWait(projectId, () => put(made))(command);
    await copies?.keepUsed(made);
    if (problem && problem.code !== 'quota_reached') await this.#sayNotMade(command, problem);
    return outcome;
  }

  /** Cards stand without agents: says why. One of another tab may have removed the original. */
  async #sayNotMade(command: PlacingCommand, problem: Problem): Promise<void> {
    const notice = refusalNotice(command, problem);
    if (notice) this.#context.notices.show(notice, 'warning');
    if (problem.code === 'not_found' && !(await loadAgents(this.#context, { quietly: true }))) this.check.soon();
  }

  /** The cards of a redo get their copies again first. */
  async #redoWithCopies(copies: AgentCopies, next: DocumentChange, command: CommandOf<'history.redo'>): Promise<Outcome<CommandResult>> {
    const projectId = this.#projectId;
    const made = await copies.restore(next);
    const again: Handler<'history.redo'> = () => (this.undo.next === next ? this.walk(false, true) : failed('redo.nothing'));
    const outcome = await this.#afterWait(projectId, again)(command);
    if (!outcome.ok) await copies.remove(made);
    return outcome;
  }

  #announce(change: DocumentChange | null, undoEdit: UndoEdit): void {
    if (change) this.#context.store.documentChanged(change);
    this.showUndo();
    this.#context.notify('onEdited', change, undoEdit);
    if (change) this.check.soon(change);
  }
}

/** The agents that were made for copies, by the ids of the copied cards. */
function agentsByCard(made: readonly Made[]): Map<string, Agent> {
  return new Map(made.flatMap(({ agent, wanted }) => (wanted.of === undefined ? [] : [[wanted.of, agent] as const])));
}

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
