/**
 * An address of this site, known by its path alone: what an SEO plugin says is read in WordPress, which does not know the
 * site's own host. The document, which knows it, makes the address whole.
 */
export class SiteAddress {
  readonly path: string;

  constructor(path: string) {
    // A second slash would make a host of the first segment.
    this.path = path.replace(/^\/+/, '/');
  }

  /** @param siteUrl The site's public address. @returns The whole address. */
  under(siteUrl: string): string {
    return new URL(this.path, siteUrl).href;
  }
}

/** One meta element that an SEO plugin asks for. */
export interface HeadTag {
  key: 'name' | 'property';
  name: string;
  content: string | SiteAddress;
}

/** What an SEO plugin says of a page. Only the document's head says it, so it is no part of `Page`. */
export interface PageHead {
  /** Nodes of schema.org; a value in them may be a `SiteAddress`. */
  schema: Record<string, unknown>[];
  tags: HeadTag[];
}

/** Of a page that no SEO plugin knows. */
export const EMPTY_HEAD: PageHead = { schema: [], tags: [] };
