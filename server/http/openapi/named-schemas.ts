import { z } from 'zod';
import * as account from '../../../contract/account.ts';
import * as agent from '../../../contract/agent.ts';
import * as canvas from '../../../contract/canvas.ts';
import * as deadLetter from '../../../contract/executions/dead-letter.ts';
import * as execution from '../../../contract/executions/execution.ts';
import * as executionEvent from '../../../contract/executions/execution-event.ts';
import * as pipeline from '../../../contract/executions/pipeline.ts';
import * as question from '../../../contract/executions/question.ts';
import * as result from '../../../contract/executions/result.ts';
import * as health from '../../../contract/health.ts';
import * as lead from '../../../contract/lead.ts';
import * as project from '../../../contract/project.ts';

export type Json = Record<string, unknown>;
type Direction = 'input' | 'output';

/** The names under which the contract exports its schemas. */
const names = new Map(
  [account, agent, canvas, deadLetter, execution, executionEvent, health, lead, pipeline, project, question, result].flatMap((module) =>
    Object.entries<unknown>(module).flatMap(([name, value]) =>
      value instanceof z.ZodObject ? [[value as z.ZodType, name.charAt(0).toUpperCase() + name.slice(1)] as const] : [],
    ),
  ),
);

/** The contract's JSON Schemas; each named schema is written once. */
export class NamedSchemas {
  readonly written: Record<string, Json> = {};
  readonly #directions = new Map<string, Direction>();

  /** The schema itself, or a reference to it, or a list of references. */
  of(schema: z.ZodType, direction: Direction): Json {
    if (schema instanceof z.ZodArray) {
      const { items: _, ...list } = toJson(schema, direction);
      return { ...list, items: this.of(schema.element as z.ZodType, direction) };
    }
    const name = names.get(schema);
    return name === undefined ? toJson(schema, direction) : { $ref: `#/components/schemas/${this.write(name, schema, direction)}` };
  }

  /** Writes a schema under a name. Where request and response forms differ, the request form has another name. */
  write(wanted: string, schema: z.ZodType, direction: Direction): string {
    const name =
      (this.#directions.get(wanted) ?? direction) === direction ? wanted : `${wanted}${direction === 'input' ? 'Sent' : 'Answered'}`;
    this.#directions.set(name, direction);
    this.written[name] ??= toJson(schema, direction);
    return name;
  }
}

function toJson(schema: z.ZodType, io: Direction): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
