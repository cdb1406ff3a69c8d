import type { Section } from '@pillion/content/types.ts';

/** What React keeps of each part it has drawn, as far as we read it. */
interface Fiber {
  memoizedProps: { section?: Section } | null;
  stateNode: unknown;
  return: Fiber | null;
  child: Fiber | null;
  sibling: Fiber | null;
}

const HELD_BY = '__reactFiber$';

/** The tree that is on screen: an element may still hold its part of the tree before the last update. */
function currentTree(element: Element): Fiber | null {
  const key = Object.keys(element).find((name) => name.startsWith(HELD_BY));
  let fiber = key ? (element as unknown as Record<string, Fiber>)[key] : undefined;
  while (fiber?.return) fiber = fiber.return;
  return (fiber?.stateNode as { current?: Fiber } | undefined)?.current ?? null;
}

/** The outermost elements that `fiber` has drawn. */
function elementsBelow(fiber: Fiber): Element[] {
  if (fiber.stateNode instanceof Element) return [fiber.stateNode];
  const found: Element[] = [];
  for (let child = fiber.child; child; child = child.sibling) found.push(...elementsBelow(child));
  return found;
}

/** Whether React has taken over the server's HTML. */
export const isHydrated = (main: Element): boolean => currentTree(main) !== null;

/** Whether a component has thrown: the page's error boundary, next in the tree below `main`, shows the error page. */
export function hasFallen(main: Element): boolean {
  const isFallen = (fiber: Fiber | null): boolean => {
    if (!fiber) return false;
    const { state } = (fiber.stateNode ?? {}) as { state?: { failed?: boolean } };
    return state?.failed === true || isFallen(fiber.child) || isFallen(fiber.sibling);
  };
  return isFallen(currentTree(main));
}

/**
 * The elements of each section, by its place in `sections`; none for a section that draws nothing. Visitors' HTML does
 * not say which section an element is of, and a section may draw nothing or several elements. React knows: the answer is
 * read from its own record, which it keeps on each element. The record is React's private matter: should another version
 * keep it elsewhere, `tests/journeys/preview.spec.ts` says so, and a preview selects nothing.
 */
export function elementsOf(sections: readonly Section[], main: Element): Element[][] {
  const found: Element[][] = sections.map(() => []);
  const visit = (fiber: Fiber | null) => {
    for (let at = fiber; at; at = at.sibling) {
      const section = at.memoizedProps?.section;
      const place = section ? sections.indexOf(section) : -1;
      if (place >= 0) found[place] = elementsBelow(at);
      else visit(at.child);
    }
  };
  visit(currentTree(main));
  return found;
}
