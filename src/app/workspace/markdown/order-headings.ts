type Part = { type: string; tagName?: string; properties?: Record<string, unknown>; children?: Part[] };

const deepest = 6;

/**
 * Gives the headings of a text the levels that follow on the heading that it stands `below`, without a gap: a screen reader lists them with those of
 * the page. What their author chose stays as `data-depth`, for their look. WCAG 1.3.1
 */
export function orderHeadings({ below }: { below: number }) {
  return (tree: Part): void => {
    /** The depths of the headings that the last one is in, and its own. */
    const around: number[] = [];
    const visit = (part: Part): void => {
      const depth = Number(/^h([1-6])$/.exec(part.tagName ?? '')?.[1] ?? 0);
      if (depth > 0) {
        while ((around.at(-1) ?? 0) >= depth) around.pop();
        around.push(depth);
        part.tagName = `h${Math.min(deepest, below + around.length)}`;
        part.properties = { ...part.properties, dataDepth: depth };
      }
      part.children?.forEach(visit);
    };
    visit(tree);
  };
}
