import { parseSync, Visitor } from 'vite';

/** An expression of the code, or a place where one is made of a text (`pattern` is then the code of the call, `flags` is null). */
export type Expression = { pattern: string; flags: string | null; file: string; line: number };

const madeOfText = new Set(['match', 'matchAll', 'search']);

/** Every regular expression of a file, found by parsing. */
export function findExpressions(file: string, code: string): Expression[] {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const found: Expression[] = [];
  const add = (pattern: string, flags: string | null, start: number) =>
    found.push({ pattern, flags, file, line: code.slice(0, start).split('\n').length });
  const addCall = ({ start, end }: { start: number; end: number }) => add(code.slice(start, end).replaceAll(/\s+/g, ' '), null, start);
  new Visitor({
    Literal(node) {
      if ('regex' in node) add(node.regex.pattern, node.regex.flags, node.start);
    },
    NewExpression(node) {
      if (isRegExp(node.callee)) addCall(node);
    },
    CallExpression(node) {
      const { callee } = node;
      const method = callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : '';
      const [given] = node.arguments;
      const isText = given?.type === 'TemplateLiteral' || (given?.type === 'Literal' && typeof given.value === 'string');
      if (isRegExp(callee) || (madeOfText.has(method) && isText)) addCall(node);
    },
  }).visit(program);
  return found;
}

function isRegExp(callee: { type: string; name?: unknown }): boolean {
  return callee.type === 'Identifier' && callee.name === 'RegExp';
}
