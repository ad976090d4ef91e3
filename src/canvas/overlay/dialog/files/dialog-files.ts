import type { GitAddress, InputAddition, InputSet } from '../../../../../contract/input.ts';
import type { CommandResult, Dispatch, InputCommand } from '../../../../model/commands.ts';
import { failed, type Outcome, type Problem } from '../../../../model/problem.ts';
import { Observable } from '../../../../state/observable.ts';
import type { DialogDrafts } from '../dialog-drafts.ts';

/** A file or a repository that is on its way to the server, or was refused. The size of a repository is not known. */
export type AddedFile = { key: number; name: string; bytes: number | null; problem: Problem | null };

/** A file, or the files of a Git address. */
type Addition = File | GitAddress;

type FilesOfDialog = {
  /** Null without a set, and until it is read. */
  set: InputSet | null;
  /** Files that are being added, in order, and those that were refused. */
  added: readonly AddedFile[];
  /** Files that were added since all of them were, and how many were chosen. */
  progress: { done: number; all: number };
  /** Files of the newest archive that were left out. */
  leftOut: InputAddition['leftOut'];
  /** The newest file that was made of a text which was too long for the message. */
  pasted: { name: string; characters: number } | null;
  /** Why the set could not be read or changed. */
  problem: Problem | null;
};

const nothing: FilesOfDialog = { set: null, added: [], progress: { done: 0, all: 0 }, leftOut: [], pasted: null, problem: null };

/** The problem of a set that the server no longer has, and of one that a run has used. */
const gone = 'not_found';
const sealed = 'input_sealed';

/** The files of a project's dialogs. The server keeps them; the drafts keep the id of each set, so that they survive a reload. */
export class DialogFiles extends Observable {
  readonly #drafts: DialogDrafts;
  readonly #dispatch: Dispatch;
  readonly #dialogs = new Map<string, FilesOfDialog>();
  /** The additions of each dialog, one after another: they are listed in order, and the first one creates the set. */
  readonly #work = new Map<string, Promise<void>>();
  #key = 0;

  constructor(drafts: DialogDrafts, dispatch: Dispatch) {
    super();
    this.#drafts = drafts;
    this.#dispatch = dispatch;
  }

  of(nodeId: string): FilesOfDialog {
    return this.#dialogs.get(nodeId) ?? nothing;
  }

