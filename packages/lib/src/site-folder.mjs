import { existsSync } from 'node:fs';

/**
 * Where the brand's site is, from the folder of the start: `PILLION_SITE`, or `site/` where there is one, as in the kit's
 * own repository. JavaScript, so that Node runs it inside `node_modules` too.
 * @returns {string}
 */
export const siteFolder = () => process.env.PILLION_SITE ?? (existsSync('site') ? 'site' : '.');
