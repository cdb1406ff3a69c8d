import { runDoctor } from './doctor.ts';
import { manageSignUps } from './sign-ups.ts';

// The program of `pillion sign-ups` and `pillion doctor`, built next to the server.
const [name, ...words] = process.argv.slice(2);
await (name === 'doctor' ? runDoctor : manageSignUps)(words);
