// `npm run sign-ups -- list`.
import { manageSignUps } from '@pillion/server/commands/sign-ups.ts';

await manageSignUps(process.argv.slice(2));
