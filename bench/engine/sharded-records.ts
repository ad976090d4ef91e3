import { applyPatches, produceWithPatches } from 'immer';
import type { CanvasDocument, CanvasNode } from '../../contract/canvas.ts';
import type { Candidate } from './candidate.ts';

const shardCount = 64;

type Shards = { nodes: Record<string, CanvasNode>[]; connections: Record<string, unknown>[] };

/** Each collection in 64 objects by a hash of the id, immer on both sides. */
export const shardedRecords: Candidate = {
  name: `${shardCount} shards, immer on both sides`,
  open(document) {
    let engine = shard(document);
    let page = shard(document);
    return {
      edit(id, x, y) {
        const [next, patches] = produceWithPatches(engine, (draft) => {
          Object.assign(draft.nodes[shardOf(id)]?.[id] as CanvasNode, { x, y });
        });
        engine = next;
        return patches;
      },
      apply(patches) {
        page = applyPatches(page, patches);
      },
      shown: (id) => page.nodes[shardOf(id)]?.[id] as CanvasNode,
    };
  },
};

function shard(document: CanvasDocument): Shards {
  const shards: Shards = {
    nodes: Array.from({ length: shardCount }, () => ({})),
    connections: Array.from({ length: shardCount }, () => ({})),
  };
  for (const [id, node] of Object.entries(document.nodes)) (shards.nodes[shardOf(id)] as Shards['nodes'][number])[id] = { ...node };
  for (const [id, link] of Object.entries(document.connections))
    (shards.connections[shardOf(id)] as Shards['connections'][number])[id] = { ...link };
  return shards;
}

function shardOf(id: string): number {
  let hash = 0;
  for (let index = 0; index < id.length; index += 1) hash = (hash * 31 + id.charCodeAt(index)) | 0;
  return (hash >>> 0) % shardCount;
}
