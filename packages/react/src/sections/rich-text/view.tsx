import { RichText } from '../../ui/rich-text.tsx';
import type { SectionProps } from '../../ui/section-props.ts';

/** Blocks of WordPress' editor between sections. */
export default function Text({ section }: SectionProps<'rich-text'>) {
  return <RichText className="between-sections" html={section.html} />;
}
