/** A box to lay out; its current `x`, `y` (world px, top-left) decides the order where links do not. */
export type LayoutBox = {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The height at which its links connect, in world px below its top; half its height by default. */
  level?: number;
};
export type LayoutLink = { from: string; to: string };
export type Places = Map<string, { x: number; y: number }>;

/** World px between columns, from port to port, and between the nodes of a column, where a back link may pass. */
export const layoutGap = { column: 120, row: 80 } as const;
