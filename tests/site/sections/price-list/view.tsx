import { each } from '@pillion/react/ui/each.tsx';
import { Inline } from '@pillion/react/ui/inline.tsx';
import type { SectionProps } from '@pillion/react/ui/section-props.ts';

export default function PriceList({ section: { heading, items } }: SectionProps<'price-list'>) {
  return (
    <section className="price-list">
      {heading.length > 0 && (
        <h2>
          <Inline text={heading} />
        </h2>
      )}
      <ul>
        {each(items, ({ name, amount }) => (
          <li>
            <b>{name}</b> <span>{amount}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
