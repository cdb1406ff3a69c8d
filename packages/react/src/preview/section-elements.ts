import type { Section } from '@pillion/content/types.ts';
import type { FragmentInstance } from 'react';

/** The React fragment of each section on the page. */
export type Fragments = WeakMap<Section, FragmentInstance | null>;

/** Collects the elements of a fragment. Observing is the public API for this. */
class Collector extends ResizeObserver {
  readonly elements: Element[] = [];

  override observe(element: Element): void {
    this.elements.push(element);
  }
}

/** The outermost elements of a section, in order; empty if it renders nothing. */
export function elementsOf(section: Section, fragments: Fragments): Element[] {
  const fragment = fragments.get(section);
  const collector = new Collector(() => {});
  fragment?.observeUsing(collector);
  fragment?.unobserveUsing(collector);
  return collector.elements;
}
