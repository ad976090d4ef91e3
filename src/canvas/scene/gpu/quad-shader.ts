import { GlProgram, Shader, type TextureSource, UniformGroup } from 'pixi.js';

/** The fill of a quad. */
export const quadKind = { glyph: 0, colourGlyph: 1, shape: 2, dashed: 3, shadow: 4 } as const;
export type QuadKind = keyof typeof quadKind;

/** The unit of a quad's box: world px, CSS px, or texels of the text's own raster. */
export const quadUnit = { world: 0, screen: 1, text: 2 } as const;
export type QuadUnit = keyof typeof quadUnit;

/** The motion of a quad: none, growing with the pulse, turning, or grown by its full measure. */
export const quadMotion = { still: 0, pulse: 1, spin: 2, outline: 3 } as const;
export type QuadMotion = keyof typeof quadMotion;

/** Bytes of one vertex, in the order in which `QuadWriter` writes them. */
export const quadVertexBytes = 56;
export const quadAttributes = {
  aAnchor: { format: 'float32x2', offset: 0 },
  aBox: { format: 'float32x4', offset: 8 },
  aShape: { format: 'float32x4', offset: 24 },
  aFill: { format: 'unorm8x4', offset: 40 },
  aStroke: { format: 'unorm8x4', offset: 44 },
  aBand: { format: 'unorm8x4', offset: 48 },
  aMode: { format: 'unorm8x4', offset: 52 },
} as const;

const vertex = `#version 300 es
precision highp float;
in vec2 aAnchor;
in vec4 aBox;
in vec4 aShape;
in vec4 aFill;
in vec4 aStroke;
in vec4 aBand;
in vec4 aMode;
uniform mat3 uProjectionMatrix;
uniform mat3 uWorldTransformMatrix;
uniform mat3 uTransformMatrix;
uniform float uPixelRatio;
uniform float uTextScale;
uniform float uSnap;
uniform float uPulse;
uniform float uSpin;
uniform vec2 uAtlasSize;
out vec2 vLocal;
out vec2 vUv;
flat out vec2 vHalf;
flat out vec4 vShape;
flat out vec4 vFill;
flat out vec4 vStroke;
flat out vec4 vBand;
flat out int vKind;

vec2 snapped(vec2 p) { return uSnap > 0.5 ? floor(p + 0.5) : p; }
vec4 premultiplied(vec4 c) { return vec4(c.rgb * c.a, c.a); }

void main() {
  int kind = int(aMode.x * 255.0 + 0.5);
  int unit = int(aMode.y * 255.0 + 0.5);
  int motion = int(aMode.z * 255.0 + 0.5);
  mat3 world = uWorldTransformMatrix * uTransformMatrix;
  float zoom = world[0][0] * uPixelRatio;
  float scale = unit == 0 ? zoom : unit == 1 ? uPixelRatio : uTextScale * uPixelRatio;
  vec2 corner = vec2(float((gl_VertexID & 1) ^ ((gl_VertexID >> 1) & 1)), float((gl_VertexID >> 1) & 1));

  // All in device px. All parts of a card are laid out from its snapped corner, so that they move together.
  vec2 anchor = snapped((world * vec3(aAnchor, 1.0)).xy * uPixelRatio);
  vec2 low = anchor + snapped(aBox.xy * scale);
  vec2 size = aBox.zw * scale;
  vec4 shape = aShape * scale;
  vec4 fill = aFill;
  float grow = 0.0;
  if (kind >= 2) size = max(vec2(1.0), snapped(size));
  if (motion == 1 || motion == 3) {
    grow = max(aShape.z * zoom, aShape.w * uPixelRatio);
    if (motion == 1) {
      // At very small zooms a glow wider than its card would cover the neighbours.
      grow = min(grow, max(60.0 * zoom, 2.0 * uPixelRatio));
      fill.a *= mix(0.55, 1.0, uPulse);
      grow *= mix(0.55, 1.0, uPulse);
    } else {
      shape.y = grow;
    }
    shape.zw = vec2(0.0);
  }
  vec2 half_ = size * 0.5 + grow;
  float margin = grow + (kind == 4 ? shape.y : kind >= 2 ? 0.5 : 0.0);
  vec2 local = (corner - 0.5) * (size + 2.0 * margin);
  vLocal = local;
  vHalf = half_;
  if (kind >= 2 && kind != 4 && shape.y > 0.0) shape.y = max(1.0, uSnap > 0.5 ? floor(shape.y + 0.5) : shape.y);
  shape.x = min(shape.x + grow, min(half_.x, half_.y));
  vShape = shape;
  vUv = mix(aShape.xy, aShape.zw, corner) / uAtlasSize;
  vFill = premultiplied(fill);
  vStroke = premultiplied(aStroke);
  vBand = premultiplied(aBand);
  vKind = kind;
  if (motion == 2) {
    float s = sin(uSpin), c = cos(uSpin);
    local = vec2(local.x * c - local.y * s, local.x * s + local.y * c);
  }
  vec2 position = (low + size * 0.5 + local) / uPixelRatio;
  gl_Position = vec4((uProjectionMatrix * vec3(position, 1.0)).xy, 0.0, 1.0);
}
`;

