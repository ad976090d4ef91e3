/** Reads the text of a document by a library, named by its URL, part by part. Throws for what it cannot read. */
export type TextReader = (library: string, bytes: Buffer) => AsyncIterable<string>;
