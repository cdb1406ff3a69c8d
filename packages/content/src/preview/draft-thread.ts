// Worker thread for drafts: parsing and cleaning a large one takes up to half a second, which must not block visitors.
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type DraftToRead, readDraft } from './read-draft.ts';

if (!parentPort) throw new Error('this is the program of a thread');
const port = parentPort;
// On a single processor the main thread has priority. On Linux the priority applies to the thread (sched(7)), elsewhere
// to the process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
port.on('message', (asked: DraftToRead) => port.postMessage(readDraft(asked)));
