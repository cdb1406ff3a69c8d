// A thread for drafts: parsing and cleaning a large one takes up to half a second, in which no visitor must wait.
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type DraftToRead, readDraft } from './read-draft.ts';

if (!parentPort) throw new Error('this is the program of a thread');
const port = parentPort;
// Where there is one processor the thread that answers visitors goes first. Linux ranks threads (sched(7)), others processes.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
port.on('message', (asked: DraftToRead) => port.postMessage(readDraft(asked)));
