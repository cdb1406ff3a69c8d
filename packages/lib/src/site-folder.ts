import { existsSync } from 'node:fs';

/**
 * Where the brand's site lies, from the folder of the start: `PILLION_SITE`, or `site/` where there is one, as in the kit's
 * own repository.
 */
export const siteFolder = (): string => process.env.PILLION_SITE ?? (existsSync('site') ? 'site' : '.');
