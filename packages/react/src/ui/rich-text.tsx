import { trustedHtml } from './trusted-types.ts';

/** HTML of ordinary WordPress blocks, sanitised by the server. */
export function RichText({ html, className = '' }: { html: string; className?: string | undefined }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server's allow-list has been through it (see trusted-types.ts).
  return <div className={`prose ${className}`} dangerouslySetInnerHTML={{ __html: trustedHtml(html) }} />;
}
