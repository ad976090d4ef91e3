import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillTask, type InputField, inputJsonSchemaOf, inputSchemaOf, teamRelease } from '../../../contract/released-team.ts';
import { readyLines } from '../../../src/app/released-teams/ready-lines.ts';
import { newDraft, teamFields } from '../../../src/app/released-teams/team-draft.ts';

const text = (name: string, more: object = {}): InputField => ({ kind: 'text', name, title: '', isOptional: false, ...more });

describe('the task of a run', () => {
  test('K4.01 a value is put in once and never read as a name', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const filled = fillTask('<{a}|{b}|{a}>', [text('a'), text('b')], { a, b });
        expect(filled).toBe(`<${a}|${b}|${a}>`);
      }),
    );
  });

  test('K4.01 fields that the task does not name follow it, without files and what is left out', () => {
    const fields = [text('a'), text('b', { title: 'Tone' }), text('c', { isOptional: true }), { kind: 'file', name: 'd' } as InputField];
    const input = { a: 'x', b: 'warm', d: { name: 'a.txt', content: '' } };
    expect(fillTask('Read {d}: {a} {unknown}', fields, input)).toBe('Read a.txt: x {unknown}\n\nTone: warm');
    expect(fillTask('', fields.slice(0, 1), { a: 'x' })).toBe('a: x');
  });
});

test('K4.03 one schema checks the calls and is shown as a JSON schema, in which a file is its name and text', () => {
  const fields: InputField[] = [
    text('topic'),
    { kind: 'choice', name: 'tone', title: 'Tone', isOptional: true, choices: ['plain', 'warm'] },
    { kind: 'file', name: 'report', title: '', isOptional: true },
  ];
  const schema = inputSchemaOf(fields);
  expect(schema.safeParse({ topic: 'tea', report: { name: 'a', content: new Uint8Array(3) } }).success).toBe(true);
  for (const wrong of [{}, { topic: ' ' }, { topic: 'x', tone: 'loud' }, { topic: 'x', more: 1 }, { topic: 'x', report: 'text' }])
    expect([wrong, schema.safeParse(wrong).success]).toEqual([wrong, false]);
  expect(inputJsonSchemaOf(fields)).toMatchObject({
    required: ['topic'],
    additionalProperties: false,
    properties: {
      tone: { enum: ['plain', 'warm'] },
      report: { required: ['name', 'content'], properties: { content: { type: 'string' } } },
    },
  });
});

test('K4.03 a team has at most eight fields, each with a name of its own', () => {
  const release = (input: InputField[]) => {
    const { error } = teamRelease.safeParse({ pipelineId: crypto.randomUUID(), slug: 'notes', title: 'Notes', input });
    return error?.issues.map(({ path }) => path.join('.')) ?? [];
  };
  expect(release(Array.from({ length: 8 }, (_, at) => text(`f${at}`)))).toEqual([]);
  expect(release(Array.from({ length: 9 }, (_, at) => text(`f${at}`)))).toEqual(['input']);
  expect(release([text('a'), text('a')])).toEqual(['input.1.name']);
  for (const name of ['git', 'constructor', '1a', 'a b', '']) expect([name, release([text(name)])]).toEqual([name, ['input.0.name']]);
});

test('K4.14 a new team asks each call for its task, and the task of a call is that field', () => {
  const draft = newDraft({ title: 'Notes', taskLabel: 'Task' });
  expect(teamFields.parse(draft)).toMatchObject({
    task: '{task}',
    input: [{ kind: 'text', name: 'task', title: 'Task', isOptional: false }],
  });
  const ill = { ...draft, slug: 'Not a name', input: [{ ...draft.input[0], kind: 'choice' as const, choices: ' \n' }] };
  expect(teamFields.safeParse(ill).error?.issues.map(({ path }) => path.join('.'))).toEqual(['slug', 'input.0.choices']);
});

test('K4.14 the ready lines quote what a shell would read', () => {
  const address = 'https://artel.example/api/team/notes';
  const choice: InputField = { kind: 'choice', name: 'tone', title: '', isOptional: false, choices: ["it's"] };
  const lines = readyLines({ address, input: [choice] });
  expect(lines.curl).toContain(`-d '{"input":{"tone":"it'\\''s"}}'`);
  expect(lines.mcp).toContain('https://artel.example/mcp');
  const withFile = readyLines({ address, input: [choice, { kind: 'file', name: 'report', title: '', isOptional: false }] });
  expect(withFile.curl).toContain(`-F 'tone=it'\\''s' -F 'report=@file.txt'`);
});