  /** Reads the dialog's set from the server, once. */
  async load(nodeId: string): Promise<void> {
    const setId = this.#drafts.inputSetId(nodeId);
    if (setId === null || this.#dialogs.has(nodeId)) return;
    this.#change(nodeId, {});
    this.#settle(nodeId, await this.#ask({ type: 'input.read', setId }));
  }

  /** Reads the set again: a run has used it. */
  async refresh(nodeId: string): Promise<void> {
    const setId = this.#drafts.inputSetId(nodeId);
    if (setId !== null) this.#settle(nodeId, await this.#ask({ type: 'input.read', setId }));
  }

  /**
   * Adds files, and unpacks a ZIP. Each is listed until it is stored, or with the reason why not. `unreadable`: the paths of those that the
   * browser could not read.
   */
  add(nodeId: string, files: readonly File[], unreadable: readonly string[] = []): void {
    if (files.length > 0) this.#addAll(nodeId, files);
    if (unreadable.length === 0) return;
    const refused = unreadable.map((name) => ({ key: ++this.#key, name, bytes: null, problem: { code: 'dialog.fileUnreadable' } }));
    this.#change(nodeId, { added: [...this.of(nodeId).added, ...refused] });
  }

  /** Adds a text that is too long for the message as a file. `nameOf` makes its name from a number that no other file has. */
  addText(nodeId: string, text: string, nameOf: (number: number) => string): void {
    const { set, added } = this.of(nodeId);
    const taken = new Set([...(set?.files ?? []).map(({ path }) => path), ...added.map(({ name }) => name)]);
    let number = 1;
    while (taken.has(nameOf(number))) number += 1;
    const name = nameOf(number);
    this.#change(nodeId, { pasted: { name, characters: text.length } });
    this.add(nodeId, [new File([text], name, { type: 'text/plain' })]);
  }

  /** Adds the files of a repository. */
  addRepository(nodeId: string, address: GitAddress): void {
    this.#addAll(nodeId, [address]);
  }

  #addAll(nodeId: string, files: readonly Addition[]): void {
    const { added, progress } = this.of(nodeId);
    const listed = files.map((file) => ({
      key: ++this.#key,
      ...(isFile(file) ? { name: file.name, bytes: file.size } : { name: file.url, bytes: null }),
      problem: null,
    }));
    const begun = progress.done < progress.all ? progress : nothing.progress;
    this.#change(nodeId, {
      added: [...added, ...listed],
      progress: { ...begun, all: begun.all + files.length },
      leftOut: [],
      problem: null,
    });
    for (const [index, file] of files.entries()) this.#enqueue(nodeId, () => this.#addOne(nodeId, (listed[index] as AddedFile).key, file));
  }

  remove(nodeId: string, path: string): void {
    this.#enqueue(nodeId, async () => {
      const setId = this.#drafts.inputSetId(nodeId);
      if (setId === null) return;
      const outcome = await this.#ask({ type: 'input.removeFile', setId, path });
      if (!outcome.ok && outcome.error.code === sealed) await this.refresh(nodeId);
      else this.#settle(nodeId, outcome);
    });
  }

  /** Takes the set off the dialog. The server removes a set that no run has used. */
  removeAll(nodeId: string): void {
    this.#drafts.keepInputSet(nodeId, null);
    this.#change(nodeId, nothing);
  }

  /** Takes a refused file off the list. */
  dismiss(nodeId: string, key: number): void {
    this.#change(nodeId, { added: this.of(nodeId).added.filter((file) => file.key !== key) });
  }

  async #addOne(nodeId: string, key: number, file: Addition): Promise<void> {
    let outcome = await this.#send(nodeId, file);
    if (!outcome.ok && outcome.error.code === sealed) {
      await this.refresh(nodeId);
      outcome = await this.#send(nodeId, file);
    }
    const { added, progress } = this.of(nodeId);
    const left = outcome.ok
      ? added.filter((one) => one.key !== key)
      : added.map((one) => (one.key === key ? { ...one, problem: outcome.error } : one));
    this.#change(nodeId, { added: left, progress: { ...progress, done: progress.done + 1 } });
    if (outcome.ok) this.#settle(nodeId, outcome);
  }

  async #send(nodeId: string, file: Addition): Promise<Outcome<CommandResult>> {
    const setId = await this.#openSet(nodeId, file);
    if (typeof setId !== 'string') return setId;
    if (!isFile(file)) return this.#ask({ type: 'input.addRepository', setId, ...file });
    const isArchive = /\.zip$/i.test(file.name);
    return this.#ask(
      isArchive ? { type: 'input.addArchive', setId, content: file } : { type: 'input.putFile', setId, path: file.name, content: file },
    );
  }

  /**
   * Returns the id of a set that can change: the dialog's own, else a new one. A run has used a sealed set: the new one is its copy. Another
   * repository takes the place of the one there.
   */
  async #openSet(nodeId: string, file: Addition): Promise<string | Outcome<CommandResult>> {
    const setId = this.#drafts.inputSetId(nodeId);
    if (setId !== null && this.of(nodeId).set === null) {
      const read = await this.#ask({ type: 'input.read', setId });
      this.#settle(nodeId, read);
      if (!read.ok && read.error.code !== gone) return read;
    }
    const { set } = this.of(nodeId);
    if (set?.sealedAt === null) return set.id;
    const copy = set ? { copyOf: set.id, ...(!isFile(file) && { withoutRepository: true }) } : {};
    const made = await this.#ask({ type: 'input.create', ...copy });
    const id = made.ok ? made.value?.inputSet?.id : undefined;
    if (id === undefined) return made;
    this.#drafts.keepInputSet(nodeId, id);
    this.#settle(nodeId, made);
    return id;
  }

  /** Shows the set that the server has now, or why it could not be read. */
  #settle(nodeId: string, outcome: Outcome<CommandResult>): void {
    if (!outcome.ok) {
      if (outcome.error.code === gone) this.#drafts.keepInputSet(nodeId, null);
      this.#change(nodeId, { problem: outcome.error, ...(outcome.error.code === gone && { set: null }) });
      return;
    }
    const { inputSet, leftOut } = outcome.value ?? {};
    // All were removed meanwhile.
    if (inputSet && inputSet.id !== this.#drafts.inputSetId(nodeId)) return;
    this.#change(nodeId, { problem: null, ...(inputSet && { set: inputSet }), ...(leftOut && { leftOut }) });
  }

  #ask(command: InputCommand): Promise<Outcome<CommandResult>> {
    return this.#dispatch(command).catch(() => failed('engine.restarted'));
  }

  #enqueue(nodeId: string, work: () => Promise<void>): void {
    this.#drafts.setAddingFiles(nodeId, true);
    const next = (this.#work.get(nodeId) ?? this.load(nodeId)).then(work).finally(() => {
      if (this.#work.get(nodeId) === next) {
        this.#work.delete(nodeId);
        this.#drafts.setAddingFiles(nodeId, false);
      }
    });
    this.#work.set(nodeId, next);
  }

  #change(nodeId: string, change: Partial<FilesOfDialog>): void {
    this.#dialogs.set(nodeId, { ...this.of(nodeId), ...change });
    this.notify();
  }
}

function isFile(addition: Addition): addition is File {
  return addition instanceof File;
}

const known = new WeakMap<DialogDrafts, DialogFiles>();

/** Returns the files beside these drafts: they outlive the forms, which unmount when their cards are out of view. */
export function filesBeside(drafts: DialogDrafts, dispatch: Dispatch): DialogFiles {
  const before = known.get(drafts);
  if (before) return before;
  const files = new DialogFiles(drafts, dispatch);
  known.set(drafts, files);
  return files;
}
