import type { Fact } from '@pillion/content/types.ts';
import { each } from './each.tsx';

/** A list of labels and values. */
export function Facts({ facts, className }: { facts: Fact[]; className: string | undefined }) {
  if (facts.length === 0) return null;
  return (
    <dl className={className}>
      {each(facts, ({ label, value }) => (
        <div>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
