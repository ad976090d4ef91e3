import type { DocumentIndex } from '../geometry/document-index.ts';
import type { AnnotationIds } from './annotation-ids.ts';
import type { CardPen } from './cards/card-pen.ts';
import type { DraggedNodes } from './cards/dragged-nodes.ts';
import type { QuadIndices } from './gpu/quad-indices.ts';
import type { MeshKind } from './gpu/quad-mesh.ts';
import type { LinkWriter } from './links/link-writer.ts';
import type { RunOnCanvas } from './run-on-canvas.ts';
import type { DocumentCells } from './tiles/document-cells.ts';
import type { TileBuilder } from './tiles/tile-builder.ts';

/** The shared resources of all layers of a scene. */
export type SceneParts = {
  index: DocumentIndex;
  run: RunOnCanvas;
  dragged: DraggedNodes;
  pen: CardPen;
  linkWriter: LinkWriter;
  builder: TileBuilder;
  cells: DocumentCells;
  annotations: AnnotationIds;
  indices: QuadIndices;
  kinds: { cards: MeshKind; links: MeshKind };
};
