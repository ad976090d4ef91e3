import { extend, type PixiReactElementProps } from '@pixi/react';
import { Container } from 'pixi.js';
import { Component, type ReactNode, type RefCallback, useCallback, useEffect, useState } from 'react';
import type { ObservableValue } from '../../state/observable.ts';
import { useObserved } from '../../state/use-observed.ts';
import { importPart } from '../../ui/loading/import-part.ts';
import { AnnotationLayer } from './layers/annotation-layer.ts';
import { CardLayer } from './layers/card-layer.ts';
import { CardMarksLayer } from './layers/card-marks-layer.ts';
import { GestureLayer } from './layers/gesture-layer.ts';
import { GridLayer } from './layers/grid-layer.ts';
import { LinkLayer } from './layers/link-layer.ts';
import { LinkMarksLayer } from './layers/link-marks-layer.ts';
import type { SceneLayer } from './layers/scene-layer.ts';
import { SearchLayer } from './layers/search-layer.ts';
import type { PixiScene } from './pixi-scene.ts';

const elements = {
  Container,
  GridLayer,
  AnnotationLayer,
  LinkLayer,
  LinkMarksLayer,
  CardLayer,
  CardMarksLayer,
  SearchLayer,
  GestureLayer,
};

extend(elements);

declare module '@pixi/react' {
  interface PixiElements {
    pixiGridLayer: PixiReactElementProps<typeof GridLayer>;
    pixiAnnotationLayer: PixiReactElementProps<typeof AnnotationLayer>;
    pixiLinkLayer: PixiReactElementProps<typeof LinkLayer>;
    pixiLinkMarksLayer: PixiReactElementProps<typeof LinkMarksLayer>;
    pixiCardLayer: PixiReactElementProps<typeof CardLayer>;
    pixiCardMarksLayer: PixiReactElementProps<typeof CardMarksLayer>;
    pixiSearchLayer: PixiReactElementProps<typeof SearchLayer>;
    pixiGestureLayer: PixiReactElementProps<typeof GestureLayer>;
  }
}

/** The content of a layer; also the key of its name in the locales. */
export type LayerName = 'grid' | 'groups' | 'links' | 'linkMarks' | 'notes' | 'cards' | 'search' | 'comparison' | 'cardMarks' | 'gesture';

type SceneTreeProps = {
  /** Holds the scene once it can draw. An observable, since props that change while the application starts are reverted. */
  source: ObservableValue<PixiScene | null>;
  onLayerError: (layer: LayerName) => void;
};

/**
 * The layers of the scene, the lowest first. React mounts them once. A frame, a pan or a change of the document renders nothing here.
 */
export function SceneTree({ source, onLayerError }: SceneTreeProps) {
  const scene = useObserved(source, source.get);
  if (!scene) return null;
  const { parts } = scene;
  const boundary = { scene, onLayerError };
  return (
    <pixiContainer eventMode="none" interactiveChildren={false}>
      <Layer name="grid" {...boundary}>
        {(ref) => <pixiGridLayer ref={ref} parts={parts} />}
      </Layer>
      <pixiContainer ref={scene.setWorld} isRenderGroup>
        <Layer name="groups" {...boundary}>
          {(ref) => <pixiAnnotationLayer ref={ref} parts={parts} kind="group" isLifted={false} />}
        </Layer>
        <Layer name="links" {...boundary}>
          {(ref) => <pixiLinkLayer ref={ref} parts={parts} isLifted={false} />}
        </Layer>
        <Layer name="linkMarks" {...boundary}>
          {(ref) => <pixiLinkMarksLayer ref={ref} parts={parts} />}
        </Layer>
        <Layer name="notes" {...boundary}>
          {(ref) => <pixiAnnotationLayer ref={ref} parts={parts} kind="note" isLifted={false} />}
        </Layer>
        <Layer name="cards" {...boundary}>
          {(ref) => <pixiCardLayer ref={ref} parts={parts} isLifted={false} />}
        </Layer>
        <Layer name="search" {...boundary}>
          {(ref) => <pixiSearchLayer ref={ref} parts={parts} />}
        </Layer>
        <LayerBoundary onError={() => onLayerError('comparison')}>
          <LoadedComparison scene={scene} />
        </LayerBoundary>
        <Layer name="cardMarks" {...boundary}>
          {(ref) => <pixiCardMarksLayer ref={ref} parts={parts} isLifted={false} />}
        </Layer>
        <pixiContainer ref={scene.setLifted}>
          <Layer name="groups" {...boundary}>
            {(ref) => <pixiAnnotationLayer ref={ref} parts={parts} kind="group" isLifted />}
          </Layer>
          <Layer name="links" {...boundary}>
            {(ref) => <pixiLinkLayer ref={ref} parts={parts} isLifted />}
          </Layer>
          <Layer name="notes" {...boundary}>
            {(ref) => <pixiAnnotationLayer ref={ref} parts={parts} kind="note" isLifted />}
          </Layer>
          <Layer name="cards" {...boundary}>
            {(ref) => <pixiCardLayer ref={ref} parts={parts} isLifted />}
          </Layer>
          <Layer name="cardMarks" {...boundary}>
            {(ref) => <pixiCardMarksLayer ref={ref} parts={parts} isLifted />}
          </Layer>
        </pixiContainer>
        <Layer name="gesture" {...boundary}>
          {(ref) => <pixiGestureLayer ref={ref} parts={parts} />}
        </Layer>
      </pixiContainer>
    </pixiContainer>
  );
}

type LayerProps = {
  name: LayerName;
  scene: PixiScene;
  onLayerError: (layer: LayerName) => void;
  children: (ref: RefCallback<SceneLayer>) => ReactNode;
};

/** One layer with its own error boundary: an error in it removes only this layer. */
function Layer({ name, scene, onLayerError, children }: LayerProps) {
  return (
    <LayerBoundary onError={() => onLayerError(name)}>
      <MountedLayer scene={scene}>{children}</MountedLayer>
    </LayerBoundary>
  );
}

/** The layer of a comparison, loaded at the first one. */
function LoadedComparison({ scene }: Pick<LayerProps, 'scene'>) {
  const isWanted = useObserved(scene.isCompared, scene.isCompared.get);
  const [loaded, setLoaded] = useState<{ error?: unknown } | null>(null);
  useEffect(() => {
    if (isWanted)
      importPart(() => import('./layers/comparison-element.ts')).then(
        () => setLoaded({}),
        (error) => setLoaded({ error }),
      );
  }, [isWanted]);
  if (loaded?.error) throw loaded.error;
  return loaded && <MountedLayer scene={scene}>{(ref) => <pixiComparisonLayer ref={ref} parts={scene.parts} />}</MountedLayer>;
}

/** Registers a layer with the scene. Throws an error of a frame here, where the boundary catches it. */
function MountedLayer({ scene, children }: Pick<LayerProps, 'scene' | 'children'>) {
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  const mount = useCallback(
    (layer: SceneLayer | null) => {
      if (!layer) return;
      const unmount = scene.layers.mount(layer, (error) => setFailure({ error }));
      return () => {
        unmount();
        // React destroys only the topmost object that it removes, and PixiJS does not destroy its children.
        layer.destroy();
      };
    },
    [scene],
  );
  if (failure) throw failure.error;
  return children(mount);
}

class LayerBoundary extends Component<{ onError: () => void; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(): void {
    this.props.onError();
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}
