import { buildForTests } from '@pillion/scripts/lib/build.mjs';

/** The kit's journeys visit the fixture, those of the site in this repository visit that site. */
export default () => buildForTests(process.execPath);
