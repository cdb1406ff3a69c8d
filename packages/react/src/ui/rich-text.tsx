import { trustedHtml } from './trusted-types.ts';

interface Props {
  html: string;
  className?: string | undefined;
  /** Part of a sentence, without blocks (`inlineRichText`). */
  isInline?: boolean;
}

/** HTML of ordinary WordPress blocks, sanitised by the server. */
export function RichText({ html, className = '', isInline }: Props) {
  const Element = isInline ? 'span' : 'div';
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server (see trusted-types.ts).
  return <Element className={`prose ${className}`} dangerouslySetInnerHTML={{ __html: trustedHtml(html) }} />;
}
