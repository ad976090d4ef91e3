import { GlProgram, Shader, UniformGroup } from 'pixi.js';
import { sentOnUpdate } from '../gpu/quad-shader.ts';

/** How a link's line is drawn: whole, as round dots, faint beyond the dot that travels along it, or pulsing. */
export const linkLine = { plain: 0, dotted: 1, passing: 2, pulse: 3 } as const;
export type LinkLine = keyof typeof linkLine;
/** Added to a line that is drawn in dashes. */
export const dashedLine = 8;
/** World px of a dash, and of the gap after it. */
export const dash = { on: 9, off: 6 } as const;
/** The least length of a dash with its gap (device px). */
const minDashPeriod = 7;
/** Seconds from one pulse to the next. */
const pulseSeconds = 2.4;

/** The speed of the moving dot (world px a second), and its pause before each trip (s). */
export const travelSpeed = 160;
export const travelPause = 0.4;

/** Bytes of one vertex, in the order in which `LinkWriter` writes them. */
export const linkVertexBytes = 32;
export const linkAttributes = {
  aPoint: { format: 'float32x2', offset: 0 },
  aNormal: { format: 'float32x2', offset: 8 },
  aAlong: { format: 'float32x2', offset: 16 },
  aColour: { format: 'unorm8x4', offset: 24 },
  aLine: { format: 'unorm8x4', offset: 28 },
} as const;

const vertex = `#version 300 es
precision highp float;
in vec2 aPoint;
in vec2 aNormal;
in vec2 aAlong;
in vec4 aColour;
in vec4 aLine;
uniform mat3 uProjectionMatrix;
uniform mat3 uWorldTransformMatrix;
uniform mat3 uTransformMatrix;
uniform float uPixelRatio;
uniform float uTime;
out float vAcross;
out float vAlong;
flat out float vHalf;
flat out float vReached;
flat out float vZoom;
flat out vec4 vColour;
flat out float vPulse;
flat out int vLine;

void main() {
  mat3 world = uWorldTransformMatrix * uTransformMatrix;
  float zoom = world[0][0] * uPixelRatio;
  vLine = int(aLine.x * 255.0 + 0.5);
  float side = aLine.z > 0.5 ? 1.0 : -1.0;
  // At least one device px wide, or the width of the link's look. A thinner line is drawn fainter instead.
  float exact = max(aLine.y * zoom, aLine.w * uPixelRatio) * 255.0 / 16.0;
  float halfWidth = max(exact, 0.5);
  float alpha = aColour.a * mix(0.65, 1.0, clamp(exact / 0.5, 0.0, 1.0));
  float reach = halfWidth + 1.0;
  vec2 position = (world * vec3(aPoint, 1.0)).xy + aNormal * side * reach / uPixelRatio;
  gl_Position = vec4((uProjectionMatrix * vec3(position, 1.0)).xy, 0.0, 1.0);
  vAcross = side * reach;
  vAlong = aAlong.x;
  vHalf = halfWidth;
  vZoom = zoom;
  float turn = aAlong.y / ${travelSpeed}.0 + ${travelPause};
  vReached = uTime < 0.0 ? aAlong.y * 0.5 : min(mod(uTime, turn) * ${travelSpeed}.0, aAlong.y);
  vPulse = uTime < 0.0 ? 1.0 : 0.7 + 0.3 * cos(uTime * ${(2 * Math.PI) / pulseSeconds});
  vColour = vec4(aColour.rgb * alpha, alpha);
}
`;

const fragment = `#version 300 es
precision highp float;
in float vAcross;
in float vAlong;
flat in float vHalf;
flat in float vReached;
flat in float vZoom;
flat in vec4 vColour;
flat in float vPulse;
flat in int vLine;
out vec4 finalColor;

void main() {
  float alpha = clamp(vHalf + 0.5 - abs(vAcross), 0.0, 1.0);
  int line = vLine % ${dashedLine};
  if (line == 1) {
    float period = 8.0 * vZoom;
    if (period > 3.0) {
      float at = mod(vAlong + 4.0, 8.0) - 4.0;
      alpha = clamp(vHalf + 0.5 - length(vec2(at * vZoom, vAcross)), 0.0, 1.0);
    } else {
      alpha *= 0.5;
    }
  } else if (line == 2) {
    alpha *= vAlong <= vReached ? 1.0 : 0.35;
  } else if (line == 3) {
    alpha *= vPulse;
  }
  if (vLine >= ${dashedLine}) {
    // At small zooms the dashes keep a length that can be seen (device px).
    float period = max(${dash.on + dash.off}.0, ${minDashPeriod}.0 / vZoom);
    float on = period * ${(dash.on / (dash.on + dash.off)).toFixed(2)};
    float at = abs(mod(vAlong + (period - on) * 0.5, period) - period * 0.5);
    alpha *= clamp((on * 0.5 - at) * vZoom + 0.5, 0.0, 1.0);
  }
  finalColor = vColour * alpha;
}
`;

export type LinkUniforms = UniformGroup<{ uPixelRatio: { value: number; type: 'f32' }; uTime: { value: number; type: 'f32' } }>;

/** Lines of a width in world px that stay crisp at every zoom, their colour, dots and travelled part decided per link. */
export function createLinkShader(): { shader: Shader; uniforms: LinkUniforms } {
  const uniforms: LinkUniforms = new UniformGroup(
    { uPixelRatio: { value: 1, type: 'f32' }, uTime: { value: -1, type: 'f32' } },
    sentOnUpdate,
  );
  const glProgram = GlProgram.from({ vertex, fragment, name: 'canvas-links' });
  return { shader: new Shader({ glProgram, resources: { linkUniforms: uniforms } }), uniforms };
}
