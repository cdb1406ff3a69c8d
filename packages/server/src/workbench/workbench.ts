/**
 * The workbench, only in development: every section, page and form in every state and theme. A separate WordPress
 * contains the states; all layers of the site make pages from them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createContent } from '@pillion/content/content.ts';
import type { Page, Theme } from '@pillion/content/types.ts';
import { problemWith } from '@pillion/forms/rules.ts';
import { escapeMarkup } from '@pillion/lib/escape.ts';
import { siteFolder } from '@pillion/lib/site-folder.mjs';
import { SENTENCE } from '@pillion/react/workbench/samples.ts';
import { Hono } from 'hono';
import { development } from '../dev.ts';
import { createListener } from '../http/listener.ts';
import type { PageAssets } from '../http/manifest.ts';
import { documentResponse } from '../http/responses.ts';
import { addressOfSource } from '../source-address.ts';
import { FORM_STATES, type FormOutcome } from './form-states.ts';
import { OWN_PAGES, type OwnPage } from './own-pages.ts';
import { slug, startStatesWordpress } from './states-wordpress.ts';

/** Path of the pages with states. */
const PAGES = '/workbench-page/';
const LANG = 'en';

const { config, content: siteContent, headers, assets, metrics } = development;

/** An edit loads this file again, so it ends the servers that the earlier version started. */
const acrossLoads = globalThis as { endWorkbench?: () => Promise<void> };
await acrossLoads.endWorkbench?.();

const wordpress = await startStatesWordpress(PAGES);
const dataDirectory = mkdtempSync(join(tmpdir(), 'pillion-workbench-'));
const content = createContent({
  source: 'wordpress',
  // The workbench's WordPress runs in this process, which may be busy compiling.
  wordpress: { url: wordpress.url, key: 'ck_workbench', secret: 'cs_workbench', timeoutMs: 20_000 },
  dataDirectory,
  bundleDirectory: resolve(siteFolder(), 'content'),
  log: () => {},
  metrics: metrics.content,
});
const removeData = () => rmSync(dataDirectory, { recursive: true, force: true });
process.once('exit', removeData);
acrossLoads.endWorkbench = async () => {
  process.off('exit', removeData);
  await Promise.all([content.close(), wordpress.stop()]);
  removeData();
};

const wordpressEntries = wordpress.groups.flatMap(({ name, states, all }) => [
  ...(all ? [{ group: name, state: 'all of them', path: all.path }] : []),
  ...Object.entries(states).map(([state, { path }]) => ({ group: name, state, path })),
]);
const ownEntries = Object.entries(OWN_PAGES).flatMap(([group, states]) =>
  Object.entries(states).map(([state, make]) => ({
    ...{ group, state, make, path: `${PAGES}${slug(group)}/${slug(state)}/` },
  })),
);
const entries = [...wordpressEntries, ...ownEntries];

/** The assets of a page. In states after a submission they have the script that submits the form. */
function assetsFor(outcome: FormOutcome | undefined): PageAssets {
  if (!outcome) return assets;
  const forTemplate: PageAssets['forTemplate'] = (...page) => {
    const usual = assets.forTemplate(...page);
    return { ...usual, scripts: [addressOfSource('@pillion/server/workbench/press.client.ts'), ...usual.scripts] };
  };
  return { ...assets, forTemplate };
}

/** How a submission of the form of a page ends. @returns `undefined` if the page does not submit it. */
function outcomeAt(path: string): FormOutcome | undefined {
  const isForm = path.startsWith(`${PAGES}form/`);
  return Object.entries(FORM_STATES).find(([name]) => isForm && path.endsWith(`/${slug(name)}/`))?.[1].outcome;
}

async function pageAt(path: string): Promise<Page> {
  const resolved = await content.resolve(path, LANG);
  if (resolved.kind !== 'page') throw new Error(`The workbench's WordPress has no page at ${path}: ${resolved.kind}`);
  return resolved.page;
}

