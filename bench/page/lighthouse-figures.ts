import { z } from 'zod';
import type { Figure } from '../figure.ts';

/** What is read of a report of Lighthouse's. */
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
    ...audits.map(({ id, unit, scale, ...limit }): Figure => {
      const { numericValue } = of(report.audits, id);
      if (numericValue === undefined) throw new Error(`Lighthouse could not measure ${id}`);
      return { what: id, unit, value: numericValue * scale, ...limit };
    }),
  ];
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
