import { z } from 'zod';
import type { Figure } from '../figure.ts';

/** The parts of a Lighthouse report that are read. */
const reportSchema = z.object({
  categories: z.record(z.string(), z.object({ score: z.number(), auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })) })),
  audits: z.record(z.string(), z.object({ score: z.number().nullable(), numericValue: z.number().optional() })),
});
type Report = z.infer<typeof reportSchema>;

const categories = [
  { id: 'performance', atLeast: 95 },
  { id: 'accessibility', atLeast: 100 },
  { id: 'best-practices', atLeast: 100 },
  { id: 'seo', atLeast: 100 },
];

const audits = [
  { id: 'largest-contentful-paint', unit: 's', scale: 0.001, floor: { atMost: 1.8 } },
  { id: 'cumulative-layout-shift', unit: 'shift', scale: 1, floor: { atMost: 0.01 } },
  { id: 'first-contentful-paint', unit: 's', scale: 0.001 },
  { id: 'total-blocking-time', unit: 'ms', scale: 1 },
] as const;

/** The figures of the demo's page. The limits allow for a canvas and an engine. */
const demoAudits = [
  { id: 'first-contentful-paint', unit: 's', scale: 0.001, floor: { atMost: 1.5 } },
  { id: 'largest-contentful-paint', unit: 's', scale: 0.001 },
  { id: 'interactive', unit: 's', scale: 0.001, floor: { atMost: 3.5 } },
  { id: 'total-blocking-time', unit: 'ms', scale: 1 },
  { id: 'cumulative-layout-shift', unit: 'shift', scale: 1, floor: { atMost: 0.01 } },
  { id: 'total-byte-weight', unit: 'KiB', scale: 1 / 1_024, floor: { atMost: 350 } },
] as const;

/** The figures of the demonstration's report. Throws when one is missing. */
export function demoFiguresOf(json: unknown): Figure[] {
  const report = reportSchema.parse(json);
  const performance = Math.round(of(report.categories, 'performance').score * 100);
  return [
    { what: 'performance', unit: 'points', value: performance, floor: { atLeast: 90 } },
    ...demoAudits.map((audit) => figureOf(report, audit)),
  ];
}

/** The figures of one report, each with its limit, and with the audits that cost a category points. Throws when one is missing. */
export function figuresOf(json: unknown): Figure[] {
  const report = reportSchema.parse(json);
  return [
    ...categories.map(({ id, atLeast }): Figure => {
      const lost = lossesOf(report, id);
      return {
        ...{ what: id, unit: 'points', value: Math.round(of(report.categories, id).score * 100), floor: { atLeast } },
        ...(lost.length > 0 && { note: lost.join(', ') }),
      };
    }),
    ...audits.map((audit) => figureOf(report, audit)),
  ];
}

type Audit = { id: string; unit: Figure['unit']; scale: number; floor?: { atMost: number } };

function figureOf(report: Report, { id, unit, scale, ...limit }: Audit): Figure {
  const { numericValue } = of(report.audits, id);
  if (numericValue === undefined) throw new Error(`Lighthouse could not measure ${id}`);
  return { what: id, unit, value: numericValue * scale, ...limit };
}

function lossesOf(report: Report, category: string): string[] {
  return of(report.categories, category).auditRefs.flatMap(({ id, weight }) => {
    const { score } = of(report.audits, id);
    return weight > 0 && score !== null && score < 1 ? [id] : [];
  });
}

function of<T>(record: Record<string, T>, id: string): T {
  const found = record[id];
  if (found === undefined) throw new Error(`Lighthouse's report has no ${id}`);
  return found;
}
