import { searchKey } from './search-key.ts';

/** How a title begins the word for an agent that chooses where work goes, in both languages. */
const routerWords = ['router', 'dispatcher', 'triage', 'маршрутизатор', 'диспетчер', 'сортировщик', 'распределитель'];

/** Whether a title says that its agent chooses one of the ways out of its card: "Router", "Ticket triage", "Диспетчер заявок". */
export function namesRouter(title: string): boolean {
  return searchKey(title)
    .split(/[^\p{L}]+/u)
    .some((word) => routerWords.some((known) => word.startsWith(known)));
}
