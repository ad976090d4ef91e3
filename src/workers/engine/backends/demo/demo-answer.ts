import { demoFiles } from './demo-files.ts';
import type { DemoLine } from './demo-script.ts';
import type { DemoTexts } from './demo-texts.ts';

/** An agent's message of the script with its files, as Markdown. */
export function demoAnswer({ agent, files }: DemoLine, texts: DemoTexts): string {
  return [...texts.script[agent].answer, ...fileBlocks(files)].join('\n\n');
}

/** The files in the form of an agent's message. */
export function fileBlocks(paths: readonly string[]): string[] {
  return paths.map((path) => {
    const file = demoFiles[path];
    return `\`\`\`${file?.language} path=${path}\n${file?.content}\`\`\``;
  });
}
