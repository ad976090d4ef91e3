import type { CreatedTrigger } from '../../../contract/trigger.ts';
import { createErrands, rowsOf, type Source, type Storm, untilAnswered } from './storm.ts';
import { addTrigger, releaseTeam } from './teams.ts';

const triggers = 3;

/** `acknowledged`: the server has told its sender that it took the delivery. */
type Delivery = { name: string; acknowledged: boolean };

/** Programs that deliver webhooks, each with other words. Every third sends once only; the others send again until they are answered. */
export async function createWebhooks(storm: Storm): Promise<Source> {
  const team = await releaseTeam(storm.ann, 'tickets');
  const hooks: CreatedTrigger[] = [];
  for (let count = 0; count < triggers; count += 1)
    hooks.push(await addTrigger(storm.ann, team, { kind: 'webhook', scheme: 'bearer', fields: { title: 'title' } }));
  const deliveries: Delivery[] = [];
  const errands = createErrands();

  const deliver = async (delivery: Delivery, { id, secret }: CreatedTrigger): Promise<true | null> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}`, 'idempotency-key': delivery.name };
    const answer = await fetch(`${storm.ann.url}/hooks/${id}`, { method: 'POST', headers, body: JSON.stringify({ title: delivery.name }) });
    const text = await answer.text();
    if (answer.status === 429 || answer.status === 503) return null;
    if (!answer.ok || !/"outcome":"(started|waiting|duplicate)"/.test(text)) throw new Error(`refused with ${answer.status}: ${text}`);
    delivery.acknowledged = true;
    return true;
  };

  return {
    begin: () => {
      const number = deliveries.length + 1;
      const delivery: Delivery = { name: `ticket-${number}`, acknowledged: false };
      deliveries.push(delivery);
      const hook = hooks[number % triggers] as CreatedTrigger;
      errands.go(delivery.name, () =>
        number % 3 === 0 ? deliver(delivery, hook).catch(() => null) : untilAnswered(delivery.name, () => deliver(delivery, hook)),
      );
    },
    problems: async () => {
      type Row = { name: string; outcome: string; reason: string | null; status: string | null };
      const rows = await rowsOf<Row>(
        storm,
        `SELECT substr(f.key, 4) AS name, f.outcome, f.reason, e.status FROM fires f LEFT JOIN executions e ON e.id = f.execution_id
          WHERE f.trigger_id = ANY ($1)`,
        [hooks.map(({ id }) => id)],
      );
      const fires = Map.groupBy(rows, ({ name }) => name);
      const wrong = deliveries.flatMap(({ name, acknowledged }) => {
        const [found = [], runs] = [fires.get(name), storm.runsOf(name).size];
        const isRight = found.every(({ outcome, status }) => outcome === 'started' && status === 'completed');
        const counts = [found.length, runs].join();
        if (isRight && (counts === '1,1' || (!acknowledged && counts === '0,0'))) return [];
        return [`${name} (${acknowledged ? 'acknowledged' : 'not acknowledged'}): ${JSON.stringify(found)}, ${runs} runs`];
      });
      return [...errands.problems(), ...wrong];
    },
    summary: () => `${deliveries.length} webhooks, ${deliveries.filter(({ acknowledged }) => acknowledged).length} acknowledged`,
  };
}
