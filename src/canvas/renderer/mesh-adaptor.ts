import type { Mesh, MeshPipe, Shader, WebGLRenderer } from 'pixi.js';

/** Draws a mesh with the shader that it has. PixiJS's own also makes one for meshes without. */
export class MeshAdaptor {
  init(): void {}

  execute({ renderer, localUniformsBindGroup }: MeshPipe, mesh: Mesh): void {
    const shader = mesh.shader as Shader;
    shader.groups[100] = renderer.globalUniforms.bindGroup;
    shader.groups[101] = localUniformsBindGroup;
    (renderer as WebGLRenderer).encoder.draw({ geometry: mesh.geometry, shader, state: mesh.state });
  }

  destroy(): void {}
}
