/**
 * A section of a site: a headline, a text, a picture and a list of items, in three files. Its words are unique, so that a
 * test can look for them.
 */
export const NEW_SECTION: Record<string, string> = {
  'site/sections/stops/section.ts': `import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';

const section = defineSection({
  name: 'stops',
  title: 'Stops',
  description: 'Where the tour pauses.',
  guide: 'Guidance that only editors read.',
  fields: {
    heading: { kind: 'inline', as: 'heading', label: 'Headline' },
    text: { kind: 'text', label: 'Introduction' },
    picture: { kind: 'picture', label: 'Photograph', help: 'Help that only editors read.' },
    items: {
      kind: 'list',
      label: 'Stops',
      add: 'Add a stop',
      most: 12,
      of: {
        name: 'stop',
        title: 'Stop',
        description: 'One of them.',
        fields: {
          place: { kind: 'text', as: 'title', label: 'Place', isRequired: true },
          note: { kind: 'inline', label: 'Note' },
        },
      },
    },
  },
});

export default section;

declare module '@pillion/content/types.ts' {
  interface Sections {
    stops: ValuesOf<typeof section>;
  }
}
`,
  'site/sections/stops/view.tsx': `import { each } from '@pillion/react/ui/each.tsx';
import { Inline } from '@pillion/react/ui/inline.tsx';
import { Picture } from '@pillion/react/ui/picture.tsx';
import type { SectionProps } from '@pillion/react/ui/section-props.ts';

export default function Stops({ section: { heading, text, picture, items } }: SectionProps<'stops'>) {
  return (
    <section className="stops">
      {heading.length > 0 && (
        <h2>
          <Inline text={heading} />
        </h2>
      )}
      {text !== '' && <p>{text}</p>}
      {picture && <Picture picture={picture} sizes="100vw" />}
      <ul>
        {each(items, ({ place, note }) => (
          <li>
            <b>{place}</b> <Inline text={note} />
          </li>
        ))}
      </ul>
    </section>
  );
}
`,
  'site/sections/stops/view.css': `@layer sections {
  .stops {
    border-block-start: 7px solid;
  }
}
`,
};
