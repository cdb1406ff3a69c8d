import { z } from 'zod';

/** What a browser reported, in words of fixed sets: they become labels of a metric. */
export interface BrowserReport {
  /** `csp-violation`, `crash`, `deprecation`, `intervention`, `error` or `other`. */
  type: string;
  /** Directive of the content policy; `''` for other types. */
  directive: string;
  /** What the policy refused: `inline`, `eval`, `trusted-types`, `own` (a file of this site) or `elsewhere`; or `''`. */
  blocked: string;
  /** Address of the page. */
  page: string;
}

const TYPES = new Set(['csp-violation', 'crash', 'deprecation', 'intervention']);

/** Directives that browsers report (CSP 3, Trusted Types). */
const DIRECTIVES = new Set(
  `base-uri child-src connect-src default-src font-src form-action frame-ancestors frame-src img-src manifest-src media-src
  object-src require-trusted-types-for script-src script-src-attr script-src-elem style-src style-src-attr style-src-elem
  trusted-types worker-src`.split(/\s+/),
);

/** Schemes of browser extensions, and of Firefox' own parts. A policy's report has only the scheme. */
const EXTENSION = /^(?:[a-z-]+-extension|[a-z-]+-masked-url|resource|chrome|about)(?::|$)/i;

const text = z.string().catch('');

/** Members of all types of reports, of the Reporting API and of `report-uri`. */
const bodySchema = z
  .object({
    ...{ documentURL: text, effectiveDirective: text, blockedURL: text, sourceFile: text, disposition: text },
    ...{ 'document-uri': text, 'effective-directive': text, 'violated-directive': text, 'blocked-uri': text },
    'source-file': text,
  })
  .partial();

const reportSchema = z.object({ type: z.string(), url: text, body: bodySchema.nullable().catch(null) });
const uriReportSchema = z.object({ 'csp-report': bodySchema });

/** Reports of one body that count. Browsers send what happened within about a minute. */
const MAX_REPORTS = 50;

/**
 * @param blocked An address, or a word of the browser. Any client can send any text, so only known words are returned.
 * @param page Address of the page.
 * @returns `BrowserReport.blocked`.
 */
function classifyBlocked(blocked: string, page: string): string {
  if (blocked === 'inline') return blocked;
  if (/^trusted-types(?:-policy|-sink)?$/.test(blocked)) return 'trusted-types';
  if (/^(?:wasm-)?eval$/.test(blocked)) return 'eval';
  const origin = URL.parse(blocked)?.origin;
  return origin !== undefined && origin === URL.parse(page)?.origin ? 'own' : 'elsewhere';
}

/**
 * @param url Address of the page if the body does not contain it.
 * @returns `null` for a report about a browser extension, or about a policy that is not enforced.
 */
function parseReport(type: string, url: string, body: z.output<typeof bodySchema>): BrowserReport | null {
  const blocked = body.blockedURL || body['blocked-uri'] || '';
  const source = body.sourceFile || body['source-file'] || '';
  if (EXTENSION.test(blocked) || EXTENSION.test(source) || body.disposition === 'report') return null;
  const page = body.documentURL || body['document-uri'] || url;
  if (type !== 'csp-violation') return { type: TYPES.has(type) ? type : 'other', directive: '', blocked: '', page };
  // Firefox' older reports have the directive with its sources.
  const [name = ''] = (
    body.effectiveDirective ||
    body['effective-directive'] ||
    body['violated-directive'] ||
    ''
  ).split(' ');
  return { type, directive: DIRECTIVES.has(name) ? name : 'other', blocked: classifyBlocked(blocked, page), page };
}

/**
 * Reads the reports of a body: a list of the Reporting API, or one of `report-uri`. It returns no text from the body but
 * the pages' addresses, which the caller must not store.
 */
export function parseReports(body: unknown): BrowserReport[] {
  const uriReport = uriReportSchema.safeParse(body);
  if (uriReport.success) {
    const report = parseReport('csp-violation', '', uriReport.data['csp-report']);
    return report ? [report] : [];
  }
  const list = z.array(z.unknown()).catch([]).parse(body).slice(0, MAX_REPORTS);
  return list.flatMap((one) => {
    const { success, data } = reportSchema.safeParse(one);
    return success ? (parseReport(data.type, data.url, data.body ?? {}) ?? []) : [];
  });
}
