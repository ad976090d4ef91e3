import type { LinkUniforms } from '../links/link-shader.ts';
import type { QuadUniforms } from './quad-shader.ts';

const pulseSeconds = 2.4;
const spinSeconds = 1.2;

type FrameState = {
  pixelRatio: number;
  zoom: number;
  /** The zoom of the text's layout while the text is scaled with the cards; null while it has its own size on the screen. */
  textZoom: number | null;
  /** Text is drawn pixel for pixel. */
  isExact: boolean;
  /** Texels along the edge of the atlas. */
  atlasSize: number;
  seconds: number;
  /** Whether animations are off. */
  still: boolean;
};

/** Sends the uniforms that all meshes of a frame share. */
export function sendUniforms(quads: QuadUniforms, lines: LinkUniforms, frame: FrameState): void {
  const { pixelRatio, zoom, textZoom, isExact, atlasSize, seconds, still } = frame;
  quads.uniforms.uPixelRatio = pixelRatio;
  quads.uniforms.uTextScale = textZoom === null ? 1 / pixelRatio : zoom / (textZoom * pixelRatio);
  quads.uniforms.uSnap = isExact ? 1 : 0;
  quads.uniforms.uPulse = still ? 1 : 0.5 - 0.5 * Math.cos((seconds / pulseSeconds) * 2 * Math.PI);
  quads.uniforms.uSpin = still ? 0 : ((seconds / spinSeconds) % 1) * 2 * Math.PI;
  quads.uniforms.uAtlasSize = new Float32Array([atlasSize, atlasSize]);
  lines.uniforms.uPixelRatio = pixelRatio;
  lines.uniforms.uTime = still ? -1 : seconds;
  quads.update();
  lines.update();
}
