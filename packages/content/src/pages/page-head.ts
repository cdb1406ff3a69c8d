/**
 * An address of this site as a path: data of an SEO plugin is read in WordPress, which does not know the site's host.
 * The document adds the host.
 */
export class SiteAddress {
  readonly path: string;

  constructor(path: string) {
    // With a second slash the first segment would be a host.
    this.path = path.replace(/^\/+/, '/');
  }

  /** @param siteUrl The site's public address. @returns The absolute address. */
  under(siteUrl: string): string {
    return new URL(this.path, siteUrl).href;
  }
}

/** A meta tag from an SEO plugin. */
export interface HeadTag {
  key: 'name' | 'property';
  name: string;
  content: string | SiteAddress;
}

/** Data of an SEO plugin for a page. Only the document's head contains it, so it is not part of `Page`. */
export interface PageHead {
  /** Nodes of schema.org; their values may be a `SiteAddress`. */
  schema: Record<string, unknown>[];
  tags: HeadTag[];
}

/** For a page without data of an SEO plugin. */
export const EMPTY_HEAD: PageHead = { schema: [], tags: [] };
