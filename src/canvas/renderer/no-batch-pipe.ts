import type { InstructionSet } from 'pixi.js';

/** Stands where PixiJS gathers sprites into batches. The canvas draws meshes alone, each with a draw call of its own. */
export class NoBatchPipe {
  addToBatch(): void {
    throw new Error('The canvas draws meshes only');
  }

  break(_set: InstructionSet): void {}

  buildStart(_set: InstructionSet): void {}

  buildEnd(_set: InstructionSet): void {}

  upload(_set: InstructionSet): void {}

  destroy(): void {}
}
