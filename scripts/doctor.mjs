// `npm run doctor`.
import { runDoctor } from '@pillion/server/commands/doctor.ts';

await runDoctor(process.argv.slice(2));
