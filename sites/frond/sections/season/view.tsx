import { each } from '@pillion/react/ui/each.tsx';
import { Inline } from '@pillion/react/ui/inline.tsx';
import type { SectionProps } from '@pillion/react/ui/section-props.ts';

/** The year as rows, with a ring for each quarter. */
export default function Season({ section: { kicker, heading, items } }: SectionProps<'season'>) {
  return (
    <section className="season">
      <div className="season-head">
        {kicker !== '' && <p>{kicker}</p>}
        {heading.length > 0 && (
          <h2>
            <Inline text={heading} />
          </h2>
        )}
      </div>
      <ol>
        {each(items, ({ months, name, text }) => (
          <li>
            <p className="season-months">{months}</p>
            <h3>{name}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
