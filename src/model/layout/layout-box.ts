/** A thing to be laid out; `x`, `y` (world px, top-left) is where it is now and decides what comes first where links do not. */
export type LayoutBox = {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** World px below the top of where its links meet it; half of its height unless given. */
  level?: number;
};
export type LayoutLink = { from: string; to: string };
export type Places = Map<string, { x: number; y: number }>;

/** World px between columns, which is from port to port, and between the cards of a column, where a link that leads back may pass. */
export const layoutGap = { column: 120, row: 80 } as const;
