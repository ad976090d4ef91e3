import { answerFileMaxLength } from '../../../contract/executions/question.ts';
import type { AnswerFile } from './input-values.ts';

/** Reads a chosen file. A file that is too large or no text is refused. */
export async function readAnswerFile(file: File): Promise<AnswerFile | 'large' | 'binary'> {
  if (file.size > answerFileMaxLength) return 'large';
  try {
    const content = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return content.includes('\0') ? 'binary' : { name: file.name, content };
  } catch {
    return 'binary';
  }
}
