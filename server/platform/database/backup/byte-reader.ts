/** Reads lines and counted bytes from a stream. It buffers only what was requested and one chunk. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#pieces = stream[Symbol.asyncIterator]();
  }

  /** Reads the next line with its break. Returns null at the stream's end, or for a line longer than `longest` bytes. */
  async line(longest: number): Promise<string | null> {
    for (let searched = 0; ; ) {
      const at = this.#rest.indexOf(10, searched);
      if (at >= 0) {
        const text = this.#rest.toString('utf8', 0, at);
        this.#rest = this.#rest.subarray(at + 1);
        return text;
      }
      searched = this.#rest.length;
      if (searched > longest || !(await this.#more())) return null;
    }
  }

  /** Reads the next `count` bytes; null when the stream ends before. */
  async bytes(count: number): Promise<Buffer | null> {
    while (this.#rest.length < count) if (!(await this.#more())) return null;
    const bytes = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return bytes;
  }

  /** Whether the stream has ended. */
  async ended(): Promise<boolean> {
    return this.#rest.length === 0 && !(await this.#more());
  }

  async #more(): Promise<boolean> {
    const next = await this.#pieces.next();
    if (next.done) return false;
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
    return true;
  }
}
