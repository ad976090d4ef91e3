type Pieces = AsyncGenerator<string>;

/** Writes rows as one JSON list, piece by piece. */
export async function* jsonList(rows: Pieces): Pieces {
  yield '[';
  let isFirst = true;
  for await (const row of rows) {
    yield isFirst ? `\n${row}` : `,\n${row}`;
    isFirst = false;
  }
  yield isFirst ? ']' : '\n]';
}

/** Writes the only row, or null without one. */
export async function* jsonOne(rows: Pieces): Pieces {
  for await (const row of rows) {
    yield row;
    return;
  }
  yield 'null';
}

/** Writes rows that have an `id` and a `value` as one JSON object by id. */
export async function* jsonById(rows: Pieces): Pieces {
  yield '{';
  let isFirst = true;
  for await (const row of rows) {
    const { id, value } = JSON.parse(row) as { id: string; value: unknown };
    yield `${isFirst ? '' : ','}\n${JSON.stringify(id)}: ${JSON.stringify(value)}`;
    isFirst = false;
  }
  yield isFirst ? '}' : '\n}';
}

/** Writes one JSON object whose values are written piece by piece. */
export async function* jsonObject(fields: readonly (readonly [string, Pieces])[]): Pieces {
  yield '{';
  for (const [index, [name, value]] of fields.entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(name)}: `;
    yield* value;
  }
  yield '\n}\n';
}
