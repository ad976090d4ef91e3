/** The files that the demonstration's agents deliver, by path, in the order of their messages. */
export const demoFiles: Readonly<Record<string, string>> = {
  'api/orders-export.yaml': `openapi: 3.1.0
info: { title: Orders export, version: 1.0.0 }
paths:
  /orders/export:
    post:
      operationId: exportOrders
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [from, to]
              properties:
                from: { type: string, format: date }
                to: { type: string, format: date }
      responses:
        '200': { description: CSV, content: { text/csv: {} } }
        '202': { description: Accepted }
        '422': { description: Period }
`,
  'web/orders/export-dialog.tsx': `import { Dialog, DateRange, Button, Notice } from '../ui';
import { useTexts } from '../i18n';
import { useExport } from './use-export';

export function ExportDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts('orders.export');
  const { state, start } = useExport();
  const [period, setPeriod] = DateRange.useLastMonth();

  return (
    <Dialog title={t('title')} onClose={onClose}>
      <DateRange value={period} onChange={setPeriod} max="today" />
      {state !== 'idle' && <Notice kind={state}>{t(state)}</Notice>}
      <Button busy={state === 'working'} onClick={() => start(period)}>
        {t('start')}
      </Button>
    </Dialog>
  );
}
`,
  'web/orders/use-export.ts': `import { useState } from 'react';
import { exportOrders, type Period } from '../api/orders';

type ExportState = 'idle' | 'working' | 'saved' | 'mailed' | 'empty' | 'failed';

export function useExport() {
  const [state, setState] = useState<ExportState>('idle');

  async function start(period: Period) {
    setState('working');
    try {
      const answer = await exportOrders(period);
      if (answer.kind === 'file') saveAs(answer.blob, \`orders-\${period.from}-\${period.to}.csv\`);
      setState(answer.kind === 'file' ? 'saved' : answer.kind);
    } catch {
      setState('failed');
    }
  }

  return { state, start };
}

function saveAs(blob: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
`,
  'server/orders/export-orders.ts': `import { countOrders, streamOrders } from './orders';
import { enqueueExport } from './export-job';
import { toCsv } from './csv';

const maxRowsAtOnce = 50_000;

export async function exportOrders({ shop, from, to, user }: ExportRequest): Promise<ExportAnswer> {
  const period = shop.calendar.days(from, to);
  const rows = await countOrders(shop.id, period);
  if (rows === 0) return { kind: 'empty' };
  if (rows > maxRowsAtOnce) {
    await enqueueExport({ shopId: shop.id, period, email: user.email });
    return { kind: 'mailed' };
  }
  return { kind: 'file', body: toCsv(streamOrders(shop.id, period)) };
}
`,
  'server/orders/export-job.ts': `import { queue } from '../queue';
import { storage } from '../storage';
import { sendLink } from '../mail';
import { streamOrders } from './orders';
import { toCsv } from './csv';

export const enqueueExport = (job: ExportJob) => queue.add('orders.export', job, { key: \`\${job.shopId}:\${job.period}\` });

queue.process<ExportJob>('orders.export', async ({ shopId, period, email }) => {
  const file = await storage.write(\`exports/\${shopId}/\${period}.csv\`, toCsv(streamOrders(shopId, period)));
  await sendLink(email, await file.signedUrl({ days: 7 }));
});
`,
  'server/orders/export-orders.test.ts': `import { describe, expect, test } from 'vitest';
import { exportOrders } from './export-orders';
import { aShop, ordersOf } from '../testing';

describe('exportOrders', () => {
  test('keeps the shop time zone at both ends of the period', async () => {
    const shop = await aShop({ zone: 'Asia/Vladivostok' });
    await ordersOf(shop, ['2026-11-01T00:00+10:00', '2026-11-30T23:59+10:00']);
    expect(await exportOrders(shop.request('2026-11-01', '2026-11-30'))).toMatchObject({ kind: 'file', rows: 2 });
  });

  test.each([
    [0, 'empty'],
    [50_000, 'file'],
    [50_001, 'mailed'],
  ])('%i rows: %s', async (rows, kind) => {
    const shop = await aShop({ orders: rows });
    expect(await exportOrders(shop.request('2026-11-01', '2026-11-30'))).toMatchObject({ kind });
  });
});
`,
};

/** The files of the backend developer, on both canvases. */
export const backendFiles = Object.keys(demoFiles).filter((path) => path.startsWith('server/'));

/** A line of the shop's repository, as a search finds it. */
export const demoFoundLine = 'server/orders/orders.ts:31: export async function* streamOrders(shopId: string, period: Period)';

/** The word after the fence of a file: its extension. */
export function languageOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
