const shellBlock = /^```(?:sh|bash|console)\n([\s\S]*?)^```$/gm;

/** Returns the commands of the fenced shell blocks of a Markdown document, in their order. */
export function shellCommands(markdown: string): string[] {
  return [...markdown.matchAll(shellBlock)].flatMap(([, block = '']) => splitCommands(block));
}

/** Returns the commands of npm that begin a row of a table. */
export function tableCommands(markdown: string): string[] {
  return [...markdown.matchAll(/^\| `(np[mx] [^`]+)`/gm)].map(([, command = '']) => command);
}

/** Returns the section of a Markdown document below this heading of the second level; nothing where there is none. */
export function sectionOf(markdown: string, heading: string): string {
  return markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
}

/** A character behind a backslash, a comment, or any other character. */
const token = /\\[\s\S]|(?<![^\s])#[^\n]*|[\s\S]/g;

/** Splits a script at the ends of its lines, but for those inside of quotes and behind a backslash. Comments go. */
function splitCommands(script: string): string[] {
  const commands: string[] = [];
  let command = '';
  let quote: string | null = null;
  for (const [part] of script.matchAll(token)) {
    if (quote === null && part === '\n') {
      commands.push(command.trim());
      command = '';
      continue;
    }
    if (quote === null && part.startsWith('#')) continue;
    command += part;
    if (part === quote) quote = null;
    else if (quote === null && (part === "'" || part === '"')) quote = part;
  }
  return [...commands, command.trim()].filter((text) => text !== '');
}
