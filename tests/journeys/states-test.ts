import { startStatesWordpress } from '@pillion/server/workbench/states-wordpress.ts';
import { startSite, waitForSite } from '../support/site.ts';
import { test as base } from './test.ts';

const PREFIX = '/states/';

/** Path of the page with a section in all its states. */
export const getStatePath = (name: string) => `${PREFIX}${name}/`;

type StatesSite = Awaited<ReturnType<typeof startStatesSite>>;

/**
 * Starts the built site with the WordPress of the workbench, which has every section in every state. So the
 * content passes all layers.
 */
async function startStatesSite() {
  const wordpress = await startStatesWordpress(PREFIX);
  const connection = { CONTENT_URL: wordpress.url, CONTENT_KEY: 'ck_states', CONTENT_SECRET: 'cs_states' };
  const site = await startSite({ CONTENT_SOURCE: 'wordpress', ...connection });
  await waitForSite(site.url);
  const pathsOf = (group: string) =>
    wordpress.groups.flatMap(({ name, states }) =>
      name === group ? Object.values(states).map(({ path }) => path) : [],
    );
  return {
    ...site,
    /** Names of the sections with such a page. */
    names: wordpress.groups.flatMap(({ name, all }) => (all ? [name] : [])),
    /** Paths of the pages that have each section after every other. */
    pairs: pathsOf('pairs'),
    /** Paths of the pages that have a form in each of its states. */
    forms: pathsOf('form'),
    async stop() {
      await site.stop();
      await wordpress.stop();
    },
  };
}

/** Tests with a site that has every section in every state that an editor can leave it in. */
export const test = base.extend<object, { states: StatesSite }>({
  states: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const site = await startStatesSite();
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],
});
