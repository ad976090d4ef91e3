import { buffer } from 'node:stream/consumers';

/** The program of the child process of `extractPdfText`: a PDF on standard input, its text on standard output, page by page. */
const [, , library = '', maxLength = '0'] = process.argv;
const exits = { unreadable: 3, password: 4 };

type Unpdf = typeof import('unpdf');

async function main(): Promise<number> {
  const { getDocumentProxy } = (await import(library)) as Unpdf;
  try {
    const bytes = await buffer(process.stdin);
    const document = await getDocumentProxy(new Uint8Array(bytes));
    let length = 0;
    for (let number = 1; number <= document.numPages && length <= Number(maxLength); number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
      length += text.length + 2;
      if (!process.stdout.write(`${number === 1 ? '' : '\n\n'}${text}`))
        await new Promise((resolve) => process.stdout.once('drain', resolve));
      page.cleanup();
    }
    return 0;
  } catch (error) {
    return (error as Error).name === 'PasswordException' ? exits.password : exits.unreadable;
  }
}

process.exitCode = await main();
