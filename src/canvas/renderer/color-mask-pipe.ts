/** Stands where PixiJS masks single colours, which nothing on the canvas asks for. */
export class ColorMaskPipe {
  buildStart(): void {}

  destroy(): void {}
}
