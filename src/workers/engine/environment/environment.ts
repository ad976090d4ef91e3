import type { UndoExtent } from '../../../model/document/undo-stack.ts';

/** All external dependencies of the engine. A test passes its own clock, network and disk. */
export type Environment = {
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  /** Runs `task` once after `ms`; the returned function cancels it. */
  later(ms: number, task: () => void): () => void;
  /** Writes to the developer's console. */
  warn(text: string): void;
  openSocket(url: string): Socket;
  /** The base of relative addresses. */
  pageUrl?: string;
  /** Calls back each time the browser is online again; the returned function ends that. */
  onOnline(listener: () => void): () => void;
  /** The journals of this browser; throws where storage is denied. */
  openJournals(): Promise<Journals>;
  locks: TabLocks;
};

/** The part of a WebSocket that the engine uses. */
export type Socket = Pick<WebSocket, 'send' | 'close' | 'onopen' | 'onmessage' | 'onclose'>;

/** The names of open tabs. */
export type TabLocks = {
  /** Holds a tab's name until released; null when another tab still holds it after `waitMs`. */
  hold(tabId: string, waitMs: number): Promise<(() => void) | null>;
  /** Names that open tabs hold; null where that is not known. */
  openTabs(): Promise<ReadonlySet<string> | null>;
};

export type JournalKey = { userId: string; projectId: string; tabId: string };

/** One edit that the server does not have yet: a record's newest value, null when it was removed. */
export type JournalEdit = { collection: 'nodes' | 'connections'; id: string; value: unknown; revision: number };

/** A save that was sent and not yet answered. Sent again unchanged, it is done once. */
export type JournalSave = { idempotencyKey: string; baseVersion: number; patches: unknown[] };

export type JournalHead = { baseVersion: number; saving: JournalSave | null };

/** The change of an edit to the undo stack: the present steps, and the added one, if any. */
export type UndoEdit = { extent: UndoExtent; put: { number: number; change: unknown } | null };

export type Journal = { key: JournalKey; head: JournalHead; edits: JournalEdit[] };

/** Holds edits until the server has them. Each call is atomic, and throws when the disk refuses. */
export type Journals = {
  write(key: JournalKey, head: JournalHead, edits: JournalEdit[], undo: UndoEdit | null): Promise<void>;
  /** Replaces all edits of the journal. */
  replace(key: JournalKey, head: JournalHead, edits: JournalEdit[]): Promise<void>;
  /** Removes the edits that are not newer than the given revision of their record. */
  acknowledge(key: JournalKey, head: JournalHead, saved: Pick<JournalEdit, 'collection' | 'id' | 'revision'>[]): Promise<void>;
  /** Every journal of a user's project, of all tabs. */
  read(userId: string, projectId: string): Promise<Journal[]>;
  remove(key: JournalKey): Promise<void>;
  /** The unparsed undo stack of a journal; null without one. */
  readUndo(key: JournalKey): Promise<unknown>;
  /** Replaces the undo of the journal; null removes it. */
  replaceUndo(key: JournalKey, undo: { extent: UndoExtent; steps: readonly unknown[] } | null): Promise<void>;
  close(): void;
};
