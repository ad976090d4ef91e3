import type { Buffer, Shader, WebGLRenderer } from 'pixi.js';
import type { Palette } from '../../ui/palette.ts';
import type { FoldedStore } from '../folding/folded-store.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import { AnnotationIds } from './annotation-ids.ts';
import { CardPen } from './cards/card-pen.ts';
import { DraggedNodes } from './cards/dragged-nodes.ts';
import { QuadIndices } from './gpu/quad-indices.ts';
import type { MeshKind } from './gpu/quad-mesh.ts';
import { quadAttributes, quadVertexBytes } from './gpu/quad-shader.ts';
import { QuadWriter } from './gpu/quad-writer.ts';
import { linkAttributes, linkVertexBytes } from './links/link-shader.ts';
import { LinkWriter } from './links/link-writer.ts';
import { RunOnCanvas } from './run-on-canvas.ts';
import type { CardTexts } from './text/card-texts.ts';
import type { GlyphAtlas } from './text/glyph-atlas.ts';
import type { TextLayout } from './text/text-layout.ts';
import { DocumentCells } from './tiles/document-cells.ts';
import { TileBuilder } from './tiles/tile-builder.ts';

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
  /** How often quads were sent to the GPU. */
  uploads: { count: number };
};

type SceneResources = {
  /** Which groups are folded. */
  shown: Pick<FoldedStore, 'folding'>;
  index: DocumentIndex;
  texts: CardTexts;
  palette: Palette;
  layout: TextLayout;
  atlas: GlyphAtlas;
  /** The shaders of cards and of links. */
  quads: Shader;
  lines: Shader;
  renderer: WebGLRenderer;
};

export function createSceneParts({ shown, index, texts, palette, layout, atlas, quads, lines, renderer }: SceneResources): SceneParts {
  const indices = new QuadIndices();
  const uploads = { count: 0 };
  const upload = (buffer: Buffer) => {
    uploads.count += 1;
    renderer.buffer.updateBuffer(buffer);
  };
  const sources = {
    index,
    run: new RunOnCanvas(shown),
    dragged: new DraggedNodes(),
    pen: new CardPen(new QuadWriter(), layout, atlas, palette),
    linkWriter: new LinkWriter(),
  };
  return {
    ...sources,
    builder: new TileBuilder(sources, texts),
    cells: new DocumentCells(index),
    annotations: new AnnotationIds(),
    indices,
    uploads,
    kinds: {
      cards: { shader: quads, vertexBytes: quadVertexBytes, attributes: quadAttributes, indices, upload },
      links: { shader: lines, vertexBytes: linkVertexBytes, attributes: linkAttributes, indices, upload },
    },
  };
}
