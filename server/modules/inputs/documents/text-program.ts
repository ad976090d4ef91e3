import { buffer } from 'node:stream/consumers';
import type { TextReader } from './text-reader.ts';

/** The program of the child process of `extractText`: a document on standard input, its text on standard output, part by part. */
const [, , format = '', library = '', maxLength = '0'] = process.argv;
const exits = { unreadable: 3, password: 4 };

async function main(): Promise<number> {
  const { readText } = (await import(`./read-${format}.ts`)) as { readText: TextReader };
  try {
    const bytes = await buffer(process.stdin);
    let length = 0;
    for await (const part of readText(library, bytes)) {
      length += part.length;
      if (!process.stdout.write(part)) await new Promise((resolve) => process.stdout.once('drain', resolve));
      if (length > Number(maxLength)) break;
    }
    return 0;
  } catch (error) {
    return (error as Error).name === 'PasswordException' ? exits.password : exits.unreadable;
  }
}

process.exitCode = await main();
