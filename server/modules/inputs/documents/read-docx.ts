import type { TextReader } from './text-reader.ts';

type Mammoth = typeof import('mammoth');

export const readText: TextReader = async function* (library, bytes) {
  const { default: mammoth } = (await import(library)) as { default: Mammoth };
  const { value } = await mammoth.extractRawText({ buffer: bytes });
  yield value;
};