const fragment = `#version 300 es
precision highp float;
in vec2 vLocal;
in vec2 vUv;
flat in vec2 vHalf;
flat in vec4 vShape;
flat in vec4 vFill;
flat in vec4 vStroke;
flat in vec4 vBand;
flat in int vKind;
uniform sampler2D uAtlas;
out vec4 finalColor;

float roundedBox(vec2 p, vec2 halfSize, float radius) {
  vec2 q = abs(p) - halfSize + radius;
  return min(max(q.x, q.y), 0.0) + length(max(q, 0.0)) - radius;
}

void main() {
  if (vKind == 0) {
    finalColor = vFill * texture(uAtlas, vUv).a;
    return;
  }
  if (vKind == 1) {
    finalColor = texture(uAtlas, vUv) * vFill.a;
    return;
  }
  if (vKind == 4) {
    float d = roundedBox(vLocal, vHalf, vShape.x);
    float depth = clamp(0.5 - 0.5 * d / vShape.y, 0.0, 1.0);
    finalColor = vFill * depth * depth;
    return;
  }
  float d = roundedBox(vLocal, vHalf, vShape.x);
  float outer = clamp(0.5 - d, 0.0, 1.0);
  float inner = vShape.y > 0.0 ? clamp(0.5 - d - vShape.y, 0.0, 1.0) : outer;
  vec2 fromCorner = vLocal + vHalf;
  vec4 body = vFill;
  vec4 stroke = vStroke;
  if (vShape.z > 0.0) {
    // The band along the top takes the border along.
    float below = clamp(fromCorner.y - vShape.z + 0.5, 0.0, 1.0);
    body = mix(vBand, body, below);
    stroke = mix(vBand, stroke, below);
  }
  if (vShape.w > 0.0) body = mix(vBand, body, clamp(fromCorner.x - vShape.w + 0.5, 0.0, 1.0));
  if (vKind == 3) {
    vec2 edge = abs(vLocal) - vHalf;
    float run = edge.x > edge.y ? vLocal.y : vLocal.x;
    float dash = 4.0 * vShape.y;
    float at = mod(run + dash * 0.5, dash * 1.75);
    float on = clamp(min(at, dash - at) + 0.5, 0.0, 1.0);
    stroke = mix(body, stroke, on);
  }
  finalColor = stroke * (outer - inner) + body * inner;
}
`;

/** For uniforms that are the same for all meshes of a frame: they are compared and sent when `update` was called, not for each mesh. */
export const sentOnUpdate = { isStatic: true } as const;

export type QuadUniforms = UniformGroup<{
  uPixelRatio: { value: number; type: 'f32' };
  uTextScale: { value: number; type: 'f32' };
  uSnap: { value: number; type: 'f32' };
  uPulse: { value: number; type: 'f32' };
  uSpin: { value: number; type: 'f32' };
  uAtlasSize: { value: Float32Array; type: 'vec2<f32>' };
}>;

/**
 * One shader for all that a card is made of: rounded boxes with border and band, their shadows, text and pictograms. A whole
 * tile of cards is one mesh and one draw call, and nothing in its geometry depends on the camera.
 */
export function createQuadShader(atlas: TextureSource): { shader: Shader; uniforms: QuadUniforms } {
  const uniforms: QuadUniforms = new UniformGroup(
    {
      uPixelRatio: { value: 1, type: 'f32' },
      uTextScale: { value: 1, type: 'f32' },
      uSnap: { value: 1, type: 'f32' },
      uPulse: { value: 1, type: 'f32' },
      uSpin: { value: 0, type: 'f32' },
      uAtlasSize: { value: new Float32Array([atlas.pixelWidth, atlas.pixelHeight]), type: 'vec2<f32>' },
    },
    sentOnUpdate,
  );
  const glProgram = GlProgram.from({ vertex, fragment, name: 'canvas-quads' });
  return { shader: new Shader({ glProgram, resources: { uAtlas: atlas, canvasUniforms: uniforms } }), uniforms };
}
