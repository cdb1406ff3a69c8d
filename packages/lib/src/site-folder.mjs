import { existsSync } from 'node:fs';

/**
 * The folder of the brand's site, relative to the working directory: `PILLION_SITE`, or `site/` if a site is there, as
 * in the own repository. JavaScript, because Node does not run TypeScript inside `node_modules`.
 * @returns {string}
 */
export const siteFolder = () => process.env.PILLION_SITE ?? (existsSync('site/site.config.ts') ? 'site' : '.');
