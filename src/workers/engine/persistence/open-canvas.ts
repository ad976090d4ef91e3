import type { Canvas, CanvasDocument, CanvasPatch } from '../../../../contract/canvas.ts';
import { documentDifferences, isSame } from '../../../model/document/document-differences.ts';
import type { Recovered } from '../../protocol.ts';
import type { Answer, Backend } from '../backends/port.ts';
import type { AdoptedJournal } from './adopt-journals.ts';

export type OpenedCanvas = {
  document: CanvasDocument;
  version: number;
  /** The edits that are in the document and not in the server's canvas. */
  edits: CanvasPatch[];
  /** The server's version, when edits were made on an older one. */
  theirVersion: number | null;
  /** Whether the document is the one that this tab last had: then its undo stack is valid. */
  isAsLeft: boolean;
};

/**
 * Reads a project's canvas and applies all edits that never reached the server. These are those of the given journals, and the document
 * of a page whose worker died. Interrupted saves are sent again first; their keys make the server apply each once.
 */
export async function openCanvas(
  backend: Backend,
  projectId: string,
  tabId: string,
  journals: readonly AdoptedJournal[],
  recovered: Recovered | null,
): Promise<Answer<OpenedCanvas>> {
  const based: { tabId: string; baseVersion: number; edits: CanvasPatch[] }[] = [];
  for (const { key, head, edits } of journals) {
    const { tabId: of } = key;
    if (!head.saving) {
      based.push({ tabId: of, baseVersion: head.baseVersion, edits });
      continue;
    }
    const { idempotencyKey, baseVersion } = head.saving;
    const patches = head.saving.patches as CanvasPatch[];
    const again = await backend.call('project.patchCanvas', { params: { id: projectId }, body: { baseVersion, patches }, idempotencyKey });
    if (!again.ok && again.fault.kind !== 'stale' && again.fault.kind !== 'refused') return again;
    if (again.ok) based.push({ tabId: of, baseVersion: again.value.version, edits: without(edits, patches) });
    else based.push({ tabId: of, baseVersion: head.baseVersion, edits });
  }

  const read = await backend.call('project.canvas', { params: { id: projectId } });
  if (!read.ok) return read;
  const theirs = read.value;
  const opened: OpenedCanvas = {
    document: { nodes: { ...theirs.nodes }, connections: { ...theirs.connections } },
    version: theirs.version,
    edits: [],
    theirVersion: null,
    isAsLeft: based.every((journal) => (journal.tabId === tabId ? journal.baseVersion === theirs.version : journal.edits.length === 0)),
  };
  for (const { baseVersion, edits } of based) {
    overlay(opened.document, edits);
    if (baseVersion !== theirs.version && differs(opened.document, theirs)) opened.theirVersion = theirs.version;
  }
  if (recovered && counts(recovered, theirs, journals, opened)) {
    const missing = documentDifferences(opened.document, recovered.document);
    overlay(opened.document, missing);
    opened.isAsLeft &&= missing.length === 0;
    if (isUnjournaled(recovered, journals) && recovered.version !== theirs.version) opened.theirVersion = theirs.version;
  }
  opened.edits = documentDifferences(theirs, opened.document);
  if (opened.edits.length === 0) opened.theirVersion = null;
  return { ok: true, value: opened };
}

/**
 * Whether the page's document is used. It is if it was made on the server's current version, or if there is a conflict anyway. It also
 * is if it has the only copy of edits.
 */
function counts(recovered: Recovered, theirs: Canvas, journals: readonly AdoptedJournal[], opened: OpenedCanvas): boolean {
  const sentAgain = journals.some(({ head }) => head.saving?.baseVersion === recovered.version);
  return recovered.version === theirs.version || sentAgain || opened.theirVersion !== null || isUnjournaled(recovered, journals);
}

function isUnjournaled({ unsaved }: Recovered, journals: readonly AdoptedJournal[]): boolean {
  return unsaved === true && journals.every(({ head, edits }) => edits.length === 0 && head.saving === null);
}

/** The edits that are not among these patches. */
function without(edits: readonly CanvasPatch[], patches: readonly CanvasPatch[]): CanvasPatch[] {
  const sent = new Map(patches.map((patch) => [`${patch.collection}/${patch.id}`, patch]));
  return edits.filter((edit) => !isSame(sent.get(`${edit.collection}/${edit.id}`), edit));
}

function differs(mine: CanvasDocument, theirs: CanvasDocument): boolean {
  return documentDifferences(theirs, mine).length > 0;
}

/** Applies edits to a document; a link without both of its nodes is left out. */
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
