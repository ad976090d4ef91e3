import type { Canvas, CanvasDocument, CanvasPatch } from '../../../../contract/canvas.ts';
import { documentDifferences, isSame } from '../../../model/document-differences.ts';
import type { Recovered } from '../../protocol.ts';
import type { Answer, Backend } from '../backends/port.ts';
import type { Journal, Journals } from '../environment.ts';

export type OpenedCanvas = {
  document: CanvasDocument;
  version: number;
  /** What the document has beyond the server's. */
  edits: CanvasPatch[];
  /** The server's version, when edits were made on an older one. */
  theirVersion: number | null;
};

/**
 * Reads a project's canvas and lays over it what never reached the server: the given journals' edits, and what a page
 * that outlived its worker still had. Saves that were under way are sent again first, which does them once.
 */
export async function openCanvas(
  backend: Backend,
  projectId: string,
  journals: readonly Journal[],
  recovered: Recovered | null,
): Promise<Answer<OpenedCanvas>> {
  const based: { baseVersion: number; edits: CanvasPatch[] }[] = [];
  for (const { head, edits } of journals) {
    const unsaved = edits.map(asCanvasPatch);
    if (!head.saving) {
      based.push({ baseVersion: head.baseVersion, edits: unsaved });
      continue;
    }
    const { idempotencyKey, baseVersion } = head.saving;
    const patches = head.saving.patches as CanvasPatch[];
    const again = await backend.patchCanvas(projectId, { baseVersion, patches }, { idempotencyKey });
    if (!again.ok && again.fault.kind !== 'stale' && again.fault.kind !== 'refused') return again;
    if (again.ok)
      based.push({ baseVersion: again.value.version, edits: unsaved.filter((edit) => !patches.some((patch) => isSame(patch, edit))) });
    else based.push({ baseVersion: head.baseVersion, edits: unsaved });
  }

  const read = await backend.readCanvas(projectId);
  if (!read.ok) return read;
  const theirs = read.value;
  const opened: OpenedCanvas = {
    document: { nodes: { ...theirs.nodes }, connections: { ...theirs.connections } },
    version: theirs.version,
    edits: [],
    theirVersion: null,
  };
  for (const { baseVersion, edits } of based) {
    overlay(opened.document, edits);
    if (baseVersion !== theirs.version && differs(opened.document, theirs)) opened.theirVersion = theirs.version;
  }
  if (recovered && isNewest(recovered, theirs, journals, opened))
    overlay(opened.document, documentDifferences(opened.document, recovered.document));
  opened.edits = documentDifferences(theirs, opened.document);
  if (opened.edits.length === 0) opened.theirVersion = null;
  return { ok: true, value: opened };
}

/** The journals that this tab may take over: its own, and those of tabs that are gone. */
export async function adoptableJournals(
  journals: Journals | null,
  userId: string,
  projectId: string,
  tabId: string,
  live: ReadonlySet<string> | null,
): Promise<Journal[]> {
  const all = (await journals?.read(userId, projectId).catch(() => [])) ?? [];
  return all.filter(({ key }) => key.tabId === tabId || (live !== null && !live.has(key.tabId)));
}

/** A page's document counts where it was made on what the server has now, or holds edits that are in conflict anyway. */
function isNewest(recovered: Recovered, theirs: Canvas, journals: readonly Journal[], opened: OpenedCanvas): boolean {
  const sentAgain = journals.some(({ head }) => head.saving?.baseVersion === recovered.version);
  return recovered.version === theirs.version || sentAgain || opened.theirVersion !== null;
}

function differs(mine: CanvasDocument, theirs: CanvasDocument): boolean {
  return documentDifferences(theirs, mine).length > 0;
}

/** Lays edits over a document; a link whose ends are not both there is left out. */
function overlay(document: CanvasDocument, edits: readonly CanvasPatch[]): void {
  for (const edit of edits) {
    if (edit.op === 'remove') delete document[edit.collection][edit.id];
    else if (edit.collection === 'nodes') document.nodes[edit.id] = edit.value;
    else document.connections[edit.id] = edit.value;
  }
  for (const [id, { from, to }] of Object.entries(document.connections)) {
    if (!Object.hasOwn(document.nodes, from.agentId) || !Object.hasOwn(document.nodes, to.agentId)) delete document.connections[id];
  }
}

function asCanvasPatch({ collection, id, value }: Journal['edits'][number]): CanvasPatch {
  return (value === null ? { op: 'remove', collection, id } : { op: 'set', collection, id, value }) as CanvasPatch;
}
