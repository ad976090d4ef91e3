import { z } from 'zod';
import type { Camera } from '../../../canvas/canvas-view.ts';
import { readStored, writeStored } from '../../../ui/stored-preference.ts';

const camera = z.object({ x: z.number().finite(), y: z.number().finite(), zoom: z.number().min(0.001).max(10) });

const key = (projectId: string) => `camera:${projectId}`;

/** Reads a project's last camera from this browser's storage; null when there is none or it cannot be parsed. */
export function readCamera(projectId: string): Camera | null {
  try {
    const parsed = camera.safeParse(JSON.parse(readStored(key(projectId)) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export function writeCamera(projectId: string, { x, y, zoom }: Camera): void {
  writeStored(key(projectId), JSON.stringify({ x: Math.round(x), y: Math.round(y), zoom }));
}