async function formOf(state: string) {
  const page = await pageAt(`${PAGES}form/${slug(state)}/`);
  const form = page.sections.flatMap((section) => (section.type === 'sign-up' ? (section.form ?? []) : []))[0];
  if (!form) throw new Error(`The state ${state} has no form.`);
  return form;
}

/** Creates a page that does not come from WordPress, such as an error page. @returns `null` for other paths. */
async function createOwnPage(path: string): Promise<OwnPage | null> {
  const entry = ownEntries.find((own) => own.path === path);
  if (!entry) return null;
  const [text, shell, form] = await Promise.all([
    pageAt(`${PAGES}rich-text/full/`),
    siteContent.shell(LANG),
    formOf('every kind of field'),
  ]);
  return entry.make({ path, shell, assets, text, form });
}

const app = new Hono();

app.use(async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  c.res.headers.set('cache-control', 'no-store');
});

/** The list of all states, with a link for each theme. */
function listDocument(): string {
  const groups = [...Map.groupBy(entries, ({ group }) => group)].map(([group, states]) => {
    const items = states.map(({ state, path }) => {
      const links = ['dark', 'light'].map(
        (theme) =>
          `<a href="${escapeMarkup(`${path}?theme=${theme}`)}" aria-label="${escapeMarkup(`${state}, ${theme}`)}">${theme}</a>`,
      );
      return `<li>${escapeMarkup(state)}: ${links.join(' ')}</li>`;
    });
    return `<section><h2>${escapeMarkup(group)}</h2><ul>${items.join('')}</ul></section>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Workbench</title><style>:root { color-scheme: light dark; font: 1rem/1.6 system-ui } body { columns: 18rem; margin: 1.5rem } section { break-inside: avoid }</style><h1>Workbench</h1>${groups.join('')}</html>`;
}

app.get('/workbench', (c) => c.html(listDocument()));

app.get(`${PAGES}*`, async (c) => {
  const path = decodeURIComponent(new URL(c.req.url).pathname);
  const ownPage = await createOwnPage(path);
  if (ownPage instanceof Response) return ownPage;
  const shown = ownPage ?? { page: await pageAt(path), shell: await siteContent.shell(LANG) };
  const { page, shell, tagManager = null } = shown;
  const theme: Theme = c.req.query('theme') === 'light' ? 'light' : 'dark';
  return documentResponse(c.req.raw, { ...page, theme }, shell, {
    ...{ assets: assetsFor(outcomeAt(path)), siteUrl: config.siteUrl, env: config.deployEnv },
    ...{ debug: false, analytics: null, tagManager },
  });
});

/** Responses to the form of the page that sends it. */
app.post('/api/sign-ups', async (c) => {
  const { form: texts } = (await siteContent.shell(LANG)).strings;
  const sent = await c.req.formData();
  const responses: Record<FormOutcome, () => Promise<Response> | Response> = {
    thanked: () => c.json({ ok: true, confirmation: `<p>${SENTENCE}</p>` }),
    busy: () => c.json({ ok: false, message: texts.busy }, 429),
    failed: () => c.json({ ok: false, message: texts.failed }, 503),
    offline: () => Response.error(),
    pending: () => new Promise<Response>(() => {}),
    async refused() {
      const form = await content.form(Number(sent.get('form_id')), LANG);
      const errors = (form?.fields ?? []).flatMap((field) => {
        const problem = problemWith(field, {}, texts);
        return problem === null ? [] : [[field.inputs[0]?.name ?? '', problem]];
      });
      return c.json({ ok: false, message: texts.invalid, errors: Object.fromEntries(errors) }, 422);
    },
  };
  const sender = new URL(c.req.header('referer') ?? PAGES, config.siteUrl);
  return responses[outcomeAt(decodeURIComponent(sender.pathname)) ?? 'thanked']();
});

app.get('/media/*', async (c) => (await content.media(new URL(c.req.url).pathname, c.req.raw)) ?? c.notFound());

app.onError((error, c) => {
  console.error(error);
  return c.text(`${error.stack}\n`, 500);
});

export const listener = createListener(app, headers);
