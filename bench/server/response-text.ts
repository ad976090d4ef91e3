import { performance } from 'node:perf_hooks';
import { type Canvas, canvas } from '../../contract/canvas.ts';
import { jsonText } from '../../server/http/bodies/json-text.ts';
import { compileKeyFilter } from '../../server/http/key-filter.ts';
import { quantile } from '../statistics.ts';

/** What it costs to write a large answer, without and with the filter of its schema: `npm run bench:response-text`. Medians, interleaved. */
const records = 20_000;
const rounds = 60;

const answer = largeCanvas();
const known = compileKeyFilter(canvas);
const ways = {
  'JSON.stringify': async () => JSON.stringify(answer),
  'in parts, no filter': () => jsonText(answer),
  'in parts, filtered': () => jsonText(answer, known),
};
const times = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, write] of Object.entries(ways)) {
    const from = performance.now();
    await write();
    times.get(name)?.push(performance.now() - from);
  }
}
console.log(`${(JSON.stringify(answer).length / 1e6).toFixed(1)} MB, median of ${rounds}, ms:`);
for (const [name, all] of times) console.log(`${name.padEnd(22)}${quantile(all, 0.5)?.toFixed(1)}`);

/** As it comes from the database: parsed from JSON, and not all records with the same keys. */
function largeCanvas(): Canvas {
  const nodes: Canvas['nodes'] = {};
  const connections: Canvas['connections'] = {};
  for (let number = 0; number < records; number += 1) {
    const id = `01934567-89ab-7cde-8f01-${String(number).padStart(12, '0')}`;
    nodes[id] = {
      ...{ id, type: 'agent', title: `Agent ${number}`, role: 'developer', x: number, y: 0 },
      ...{ color: { background: '#ffffff', border: '#000000' } },
      ...(number % 3 === 0 && { isUser: true }),
      ...(number % 5 === 0 && { name: 'Ann' }),
      ...(number % 7 === 0 && { goal: 'Done' }),
    };
    connections[`c${number}`] = { id: `c${number}`, from: { agentId: id, port: 'out' }, to: { agentId: id, port: 'in' } };
  }
  return JSON.parse(JSON.stringify({ version: 1, nodes, connections })) as Canvas;
}
