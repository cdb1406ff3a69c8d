import type { Section } from '@pillion/content/types.ts';
import type { FragmentInstance } from 'react';

/** The fragment that React keeps of each section on the page. */
export type Fragments = WeakMap<Section, FragmentInstance | null>;

/** Collects the elements that a fragment hands to an observer, the public way from a React fragment to its elements. */
class Collector extends ResizeObserver {
  readonly elements: Element[] = [];

  override observe(element: Element): void {
    this.elements.push(element);
  }
}

/** The outermost elements of a section, in order; none for a section that draws nothing. */
export function elementsOf(section: Section, fragments: Fragments): Element[] {
  const fragment = fragments.get(section);
  const collector = new Collector(() => {});
  fragment?.observeUsing(collector);
  fragment?.unobserveUsing(collector);
  return collector.elements;
}
