import type { TextReader } from './text-reader.ts';

type Unpdf = typeof import('unpdf');

export const readText: TextReader = async function* (library, bytes) {
  const { getDocumentProxy } = (await import(library)) as Unpdf;
  const document = await getDocumentProxy(new Uint8Array(bytes));
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
    yield `${number === 1 ? '' : '\n\n'}${text}`;
    page.cleanup();
  }
};
