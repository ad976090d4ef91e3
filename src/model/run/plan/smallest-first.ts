/** A priority queue of numbers, smallest first: a binary heap. */
export class SmallestFirst {
  readonly #heap: number[] = [];

  push(value: number): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as number;
      if (above <= value) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = value;
  }

  /** Removes and returns the smallest number; undefined when empty. */
  pop(): number | undefined {
    const heap = this.#heap;
    const smallest = heap[0];
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return smallest;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child += 1;
      if ((heap[child] as number) >= last) break;
      heap[at] = heap[child] as number;
      at = child;
    }
    heap[at] = last;
    return smallest;
  }
}
