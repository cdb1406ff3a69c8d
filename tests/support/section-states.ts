import { type StatesWordpress, startStatesWordpress } from '@pillion/server/workbench/states-wordpress.ts';
import { type RunningSite, startSite, waitForSite } from './site.ts';

const PREFIX = '/states/';

/** Path of the page with a section in all its states. */
export const getStatePath = (name: string) => `${PREFIX}${name}/`;

export interface StatesSite extends RunningSite {
  /** Names of the sections with such a page. */
  names: string[];
  /** Paths of the pages that have each section after every other. */
  pairs: string[];
  /** Paths of the pages that have a form in each of its states. */
  forms: string[];
}

/**
 * Starts the built site with the WordPress of the workbench, which has every section in every state. So the
 * content passes all layers.
 */
export async function startStatesSite(env: Record<string, string> = {}): Promise<StatesSite> {
  const wordpress: StatesWordpress = await startStatesWordpress(PREFIX);
  const { url } = wordpress;
  const site = await startSite({
    ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: 'ck_states', CONTENT_SECRET: 'cs_states' },
    ...env,
  });
  await waitForSite(site.url);
  const pathsOf = (group: string) =>
    wordpress.groups.flatMap(({ name, states }) =>
      name === group ? Object.values(states).map(({ path }) => path) : [],
    );
  return {
    ...site,
    names: wordpress.groups.flatMap(({ name, all }) => (all ? [name] : [])),
    pairs: pathsOf('pairs'),
    forms: pathsOf('form'),
    async stop(signal) {
      await site.stop(signal);
      await wordpress.stop();
    },
  };
}
