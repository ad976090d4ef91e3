import { useCallback, useEffect, useRef, useState } from 'react';
import type { Scene, SceneStats } from '../../../canvas/scene/scene.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { saveFile } from '../frame/save-file.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { framesShown } from './frame-graph.tsx';
import { FrameProbe } from './frame-probe.ts';
import { type FrameRecord, type FrameSummary, summarise } from './frame-summary.ts';
import { MessageProbe, type RoundTrip, type UpdateSize } from './message-probe.ts';
import { Recorder, type RecordingConditions } from './recording.ts';

/** The interval at which the shown figures are updated (ms), which limits the cost of the panel itself. */
const showIntervalMs = 500;
/** The number of frames that the figures summarise: a few seconds of movement. */
const framesSummed = 300;

type Measures = {
  rate: number;
  summary: FrameSummary;
  latest: readonly FrameRecord[];
  stats: SceneStats;
  trip: RoundTrip | null;
  update: UpdateSize | null;
  /** The number of frames in the current recording. */
  recorded: number;
};

/** Measures while the component is mounted; `record` begins a recording, `stop` ends it and saves it as a file. */
export function useMeasures(scene: Scene, roundTrip: () => Promise<number>) {
  const store = useStore();
  const { view } = useWorkspaceContext();
  const recorder = useRef<Recorder | null>(null);
  const [recordingSince, setRecordingSince] = useState<string | null>(null);
  const [measures, setMeasures] = useState<Measures>(() => ({
    rate: 0,
    summary: summarise([]),
    latest: [],
    stats: scene.stats(),
    trip: null,
    update: null,
    recorded: 0,
  }));

  useEffect(() => {
    let frames: FrameRecord[] = [];
    let trip: RoundTrip | null = null;
    let update: UpdateSize | null = null;
    let recorded = 0;
    const frameProbe = new FrameProbe(scene, (frame) => {
      frames.push(frame);
      if (frames.length > 2 * framesSummed) frames = frames.slice(-framesSummed);
      recorder.current?.frame(frame);
      recorded = recorder.current ? recorded + 1 : 0;
    });
    const messageProbe = new MessageProbe(store, roundTrip, {
      roundTrip: (heard) => {
        trip = heard;
        recorder.current?.roundTrip(heard);
      },
      update: (heard) => {
        update = heard;
        recorder.current?.update(heard);
      },
    });
    const show = () =>
      setMeasures({
        rate: frameProbe.rate,
        summary: summarise(frames.slice(-framesSummed)),
        latest: frames.slice(-framesShown),
        stats: scene.stats(),
        trip,
        update,
        recorded,
      });
    const timer = setInterval(show, showIntervalMs);
    return () => {
      clearInterval(timer);
      frameProbe.stop();
      messageProbe.stop();
    };
  }, [scene, store, roundTrip]);

  const record = useCallback(() => {
    const startedAt = new Date().toISOString();
    recorder.current = new Recorder(startedAt, performance.now());
    setRecordingSince(startedAt);
  }, []);
  const stop = useCallback(() => {
    const { document } = store.getState();
    const surroundings: RecordingConditions = {
      browser: navigator.userAgent,
      cores: navigator.hardwareConcurrency,
      pixelRatio: devicePixelRatio,
      view: view.ephemeral.size,
      zoom: view.ephemeral.camera.zoom,
      nodes: Object.keys(document.nodes).length,
      links: Object.keys(document.connections).length,
      heapMb: heapMb(),
    };
    const recording = recorder.current?.finish(performance.now(), surroundings);
    recorder.current = null;
    setRecordingSince(null);
    if (!recording) return;
    const text = `${JSON.stringify(recording, null, 1)}\n`;
    saveFile(new Blob([text], { type: 'application/json' }), `artel-canvas-${recording.startedAt.replaceAll(':', '-').slice(0, 19)}.json`);
  }, [store, view]);
  return { measures, recordingSince, record, stop };
}

/** Only Chromium reports it. */
function heapMb(): number | null {
  const memory = (performance as Performance & { memory?: { usedJSHeapSize: number } }).memory;
  return memory ? Math.round(memory.usedJSHeapSize / 104_857.6) / 10 : null;
}
